import { describe, expect, test } from 'vitest';
import { parseJsonc } from '../../src/lib/parse-jsonc.ts';

describe('JSON with comments', () => {
  test.each<[string, unknown]>([
    ['{ "a": 1 }', { a: 1 }],
    ['\uFEFF// b\r\n{ "a": /* c */ [1, 2,], }', { a: [1, 2] }],
    ['{ "a": "// b, }", "c": "\\"/* d */,]" }', { a: '// b, }', c: '"/* d */,]' }],
    ['{ "a": "\\u001b\\n" }', { a: '\x1b\n' }],
    ['[1,,]', undefined],
    ['{ "a": 1 } /* b', { a: 1 }],
    ['{ "a": "b', undefined],
    ['a: b', undefined],
    ['', undefined],
  ])('%j', (text, expected) => {
    expect(parseJsonc(text)).toEqual(expected);
  });

  /** Each would take minutes where every place of a text is looked at from every other one. */
  test.each(['/*', '"\\', '"\\\\', '"\\"', '[', '{"a":', ',', ', ', '//', '"'])(
    'takes time by the length of a text: %j many times',
    (piece) => {
      expect(parseJsonc(`[${piece.repeat(1_000_000 / piece.length)}`)).toBeUndefined();
    },
  );
});
