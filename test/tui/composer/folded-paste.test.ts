import { folded } from '../../../src/tui/composer/folded-paste.ts';
import { namedImages } from '../../../src/lib/images/image-paths.ts';
import { describe, expect, it } from 'vitest';
import { edit, EMPTY_COMPOSER, wholeText } from '../../../src/tui/composer/composer.ts';
import type { Composer, Edit } from '../../../src/tui/composer/composer.ts';
import { layoutPrompt } from '../../../src/tui/composer/layout-prompt.ts';

const LINES = Array.from({ length: 500 }, (_, index) => `line ${index}`).join('\n');
const after = (...edits: Edit[]): Composer =>
  edits.reduce((composer, each, at) => edit(composer, each, at + 1), EMPTY_COMPOSER);
const shown = (composer: Composer) => layoutPrompt('> ', composer, 80, 6);
const insert = (text: string): Edit => ({ kind: 'insert', text });
const pasted: Edit = { kind: 'paste', text: LINES };

describe('a long paste', () => {
  it('is shown as a block, and is sent in full', () => {
    const composer = after(insert('Explain '), pasted, insert(' please'));
    expect(shown(composer).rows).toEqual(['> Explain [paste 1: 500 lines] please']);
    expect(wholeText(composer)).toBe(`Explain ${LINES} please`);
  });

  it('has the cursor behind it', () => {
    expect(shown(after(insert('a'), pasted)).cursor).toEqual({ row: 0, column: '> a[paste 1: 500 lines]'.length });
  });

  it('is erased by one key, and comes back by undo', () => {
    const erased = edit(after(insert('a '), pasted), { kind: 'erase-back' }, 9);
    expect(wholeText(erased)).toBe('a ');
    expect(wholeText(edit(erased, { kind: 'undo' }, 10))).toBe(`a ${LINES}`);
  });

  it('is opened where the cursor stands behind it, and nowhere else', () => {
    const composer = after(insert('a '), pasted);
    expect(edit(composer, { kind: 'open-paste' }, 9).text).toBe(`a ${LINES}`);
    const before = edit(composer, { kind: 'left' }, 9);
    expect(edit(before, { kind: 'open-paste' }, 10)).toEqual(before);
  });

  it('is in the history in full', () => {
    expect(after(pasted, { kind: 'sent' })).toMatchObject({ text: '', pastes: [], history: [LINES] });
  });

  it('of one line is counted in characters', () => {
    expect(shown(after({ kind: 'paste', text: 'x'.repeat(2000) })).rows).toEqual(['> [paste 1: 2000 characters]']);
  });
});

describe('a short paste', () => {
  it('is text like any other', () => {
    expect(after({ kind: 'paste', text: 'one\ntwo' }).text).toBe('one\ntwo');
  });
});

it('text with the characters that stand for pastes names none', () => {
  const composer = after(pasted, insert('\u{100000}'), { kind: 'paste', text: '\u{100000}\u{100001}' });
  expect(wholeText(composer)).toBe(LINES);
});

describe('a paste that attaches images', () => {
  const image = { kind: 'paste', text: '@"/tmp/my shot.png"' } as const;

  it('is shown by the names of the files, and sent with the paths', () => {
    const composer = after(insert('see'), image, insert('and'));
    expect(folded(composer.text, composer.pastes)).toBe('see [image my shot.png] and');
    expect(wholeText(composer)).toBe('see @"/tmp/my shot.png" and');
    expect(namedImages(wholeText(composer))).toEqual([{ path: '/tmp/my shot.png', isAttached: true }]);
  });

  it('names several', () => {
    const composer = after({ kind: 'paste', text: '@"/a.png" @"/b.jpg"' });
    expect(folded(composer.text, composer.pastes)).toBe('[images a.png, b.jpg] ');
  });
});
