import { describe, expect, it } from 'vitest';
import { EMPTY_COMPOSER, edit } from '../../../src/tui/composer/composer.ts';
import type { Composer, Edit } from '../../../src/tui/composer/composer.ts';

const act = (composer: Composer, ...edits: Edit[]) => edits.reduce((before, each) => edit(before, each, 1), composer);
const insert = (text: string): Edit => ({ kind: 'insert', text });

/** `|` is before the character that the cursor is on. */
function normal(shown: string): Composer {
  const cursor = shown.indexOf('|');
  const text = shown.replace('|', '');
  const typed = act(EMPTY_COMPOSER, { kind: 'keys', keys: 'vim' }, { kind: 'replace', text }, { kind: 'normal-mode' });
  return { ...typed, cursor };
}

const shown = ({ text, cursor }: Composer) => `${text.slice(0, cursor)}|${text.slice(cursor)}`;
/** Each key by itself, as they are typed. */
const keys = (composer: Composer, typed: string) =>
  [...typed].reduce((before, key) => edit(before, insert(key), 1), composer);

describe('a key of vi in normal mode', () => {
  it.each([
    ['|one two', 'w', 'one |two'],
    ['one |two', 'w', 'one tw|o'],
    ['|a.b c', 'w', 'a|.b c'],
    ['|a.b c', 'W', 'a.b |c'],
    ['|one two', 'e', 'on|e two'],
    ['on|e two', 'e', 'one tw|o'],
    ['one tw|o', 'b', 'one |two'],
    ['one.two |x', 'B', '|one.two x'],
    ['one |two', '0', '|one two'],
    ['  one tw|o', '^', '  |one two'],
    ['|one two', '$', 'one tw|o'],
    ['|one two three', '2w', 'one two |three'],
    ['|one two', '9l', 'one tw|o'],
    ['one\ntw|o', 'h', 'one\nt|wo'],
    ['one\n|two', 'h', 'one\n|two'],
    ['|one two', 'ft', 'one |two'],
    ['|one two', 'tt', 'one| two'],
    ['one tw|o', 'Fn', 'o|ne two'],
    ['one tw|o', 'Tn', 'on|e two'],
    ['|one', 'fz', '|one'],
    ['|a b a b', '2fb', 'a b a |b'],
    ['one\ntw|o', 'gg', '|one\ntwo'],
    ['|one\ntwo', 'G', 'one\n|two'],
    ['|one\ntwo', 'j', 'one\n|two'],
    ['one\n|two', 'k', '|one\ntwo'],
    ['|👩‍👩‍👧 x', 'l', '👩‍👩‍👧| x'],
    ['|one two', 'dw', '|two'],
    ['one |two', 'dw', 'one| '],
    ['|one two three', 'd2w', '|three'],
    ['|one two three', '2dw', '|three'],
    ['one |two', 'db', '|two'],
    ['|one two', 'de', '| two'],
    ['one |two', 'd$', 'one| '],
    ['one t|wo', 'D', 'one |t'],
    ['|one two', 'dtw', '|wo'],
    ['|one two', 'dft', '|wo'],
    ['o|ne\ntwo', 'dd', '|two'],
    ['one\n  t|wo', 'dd', '|one'],
    ['|one', 'dd', '|'],
    ['o|ne\ntwo\nthree', '2dd', '|three'],
    ['o|ne\ntwo\nthree', 'dj', '|three'],
    ['one\ntwo\nth|ree', 'dgg', '|'],
    ['o|ne\ntwo', 'dG', '|'],
    ['one |two three', 'diw', 'one | three'],
    ['one t|wo three', 'daw', 'one |three'],
    ['one t|wo', 'daw', 'on|e'],
    ['say "a |b" now', 'di"', 'say "|" now'],
    ['say "a |b" now', 'da"', 'say | now'],
    ['f(a, (b|), c)', 'di(', 'f(a, (|), c)'],
    ['f(a, |b(c), d)', 'di(', 'f(|)'],
    ['f(|a', 'di(', 'f(|a'],
    ['|abc', 'x', '|bc'],
    ['ab|c', 'x', 'a|b'],
    ['|abc', '2x', '|c'],
    ['ab|c', 'X', 'a|c'],
    ['|', 'x', '|'],
    ['|abc', 'rx', '|xbc'],
    ['|abc', '2rx', 'x|xc'],
    ['|ab', '3rx', '|ab'],
    ['|abC', '3~', 'AB|c'],
    ['|one two', 'dwwP', 'twone| o'],
    ['|one two', 'yww', 'one |two'],
    ['|ab', 'xp', 'b|a'],
    ['|one\ntwo', 'yyp', 'one\n|one\ntwo'],
    ['one\n|two', 'yyP', 'one\n|two\ntwo'],
    ['|one\ntwo', 'ddp', 'two\n|one'],
    ['|a', 'yl3p', 'aaa|a'],
    ['|ab', 'p', '|ab'],
    ['|one two', 'dwu', '|one two'],
    ['|abc', 'xxu', '|bc'],
    ['|abc', 'Q', '|abc'],
    ['|abc', 'dQx', '|bc'],
    ['|abc', 'gx', '|abc'],
  ])('%j and %j make %j', (before, typed, after) => {
    const done = keys(normal(before), typed);
    expect([shown(done), done.vim?.mode]).toEqual([after, 'normal']);
  });

  it.each([
    ['o|ne', 'ix', 'ox|ne'],
    ['o|ne', 'ax', 'onx|e'],
    ['on|e', 'ax', 'onex|'],
    ['  o|ne', 'Ix', '  x|one'],
    ['o|ne', 'Ax', 'onex|'],
    ['o|ne', 'ox', 'one\nx|'],
    ['o|ne', 'Ox', 'x|\none'],
    ['|one two', 'cwx', 'x| two'],
    ['one |two', 'ccx', 'x|'],
    ['one\nt|wo', 'Sx', 'one\nx|'],
    ['one |two', 'Cx', 'one x|'],
    ['o|ne', 'sx', 'ox|e'],
    ['f(|a)', 'ci(x', 'f(x|)'],
    ['f(|)', 'ci(x', 'f(x|)'],
  ])('%j and %j insert: %j', (before, typed, after) => {
    const done = keys(normal(before), typed);
    expect([shown(done), done.vim?.mode]).toEqual([after, 'insert']);
  });

  it('means the same where keys come in one piece', () => {
    expect(shown(act(normal('|one two'), insert('dwione ')))).toBe('one |two');
  });

  it('never ends in the middle of a character, or fails', () => {
    const typed = 'd2wxpP3.~rxfofdcwiwyyjkGggu"0$^ABCiDoO';
    for (let from = 0; from < typed.length; from += 1) {
      const done = keys(normal('|👩‍👩‍👧 á\n(b "c")'), typed.slice(from) + typed.slice(0, from));
      expect(done.text.isWellFormed()).toBe(true);
      expect(done.cursor).toBeLessThanOrEqual(done.text.length);
    }
  });
});

describe('the modes', () => {
  it('begin with insert, and again when the prompt is sent or cleared', () => {
    const vim = act(EMPTY_COMPOSER, { kind: 'keys', keys: 'vim' }, insert('dw'));
    expect([vim.text, vim.vim?.mode]).toEqual(['dw', 'insert']);
    const left = act(vim, { kind: 'normal-mode' });
    expect([left.cursor, left.vim?.mode]).toEqual([1, 'normal']);
    expect(act(left, { kind: 'sent' }).vim?.mode).toBe('insert');
    expect(act(left, { kind: 'clear' }).vim?.mode).toBe('insert');
  });

  it('leave a search, a paste and a new line what they are', () => {
    const composer = normal('|one');
    expect(act(composer, { kind: 'paste', text: 'dw' }).text).toBe('dwone');
    expect(act(composer, insert('\n')).text).toBe('\none');
    expect(act(composer, { kind: 'search-back' }, insert('dw')).search?.query).toBe('dw');
  });

  it('are none with the keys of a shell', () => {
    expect(act(normal('|one'), { kind: 'keys', keys: 'emacs' }, insert('x'))).toMatchObject({
      text: 'xone',
      vim: null,
    });
  });
});

describe('the last change of vi, again by a dot', () => {
  const typed = (composer: Composer, ...parts: string[]) =>
    parts.reduce(
      (before, part) => (part === 'Esc' ? act(before, { kind: 'normal-mode' }) : keys(before, part)),
      composer,
    );

  it.each([
    ['an erased word', '|one two three four', ['dw', '.', '.'], '|four'],
    ['a count', '|abcdef', ['2x', '.'], '|ef'],
    ['a replaced character', '|aaa', ['rb', 'l', '.'], 'b|ba'],
    ['a changed word', '|one two', ['cw', 'new', 'Esc', 'w', '.'], 'new ne|w'],
    ['an insertion', '|b b', ['i', 'a', 'Esc', 'w', '.'], 'ab |ab'],
    ['an appended text', '|a\na', ['A', '!', 'Esc', 'j', '.'], 'a!\na|!'],
    ['a line', '|1\n2\n3', ['dd', '.'], '|3'],
    ['what came before a motion and an undo', '|one two three', ['dw', 'u', 'w', '.'], 'one |three'],
    ['nothing, where nothing was changed', '|one', ['w', '.'], 'on|e'],
  ])('repeats %s', (_, from, parts, to) => {
    expect(shown(typed(normal(from), ...parts))).toBe(to);
  });
});
