import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { typedInput } from '../../../../src/cli/interactive/screen/typed-input.ts';

/** A terminal whose time passes only when told to. */
function open({ take = (input: string) => input, sendsEscape = true } = {}) {
  const left: string[] = [];
  const timers = new Map<() => void, number>();
  let nowMs = 0;
  const stdin = Object.assign(new EventEmitter(), { read: () => left.shift() ?? null });
  const input = typedInput(stdin as unknown as NodeJS.ReadStream, {
    take,
    nowMs: () => nowMs,
    sendsEscape: () => sendsEscape,
    after: (ms, callback) => {
      timers.set(callback, nowMs + ms);
      return () => timers.delete(callback);
    },
  });
  const read: unknown[] = [];
  const readAll = () => {
    for (let piece: unknown = input.read(); piece !== null; piece = input.read()) read.push(piece);
  };
  stdin.on('readable', readAll);
  return {
    /** What Ink has read since the last call. */
    read: () => read.splice(0),
    type(...pieces: string[]) {
      left.push(...pieces);
      readAll();
    },
    pass(ms: number) {
      nowMs += ms;
      for (const [callback, dueMs] of timers)
        if (dueMs <= nowMs) {
          timers.delete(callback);
          callback();
        }
    },
  };
}

/** What Ink reads of these pieces of input. */
function readAll(pieces: readonly string[], take?: (input: string) => string): unknown[] {
  const { read, type } = open(take === undefined ? {} : { take });
  type(...pieces);
  return read();
}

it.each([
  [
    'an Enter from before raw mode is an Enter, a later line feed is none',
    ['hello\n', 'one\ntwo\r'],
    ['hello\r', 'one\ntwo\r'],
  ],
  ['a Ctrl-D from before raw mode is one, a later NUL is not', ['one\n\0', '\0'], ['one\r', '\x04', '\0']],
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

const BACKGROUND = '\x1b]11;rgb:ffff/ffff/ffff\x1b\\';
const ANSWERS = [BACKGROUND, '\x1b]10;rgb:0/0/0\x07', '\x1bP>|tmux 3.4\x1b\\'];

describe('a slow connection', () => {
  const SEQUENCES = ['\x1b[I', '\x1b[1;5D', '\x1b[[A', '\x1b[27u', '\x1b[?1004;1$y', '\x1b[200~'];
  const divided = [...SEQUENCES, BACKGROUND].flatMap((sequence) =>
    Array.from({ length: sequence.length - 2 }, (_, index) => [sequence, index + 2] as const),
  );
  it.each(divided)('does not divide %j behind %i bytes', (sequence, at) => {
    const { read, type, pass } = open();
    type(`a${sequence.slice(0, at)}`);
    pass(400);
    type(`${sequence.slice(at)}b`);
    expect(read().join('')).toBe(sequence === BACKGROUND ? 'ab' : `a${sequence}b`);
  });

  it.each(['\x1bOD', '\x1bOH', '\x1bO5C'])(
    'does not divide %j, as a terminal with application keys sends it',
    (key) => {
      for (let at = 1; at < key.length; at += 1) {
        const { read, type, pass } = open();
        type(`a${key.slice(0, at)}`);
        pass(15);
        type(key.slice(at));
        expect(read()).toEqual(['a', key]);
      }
    },
  );

  it('is no key Esc before O and a letter that come together, but before typed text', () => {
    const { read, type, pass } = open();
    type('\x1b');
    pass(400);
    type('OD\x1bOD');
    type('\x1b');
    pass(400);
    type('ODD');
    expect(read()).toEqual(['\x1b[27u', '\x1bOD\x1bOD', '\x1b[27u', 'ODD']);
  });

  it.each([
    ['\x1b[I', '\x1b[Ib'],
    ['\x1b[1;5D', '\x1b[1;5Db'],
    [BACKGROUND, 'b'],
  ])('does not make text of %j, whose Esc has come before', (sequence, rest) => {
    const { read, type, pass } = open();
    type('a\x1b');
    pass(400);
    type(`${sequence.slice(1)}b`);
    expect(read()).toEqual(['a', '\x1b[27u', rest]);
  });

  it('is no key Esc where the terminal has another form for that', () => {
    const { read, type, pass } = open({ sendsEscape: false });
    type('\x1b');
    pass(400);
    type('[I');
    expect(read()).toEqual(['\x1b[I']);
    type('\x1b');
    pass(600);
    expect(read()).toEqual(['\x1b[27u']);
  });

  it.each([
    ['a sequence that is never completed', ['a\x1b[1;5'], ['a', 'b']],
    ['Esc, once', ['\x1b'], ['\x1b[27u', 'b']],
    ['Esc, twice', ['\x1b', '\x1b'], ['\x1b[27u\x1b[27u', 'b']],
    ['Alt with a letter', ['\x1bd'], ['\x1bd', 'b']],
    ['Alt with a capital O', ['\x1bO'], ['\x1bO', 'b']],
    ['a key with Esc O', ['\x1bOP'], ['\x1bOP', 'b']],
    ['a bracket, later than Esc', ['\x1b', '', '['], ['\x1b[27u', '[', 'b']],
  ])('%s holds up nothing', (_, pieces, expected) => {
    const { read, type, pass } = open();
    for (const piece of pieces) piece === '' ? pass(600) : type(piece);
    pass(600);
    type('b');
    expect(read()).toEqual(expected);
  });
});

describe('a paste whose end does not come', () => {
  const PASTE = '\x1b[200~one\rtwo';

  it.each(['\x03', '\x1b[99;5u', '\x1b[27u'])('is taken as it is when %j is pressed', (key) => {
    const { read, type } = open();
    type(PASTE, key, 'b');
    expect(read()).toEqual([PASTE, '\x1b[201~', 'b']);
  });

  it('is taken as it is a moment after Esc as a single byte, where the terminal sends it so', () => {
    const { read, type, pass } = open();
    type(PASTE, '\x1b');
    pass(600);
    type('b');
    expect(read()).toEqual([PASTE, '\x1b[201~', 'b']);
  });

  it('goes on after Esc where the terminal has another form for that key', () => {
    const { read, type, pass } = open({ sendsEscape: false });
    type(PASTE, '\x1b');
    pass(6_000);
    type('[201~b');
    expect(read()).toEqual([PASTE, '\x1b[201~b']);
  });

  it('is taken as it is after a time without a byte of it', () => {
    const { read, type, pass } = open();
    type(PASTE);
    pass(6_000);
    type(' three');
    pass(6_000);
    expect(read()).toEqual([PASTE, ' three']);
    pass(6_000);
    expect(read()).toEqual(['\x1b[201~']);
  });

  it.each([1, 2, 3, 4, 5])('is none if the end comes in two pieces, the first of %i bytes', (length) => {
    const { read, type, pass } = open();
    type(PASTE, '\x1b[201~'.slice(0, length));
    pass(400);
    type('\x1b[201~'.slice(length));
    expect(read()).toEqual([PASTE, '\x1b[201~']);
    type('\x03');
    pass(20_000);
    expect(read()).toEqual(['\x03']);
  });

  it('keeps what looks like the beginning of a sequence', () => {
    const { read, type, pass } = open();
    type('\x1b[200~\x1b[1');
    pass(6_000);
    type('x');
    expect(read()).toEqual(['\x1b[200~', '\x1b[1x']);
  });
});

it.each(ANSWERS)('%j is not typed, whenever it comes', (answer) => {
  expect(readAll(['a', `b${answer}c`])).toEqual(['a', 'bc']);
});
