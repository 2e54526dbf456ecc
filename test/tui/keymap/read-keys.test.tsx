import { Text, useInput, usePaste } from 'ink';
import type { Key } from 'ink';
import type { ReactNode } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_BINDINGS } from '../../../src/tui/keymap/bindings.ts';
import { readKeys, readPaste } from '../../../src/tui/keymap/read-keys.ts';
import type { KeyAction } from '../../../src/tui/keymap/key-action.ts';
import { drawInTerminal } from '../fake-terminal.ts';
import type { FakeTerminal } from '../fake-terminal.ts';

function Listener({ actions }: { readonly actions: KeyAction[] }): ReactNode {
  useInput((input, key) => void actions.push(...readKeys(input, key)));
  usePaste((text) => void actions.push(...readPaste(text)));
  return <Text>ready</Text>;
}

let terminal: FakeTerminal | null = null;
afterEach(() => terminal?.close());

/** What the bytes of a terminal come to, through Ink's own parser. */
async function read(bytes: string): Promise<KeyAction[]> {
  const actions: KeyAction[] = [];
  terminal = drawInTerminal(<Listener actions={actions} />);
  await terminal.settled();
  await terminal.type(bytes);
  await terminal.settled();
  return actions;
}

const insert = (text: string): KeyAction => ({ kind: 'edit', edit: { kind: 'insert', text } });
const pasted = (text: string): KeyAction => ({ kind: 'edit', edit: { kind: 'paste', text } });
const doing = (
  kind: Exclude<
    Extract<KeyAction, { kind: 'edit' }>['edit']['kind'],
    'insert' | 'paste' | 'replace' | 'remembered' | 'fill-in' | 'place' | 'keys'
  >,
): KeyAction => ({
  kind: 'edit',
  edit: { kind },
});

describe('keys', () => {
  it.each<[string, string, KeyAction[]]>([
    ['a letter', 'a', [insert('a')]],
    ['a capital', 'A', [insert('A')]],
    ['a digit', '7', [insert('7')]],
    ['a blank', ' ', [insert(' ')]],
    ['an emoji', '👩‍👩‍👧', [insert('👩‍👩‍👧')]],
    ['Enter', '\r', [{ kind: 'submit' }]],
    ['Page Up', '\x1b[5~', [{ kind: 'page', step: -1 }]],
    ['Ctrl-O', '\x0f', [{ kind: 'open' }]],
    ['a line and Enter in one piece', '/approve\r', [insert('/approve'), { kind: 'submit' }]],
    ['lines of an unmarked paste', 'one\rtwo\r', [insert('one'), insert('\n'), insert('two'), { kind: 'submit' }]],
    [
      'keys struck so quickly that they come together',
      'y\r\x15 \x01x',
      [insert('y'), { kind: 'submit' }, doing('erase-to-start'), insert(' '), doing('line-start'), insert('x')],
    ],
    ['Enter and Ctrl-D together', 'x\r\x04', [insert('x'), { kind: 'submit' }, { kind: 'end-of-input' }]],
    ['lines with both line ends', 'one\r\ntwo\r', [insert('one'), insert('\n'), insert('two'), { kind: 'submit' }]],
    ['a line and Tab in one piece', '/mod\t', [insert('/mod'), { kind: 'complete' }]],
    [
      'Tab, text and Enter behind it in one piece',
      '/the\tdark\r',
      [insert('/the'), { kind: 'complete' }, insert('dark'), { kind: 'submit' }],
    ],
    [
      'tabs of an unmarked paste',
      'one\t1\r\ttwo\r',
      [insert('one\t1'), insert('\n'), insert('\ttwo'), { kind: 'submit' }],
    ],
    ['Alt-Enter', '\x1b\r', [insert('\n')]],
    ['Ctrl-J', '\n', [insert('\n')]],
    ['Shift-Tab', '\x1b[Z', [{ kind: 'next-mode' }]],
    ['Ctrl-L', '\x0c', [{ kind: 'redraw' }]],
    ['Alt-D', '\x1bd', [doing('erase-word-forward')]],
    ['Tab', '\t', [{ kind: 'complete' }]],
    ['Ctrl-C', '\x03', [{ kind: 'interrupt' }]],
    ['Ctrl-C behind other keys', 'ab\x03', [insert('ab'), { kind: 'interrupt' }]],
    ['Ctrl-D', '\x04', [{ kind: 'end-of-input' }]],
    ['Ctrl-Z', '\x1a', [{ kind: 'suspend' }]],
    ['Backspace', '\x7f', [doing('erase-back')]],
    ['Alt-Backspace', '\x1b\x7f', [doing('erase-word')]],
    ['Delete', '\x1b[3~', [doing('erase-forward')]],
    ['Up', '\x1b[A', [doing('up')]],
    ['Up in application mode', '\x1bOA', [doing('up')]],
    ['Down', '\x1b[B', [doing('down')]],
    ['Left', '\x1b[D', [doing('left')]],
    ['Ctrl-Left', '\x1b[1;5D', [doing('word-left')]],
    ['Alt-b', '\x1bb', [doing('word-left')]],
    ['Home', '\x1b[H', [doing('line-start')]],
    ['End', '\x1b[F', [doing('line-end')]],
    ['Ctrl-A', '\x01', [doing('line-start')]],
    ['Ctrl-W', '\x17', [doing('erase-word')]],
    ['Ctrl-U', '\x15', [doing('erase-to-start')]],
    ['Ctrl-Y', '\x19', [doing('yank')]],
    ['Ctrl-_', '\x1f', [doing('undo')]],
    ['Ctrl-R', '\x12', [doing('search-back')]],
    ['Ctrl-G', '\x07', [{ kind: 'editor' }]],
    ['Ctrl-V', '\x16', [{ kind: 'paste-image' }]],
  ])('%s', async (_, bytes, actions) => {
    expect(await read(bytes)).toEqual(actions);
  });
});

describe('keys of the kitty protocol', () => {
  it.each<[string, string, KeyAction[]]>([
    ['Esc', '\x1b[27u', [{ kind: 'escape' }]],
    ['Esc twice', '\x1b[27u\x1b[27u', [{ kind: 'escape' }, { kind: 'escape' }]],
    ['Enter', '\r', [{ kind: 'submit' }]],
    ['Enter of the keypad', '\x1b[57414u', [{ kind: 'submit' }]],
    ['Shift-Enter', '\x1b[13;2u', [insert('\n')]],
    ['Alt-Enter', '\x1b[13;3u', [insert('\n')]],
    ['Ctrl-Enter', '\x1b[13;5u', [{ kind: 'submit' }]],
    ['Shift-Tab', '\x1b[9;2u', [{ kind: 'next-mode' }]],
    ['Ctrl-C', '\x1b[99;5u', [{ kind: 'interrupt' }]],
    ['Ctrl-C with Num Lock', '\x1b[99;133u', [{ kind: 'interrupt' }]],
    ['Ctrl-D', '\x1b[100;5u', [{ kind: 'end-of-input' }]],
    ['Ctrl-Z', '\x1b[122;5u', [{ kind: 'suspend' }]],
    ['Ctrl-H', '\x1b[104;5u', [doing('erase-back')]],
    ['Ctrl-I', '\x1b[105;5u', [{ kind: 'complete' }]],
    ['Ctrl-J', '\x1b[106;5u', [insert('\n')]],
    ['Ctrl-M', '\x1b[109;5u', [{ kind: 'submit' }]],
    ['Ctrl-[', '\x1b[91;5u', [{ kind: 'escape' }]],
    ['Ctrl-_', '\x1b[45:95;6u', [doing('undo')]],
    ['Ctrl-/', '\x1b[47;5u', [doing('undo')]],
    ['Ctrl-L', '\x1b[108;5u', [{ kind: 'redraw' }]],
    ['Ctrl-R', '\x1b[114;5u', [doing('search-back')]],
    ['Ctrl-G', '\x1b[103;5u', [{ kind: 'editor' }]],
    ['Ctrl-V', '\x1b[118;5u', [{ kind: 'paste-image' }]],
    ['Ctrl-O', '\x1b[111;5u', [{ kind: 'open' }]],
    ['Alt-b', '\x1b[98;3u', [doing('word-left')]],
    ['Alt-d', '\x1b[100;3u', [doing('erase-word-forward')]],
    ['Alt-Backspace', '\x1b[127;3u', [doing('erase-word')]],
    ['Shift-Backspace', '\x1b[127;2u', [doing('erase-back')]],
    ['Shift-Space', '\x1b[32;2u', [insert(' ')]],
    ['Up', '\x1b[A', [doing('up')]],
    ['Alt-Left', '\x1b[1;3D', [doing('word-left')]],
    ['Super-V, which means nothing', '\x1b[118;9u', []],
    ['a report of the focus', '\x1b[I\x1b[O', []],
    ['answers of the terminal', '\x1b[?1u\x1b[?1004;1$y', []],
    ['a paste', '\x1b[200~one\rtwo\x1b[201~', [pasted('one\ntwo')]],
  ])('%s', async (_, bytes, actions) => {
    expect(await read(bytes)).toEqual(actions);
  });
});

it('Escape stops the run; Ink hands it over once nothing has followed it', () => {
  const key = { escape: true, meta: true, eventType: 'press' } as Key;
  expect(readKeys('', key)).toEqual([{ kind: 'escape' }]);
});

it('Escape twice in one piece, which looks like Escape with Alt, is twice', () => {
  const key = { escape: true, meta: true } as Key;
  expect(readKeys('', key)).toEqual([{ kind: 'escape' }, { kind: 'escape' }]);
});

describe('a paste', () => {
  it('goes in whole and never submits', async () => {
    expect(await read('\x1b[200~/approve\r\nsecond\r\x1b[201~')).toEqual([pasted('/approve\nsecond\n')]);
  });

  it('of paths of images attaches them', async () => {
    expect(await read("\x1b[200~'/tmp/my shot.png'\x1b[201~")).toEqual([pasted('@"/tmp/my shot.png"')]);
  });

  it('of nothing is one of an image, which the terminal cannot write', async () => {
    expect(await read('\x1b[200~\x1b[201~')).toEqual([{ kind: 'paste-image' }]);
  });

  it('loses control characters, keeps tabs', async () => {
    expect(await read('\x1b[200~a\x07\tb\x1b]0;x\x07\u009bc\x1b[201~')).toEqual([pasted('a\tb]0;xc')]);
  });
});

describe('what a terminal sends by itself is no key', () => {
  it.each([
    ['focus gained', '\x1b[I'],
    ['focus lost', '\x1b[O'],
    ['a click (SGR)', '\x1b[<0;10;5M'],
    ['a release (SGR)', '\x1b[<0;10;5m'],
    ['a click (urxvt)', '\x1b[32;10;5M'],
    ['a cursor position', '\x1b[12;40R'],
    ['device attributes', '\x1b[?64;1;2c'],
    ['a function key', '\x1b[15~'],
    ['Alt-y', '\x1by'],
  ])('%s', async (_, bytes) => {
    expect(await read(bytes)).toEqual([]);
  });

  it('an old mouse report enters nothing and submits nothing', async () => {
    const actions = await read('\x1b[M !!');
    expect(actions.every(({ kind }) => kind === 'edit')).toBe(true);
  });
});

describe('with the keys of vi', () => {
  const plainKey = { meta: true } as Key;

  it('a letter behind Esc in one piece is Esc and that letter, unless Alt with it means something', () => {
    expect(readKeys('u', plainKey, DEFAULT_BINDINGS, 'vim')).toEqual([{ kind: 'escape' }, insert('u')]);
    expect(readKeys('u', plainKey, DEFAULT_BINDINGS, 'emacs')).toEqual([]);
    expect(readKeys('b', plainKey, DEFAULT_BINDINGS, 'vim')).toEqual([doing('word-left')]);
  });
});
