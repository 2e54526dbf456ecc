import { describe, expect, it } from 'vitest';
import { revertedHunks } from '../../../../src/kernel/proof/mutation/reverted-hunks.ts';

describe('a reverted hunk', () => {
  const before = 'a\nb\nc\nd\ne\n';
  it.each([
    ['a replacement', before, 'a\nB\nc\nd\ne\n', [before]],
    ['an addition', before, 'a\nb\nc\nnew\nd\ne\n', [before]],
    ['an addition at the start', before, 'new\na\nb\nc\nd\ne\n', [before]],
    ['an addition at the end', before, 'a\nb\nc\nd\ne\nnew\n', [before]],
    ['a removal', before, 'a\nc\nd\ne\n', [before]],
    ['a removal at the start', before, 'b\nc\nd\ne\n', [before]],
    ['two hunks, each by itself', before, 'A\nb\nc\nd\nE\n', ['a\nb\nc\nd\nE\n', 'A\nb\nc\nd\ne\n']],
    ['a new file', '', 'a\nb\n', ['']],
    ['no change', before, before, []],
    ['another end of lines', before, before.replaceAll('\n', '\r\n'), [before]],
  ])('of %s is the file without it', (_, from, to, expected) => {
    expect(revertedHunks(from, to, 10).map(({ text }) => text)).toEqual(expected);
  });

  it('names its line in the file as it is, what was added and what was there before', () => {
    expect(revertedHunks(before, 'a\nb\nc\nD\nD\ne\n', 10)).toEqual([
      { line: 4, mutator: 'revert-hunk', before: 'D\nD', after: 'd', text: before },
    ]);
  });

  it('covers the whole file if nearly everything changes, and stays within the budget', () => {
    const many = Array.from({ length: 2_000 }, (_, line) => `${line}`).join('\n');
    expect(revertedHunks('x\n'.repeat(2_000), many, 10).map(({ line }) => line)).toEqual([1]);
    expect(revertedHunks('a\nb\nc\n', 'A\nb\nC\n', 1)).toHaveLength(1);
  });
});
