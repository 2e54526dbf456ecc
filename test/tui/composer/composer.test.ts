import { describe, expect, it } from 'vitest';
import { edit, EMPTY_COMPOSER } from '../../../src/tui/composer/composer.ts';
import type { Composer, Edit } from '../../../src/tui/composer/composer.ts';

/** `|` is the cursor. */
function at(marked: string): Composer {
  return { ...EMPTY_COMPOSER, text: marked.replace('|', ''), cursor: marked.indexOf('|'), sinceMs: 1 };
}
const marked = ({ text, cursor }: Composer) => `${text.slice(0, cursor)}|${text.slice(cursor)}`;
const key = (
  kind: Exclude<Edit['kind'], 'insert' | 'paste' | 'replace' | 'remembered' | 'fill-in' | 'place' | 'keys'>,
): Edit => ({
  kind,
});

describe('editing a line', () => {
  it.each<[string, Edit, string]>([
    ['ab|', { kind: 'insert', text: 'c' }, 'abc|'],
    ['a|c', { kind: 'insert', text: 'b\nb' }, 'ab\nb|c'],
    ['|', { kind: 'insert', text: '\n\n/approve' }, '/approve|'],
    ['ab|', key('left'), 'a|b'],
    ['|ab', key('left'), '|ab'],
    ['|ab', key('right'), 'a|b'],
    ['ab|', key('right'), 'ab|'],
    ['a👩‍👩‍👧|', key('left'), 'a|👩‍👩‍👧'],
    ['a👩‍👩‍👧|b', key('erase-back'), 'a|b'],
    ['|e\u0301x', key('erase-forward'), '|x'],
    ['one two|', key('word-left'), 'one |two'],
    ['|one two', key('word-right'), 'one| two'],
    ['one two  |', key('erase-word'), 'one |'],
    ['one| two three', key('erase-word-forward'), 'one| three'],
    ['one\ntw|o', key('line-start'), 'one\n|two'],
    ['o|ne\ntwo', key('line-end'), 'one|\ntwo'],
    ['one\ntw|o', key('erase-to-start'), 'one\n|o'],
    ['o|ne\ntwo', key('erase-to-end'), 'o|\ntwo'],
    ['one\ntwo|', key('up'), 'one|\ntwo'],
    ['one|\ntwo', key('down'), 'one\ntwo|'],
    ['one|\nx\n', key('down'), 'one\nx|\n'],
    ['|\nab', key('erase-to-start'), '|\nab'],
    ['ab|c', key('clear'), '|'],
  ])('%j %j gives %j', (before, change, after) => {
    expect(marked(edit(at(before), change, 2))).toBe(after);
  });

  it.each<[string, readonly Edit['kind'][], string]>([
    ['one two three|', ['erase-word', 'erase-word'], 'two three'],
    ['|one two three', ['erase-word-forward', 'erase-word-forward'], 'one two'],
    ['one two| three', ['erase-to-start', 'erase-to-end'], 'one two three'],
    ['one two three|', ['erase-word', 'left', 'erase-word'], 'two'],
  ])('puts back in one piece what was erased of %j by %j', (before, kinds, killed) => {
    const erased = kinds.reduce((line, kind) => edit(line, key(kind as 'left'), 2), at(before));
    expect(edit(edit(erased, key('clear'), 2), key('yank'), 2).text).toBe(killed);
  });

  it('keeps the cursor between characters, whatever is done', () => {
    const kinds = [
      'left',
      'right',
      'word-left',
      'word-right',
      'up',
      'down',
      'erase-back',
      'erase-forward',
      'line-end',
    ] as const;
    let composer = EMPTY_COMPOSER;
    for (let step = 0; step < 400; step += 1) {
      const change: Edit =
        step % 3 === 0
          ? { kind: 'insert', text: ['👩‍👩‍👧', 'a', '\n', 'é', ' '][step % 5] ?? '' }
          : { kind: kinds[(step * 7) % 9] ?? 'left' };
      composer = edit(composer, change, step);
      expect(composer.cursor).toBeGreaterThanOrEqual(0);
      expect(composer.cursor).toBeLessThanOrEqual(composer.text.length);
      expect(composer.text.isWellFormed() && composer.text.slice(0, composer.cursor).isWellFormed()).toBe(true);
    }
  });
});

describe('history', () => {
  const sent = ['first', 'second', 'second'].reduce(
    (composer, text) => edit(edit(composer, { kind: 'insert', text }, 1), { kind: 'sent' }, 1),
    EMPTY_COMPOSER,
  );

  it('goes back through what was sent and forth to the draft', () => {
    const draft = edit(sent, { kind: 'insert', text: 'dra' }, 1);
    const up = (composer: Composer) => edit(composer, { kind: 'up' }, 1);
    const down = (composer: Composer) => edit(composer, { kind: 'down' }, 1);
    expect(up(draft).text).toBe('second');
    expect(up(up(draft)).text).toBe('first');
    expect(up(up(up(draft))).text).toBe('first');
    expect(down(up(up(draft))).text).toBe('second');
    expect(down(down(up(up(draft)))).text).toBe('dra');
    expect(down(draft).text).toBe('dra');
  });
});

describe('when a text was begun', () => {
  it('is when its first key was struck', () => {
    const one = edit(EMPTY_COMPOSER, { kind: 'insert', text: 'a' }, 10);
    const two = edit(one, { kind: 'insert', text: 'b' }, 20);
    expect(two.sinceMs).toBe(10);
    expect(edit(two, { kind: 'clear' }, 30).sinceMs).toBeNull();
  });

  it('is when it was recalled, for a text of the history', () => {
    const composer = { ...EMPTY_COMPOSER, history: ['/approve'] };
    expect(edit(composer, { kind: 'up' }, 40)).toMatchObject({ text: '/approve', sinceMs: 40 });
  });
});

describe('undo and yank', () => {
  const type = (composer: Composer, text: string) =>
    [...text].reduce((line, letter) => edit(line, { kind: 'insert', text: letter }, 1), composer);

  it('take typing back word by word, and anything else step by step', () => {
    let line = type(EMPTY_COMPOSER, 'one two');
    line = edit(line, key('erase-word'), 1);
    const undone: string[] = [];
    for (let step = 0; step < 4; step += 1) {
      undone.push(marked(line));
      line = edit(line, key('undo'), 1);
    }
    expect(undone).toEqual(['one |', 'one two|', 'one |', 'one|']);
    expect(marked(edit(edit(EMPTY_COMPOSER, key('undo'), 1), key('undo'), 1))).toBe('|');
  });

  it('take back nothing of a text that was sent', () => {
    expect(edit(edit(type(EMPTY_COMPOSER, 'sent'), key('sent'), 1), key('undo'), 1).text).toBe('');
  });

  it('insert the last erased text, wherever the cursor is', () => {
    const erased = edit(at('one two|'), key('erase-word'), 1);
    expect(marked(edit(edit(erased, key('line-start'), 1), key('yank'), 1))).toBe('two|one ');
  });
});

describe('the texts of earlier sessions', () => {
  const remembered = edit(EMPTY_COMPOSER, { kind: 'remembered', texts: ['fix the parser', 'add a test', 'fix it'] }, 1);

  it('come before those of this one', () => {
    const sent = edit({ ...remembered, text: 'now', cursor: 3 }, key('sent'), 1);
    expect(sent.history).toEqual(['fix the parser', 'add a test', 'fix it', 'now']);
  });

  const typing = (text: string): Edit => ({ kind: 'insert', text });
  const search = (...edits: readonly Edit[]): Composer =>
    [key('search-back'), ...edits].reduce((composer, each, step) => edit(composer, each, 40 + step), remembered);
  const older = key('search-back');

  it.each<[string, readonly Edit[], string, boolean]>([
    ['nothing yet', [], '|', false],
    ['the newest that has it', [typing('fix')], 'fix| it', false],
    ['the next older one', [typing('fix'), older], 'fix| the parser', false],
    ['no older one', [typing('fix'), older, older], 'fix| the parser', true],
    ['one that fits what is typed on', [typing('fix'), typing(' '), typing('t')], 'fix t|he parser', false],
    ['a place in the middle', [typing('test')], 'add a test|', false],
    ['nothing that has it', [typing('fix'), typing('x')], 'fix| it', true],
    [
      'the newest again, with less to look for',
      [typing('fix t'), key('erase-back'), key('erase-back')],
      'fix| it',
      false,
    ],
    ['nothing, with nothing to look for', [typing('f'), key('erase-back')], '|', false],
  ])('are searched after Ctrl-R: %s', (_, edits, shown, failed) => {
    const found = search(...edits);
    expect([marked(found), found.search?.failed]).toEqual([shown, failed]);
  });

  it('are not searched for what was typed before Ctrl-R, which stays until something is', () => {
    const begun = edit({ ...remembered, text: 'fix', cursor: 1 }, older, 40);
    expect([marked(begun), begun.search?.query]).toEqual(['fix|', '']);
    expect(marked(edit(begun, key('end-search'), 50))).toBe('fix|');
    const found = edit(begun, typing('add'), 50);
    expect([found.text, found.sinceMs]).toEqual(['add a test', 50]);
  });

  it('do not have twice what was sent while they were read', () => {
    const sent = edit(EMPTY_COMPOSER, { kind: 'remembered', texts: ['now'] }, 1);
    expect(edit(sent, { kind: 'remembered', texts: ['before', 'now'] }, 2).history).toEqual(['before', 'now']);
  });

  it.each<[Edit, string]>([
    [key('end-search'), 'fix| it'],
    [key('right'), 'fix |it'],
    [key('line-end'), 'fix it|'],
    [key('up'), 'add a test|'],
    [key('erase-word'), '| it'],
    [key('clear'), '|'],
  ])('stay in the prompt when %j ends the search', (ending, shown) => {
    const after = search(typing('fix'), ending);
    expect([marked(after), after.search]).toEqual([shown, null]);
  });

  it('give way to what was typed before, when the search is given up', () => {
    const drafted = edit(edit(EMPTY_COMPOSER, { kind: 'remembered', texts: ['fix it'] }, 1), typing('i'), 2);
    const given = edit(edit(drafted, older, 3), key('clear'), 4);
    expect([marked(given), given.search]).toEqual(['i|', null]);
  });
});
