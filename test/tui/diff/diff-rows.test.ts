import { describe, expect, it } from 'vitest';
import { NO_COLOURS } from '../../../src/tui/code/code-colours.ts';
import { changedWords } from '../../../src/tui/diff/changed-words.ts';
import { fileRows } from '../../../src/tui/diff/diff-rows.ts';
import { readDiff } from '../../../src/tui/diff/read-diff.ts';

const rowsOf = (body: string) => {
  const file = readDiff(`--- a/x\n+++ b/x\n${body}`).files[0];
  if (file === undefined) throw new Error('no file');
  return fileRows(file, { width: 80, colours: NO_COLOURS, edge: [] });
};

describe('the rows of a change', () => {
  it('mark the words of a line that differ from the line it replaces', () => {
    const rows = rowsOf('@@ -1,1 +1,1 @@\n-return name;\n+return title;\n');
    const marked = rows.map((row) => row.filter(({ ground }) => ground?.endsWith('-word') === true));
    expect(marked.map((spans) => spans.map(({ text }) => text))).toEqual([['name'], ['title']]);
  });

  it('mark no words in lines that have little in common', () => {
    expect(changedWords('return name;', 'for (const each of all) {')).toBeNull();
  });

  it('pair lines only where added ones follow removed ones', () => {
    const rows = rowsOf('@@ -1,2 +1,2 @@\n+return title;\n same\n-return name;\n');
    expect(rows.flat().some(({ ground }) => ground?.endsWith('-word') === true)).toBe(false);
  });
});
