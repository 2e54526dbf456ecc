import { describe, expect, it } from 'vitest';
import { escapeJsonForTerminal, escapeTerminal } from '../../../src/lib/text/escape-terminal.ts';
import { jsonLine } from '../../../src/lib/json-line.ts';

/** Whatever may reach a terminal afterwards: no control, no format character, no line end. */
const INERT = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u;

const ATTACKS: readonly (readonly [string, string, string])[] = [
  ['a clipboard write by OSC 52', '\x1b]52;c;cm0gLXJmIH4=\x07', '\\x1b]52;c;cm0gLXJmIH4=\\x07'],
  ['a window title', '\x1b]0;owned\x1b\\', '\\x1b]0;owned\\x1b\\'],
  [
    'a hyperlink by OSC 8',
    '\x1b]8;;http://evil\x1b\\ok\x1b]8;;\x1b\\',
    '\\x1b]8;;http://evil\\x1b\\ok\\x1b]8;;\\x1b\\',
  ],
  ['cursor moves that redraw an approval', 'deny\x1b[1A\x1b[2Kapprove', 'deny\\x1b[1A\\x1b[2Kapprove'],
  ['a question whose answer lands in stdin', '\x1b[6n', '\\x1b[6n'],
  ['the one-byte CSI of C1', '\x9b31m', '\\x9b31m'],
  ['the one-byte OSC and ST of C1', '\x9d0;x\x9c', '\\x9d0;x\\x9c'],
  ['an unterminated DCS', '\x1bPq', '\\x1bPq'],
  ['an unterminated APC', '\x1b_Gf=100', '\\x1b_Gf=100'],
  ['a carriage return that hides text', 'rm -rf ~\recho hello', 'rm -rf ~\\recho hello'],
  ['a backspace that hides text', 'evil\b\b\b\bgood', 'evil\\x08\\x08\\x08\\x08good'],
  ['a new line that forges one', 'ok\n[approved]', 'ok\\n[approved]'],
  ['a line separator', 'ok\u2028next', 'ok\\u{2028}next'],
  ['a right-to-left override', 'user\u202egnp.exe', 'user\\u{202e}gnp.exe'],
  ['an isolate', 'a\u2066b\u2069', 'a\\u{2066}b\\u{2069}'],
  ['a zero-width space', 'pay\u200bload', 'pay\\u{200b}load'],
  ['a zero-width joiner', 'a\u200db', 'a\\u{200d}b'],
  ['a byte order mark', '\ufeffa', '\\u{feff}a'],
  ['a soft hyphen', 'a\u00adb', 'a\\xadb'],
  ['a filler that draws nothing', 'a\u3164b', 'a\\u{3164}b'],
  ['a blank Braille cell', 'a\u2800b', 'a\\u{2800}b'],
  ['tag characters', 'a\u{e0041}b', 'a\\u{e0041}b'],
  ['a supplementary variation selector', 'a\u{e0100}b', 'a\\u{e0100}b'],
  ['a lone surrogate', 'a\ud83db', 'a\\u{d83d}b'],
  ['NUL', 'evil\0.ok', 'evil\\x00.ok'],
  ['DEL', 'a\x7f', 'a\\x7f'],
];

describe('escapeTerminal', () => {
  it.each(ATTACKS)('shows %s as letters', (_name, text, shown) => {
    expect(escapeTerminal(text)).toBe(shown);
    expect(escapeTerminal(text)).toMatch(INERT);
  });

  it.each(['plain', 'naïve café', '日本語', 'שלום', '👍🏽 ❤️', 'e\u0301', 'a\u00a0b', 'back\\slash'])(
    'leaves %s alone',
    (text) => {
      expect(escapeTerminal(text)).toBe(text);
    },
  );

  it('keeps lines and tabs of text of several lines, and nothing else', () => {
    expect(escapeTerminal('a\n\tb\r\n\x1b[2J', { multiline: true })).toBe('a\n\tb\\r\n\\x1b[2J');
  });

  it('makes every code point inert', () => {
    for (let point = 0; point <= 0x10ffff; point += 1) {
      const shown = escapeTerminal(String.fromCodePoint(point));
      if (point !== 0xfe0f && !INERT.test(shown)) expect.fail(`U+${point.toString(16)} gets through`);
    }
  });
});

describe('escapeJsonForTerminal', () => {
  it.each(ATTACKS)('writes %s as JSON that means the same', (_name, text) => {
    const escaped = escapeJsonForTerminal(JSON.stringify({ [text]: text }));
    expect(escaped).toMatch(INERT);
    expect(JSON.parse(escaped)).toEqual({ [text]: text });
  });
});

describe('emoji of several characters', () => {
  it.each(['👨‍👩‍👧‍👦', '👩🏽‍🚀', '🏳️‍🌈', '🇩🇪', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '👍🏿', 'e\u0301', '❤️'])('%s stay together', (text) => {
    expect(escapeTerminal(`a ${text} b`)).toBe(`a ${text} b`);
  });

  it.each([
    ['a\u200db', 'a\\u{200d}b'],
    ['👨‍👩‍', '👨\\u{200d}👩\\u{200d}'],
    ['👨‍👩‍👧‍👦\u200d', '👨‍👩‍👧‍👦\\u{200d}'],
    ['🏴\u{e0041}\u{e007f}', '🏴\\u{e0041}\\u{e007f}'],
    ['\u{e0041}', '\\u{e0041}'],
    ['👨‍👩‍👧‍👦\u001b[2J', '👨‍👩‍👧‍👦\\x1b[2J'],
  ])('%j: a joiner or tag of no known sequence is spelled out', (text, escaped) => {
    expect(escapeTerminal(text)).toBe(escaped);
  });
});

it('jsonLine writes one line that a terminal only shows', () => {
  const value = { a: '\u009b2J\u202e', b: 1 };
  expect(jsonLine(value)).toBe('{"a":"\\u009b2J\\u202e","b":1}\n');
});
