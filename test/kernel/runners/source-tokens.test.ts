import { describe, expect, test } from 'vitest';
import { sourceTokens } from '../../../src/kernel/runners/javascript/source-tokens.ts';

describe('the tokens of a source', () => {
  test.each([
    [`a = 'b' /* c */ + "d\\"e"; // f`, ['a', '=', 'b', '+', 'd"e', ';']],
    ['x = /[/]"/g; `y`', ['x', '=', ';', 'y']],
    // What has no end is no literal, and no comment.
    ['`${a}/*`, "b"', ['`', '$', '{', 'a', '}', '/', '*', '`', ',', 'b']],
    [`don't, "b"`, ['don', `'`, 't', ',', 'b']],
  ])('%s', (source, expected) => {
    expect(sourceTokens(source).map(({ value }) => value)).toEqual(expected);
  });

  /** Each would take minutes where what has no end is looked for again from every place. */
  test.each(['/*a', '"\\', "'\\", '`\\', '`a${', '/[', '(/[\\', '=/a\\'])(
    'take time by the length of the source: %j many times',
    (piece) => {
      expect(sourceTokens(piece.repeat(100_000)).length).toBeGreaterThan(0);
    },
  );
});
