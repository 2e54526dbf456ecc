import { expect, it } from 'vitest';
import { typedInput } from '../../../../src/cli/interactive/screen/typed-input.ts';

/** What Ink reads of these pieces of input. */
function readAll(pieces: readonly string[], take = (chunk: string) => chunk): unknown[] {
  const left = [...pieces];
  const stdin = { read: () => left.shift() ?? null } as unknown as NodeJS.ReadStream;
  const input = typedInput(stdin, { take });
  const read: unknown[] = [];
  for (let piece: unknown = input.read(); piece !== null; piece = input.read()) read.push(piece);
  return read;
}

it.each([
  [
    'an Enter from before raw mode is an Enter, a later line feed is none',
    ['hello\n', 'one\ntwo\r'],
    ['hello\r', 'one\ntwo\r'],
  ],
  ['each line from before raw mode is a piece of its own', ['one\n\ntwo\nthr'], ['one\r', '\r', 'two\r', 'thr']],
])('%s', (_, pieces, read) => {
  expect(readAll(pieces)).toEqual(read);
});

it('a piece of which nothing is typed text does not end what has come', () => {
  expect(readAll(['a', 'reply', 'b'], (chunk) => (chunk === 'reply' ? '' : chunk))).toEqual(['a', 'b']);
});

it('only typed text is searched for replies, not the end of what has come', () => {
  const searched: unknown[] = [];
  const take = (chunk: string) => {
    searched.push(chunk);
    return chunk;
  };
  expect(readAll(['a', 'b'], take)).toEqual(['a', 'b']);
  expect(searched).toEqual(['a', 'b']);
});

it('a key that xterm and tmux send in a form of their own has that of the kitty protocol', () => {
  expect(readAll(['a\x1b[27;2;13~b', '\x1b[27;5;13~'])).toEqual(['a\x1b[13;2ub', '\x1b[13;5u']);
});

it('Ctrl and Alt with a letter of another alphabet are those with the Latin letter of the key, as without the protocol', () => {
  expect(readAll(['a\x1b[1089::99;5ub', '\x1b[1089:1057:99;3u'])).toEqual(['a\x1b[99;5ub', '\x1b[99;3u']);
  // Shift alone types a letter; a Latin one has its own place in each layout.
  expect(readAll(['\x1b[1089:1057:99;2u', '\x1b[97::113;5u'])).toEqual(['\x1b[1089:1057:99;2u', '\x1b[97::113;5u']);
});
