import { describe, expect, it } from 'vitest';
import { readDiff } from '../../../src/tui/diff/read-diff.ts';

const lines = (text: string) =>
  readDiff(text).files.flatMap(({ hunks }) =>
    hunks.flatMap((hunk) => hunk.lines.map(({ kind, number, raw }) => `${kind} ${number} ${raw}`)),
  );

describe('reading a diff for display', () => {
  it('numbers the lines of each side and counts what changes', () => {
    const diff =
      'diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+one\n\\ No newline at end of file\n';
    expect(readDiff(diff)).toMatchObject({ added: 1, removed: 0, files: [{ path: 'x' }] });
    expect(readDiff(diff).files[0]?.remarks).toEqual([{ raw: 'new file mode 100644' }]);
    expect(lines(diff)).toEqual(['added 1 one', 'remark null \\ No newline at end of file']);
    expect(lines('--- a/x\n+++ b/x\n@@ -7,3 +9,3 @@ f()\n a\n-b\n+B\n c\n')).toEqual([
      'context 9 a',
      'removed 8 b',
      'added 10 B',
      'context 11 c',
    ]);
  });

  it('takes a changed line that looks like a head for what it is', () => {
    expect(lines('--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- a/passwd\n+++ b/passwd\n same\n')).toEqual([
      'removed 1 -- a/passwd',
      'added 1 ++ b/passwd',
      'context 2 same',
    ]);
  });

  it('does not let a hunk reach into the next file', () => {
    const diff = readDiff('--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\ndiff --git a/y b/y\n--- a/y\n+++ b/y\n');
    expect(diff.files.map(({ path, added }) => [path, added])).toEqual([
      ['x', 1],
      ['y', 0],
    ]);
  });

  it.each([
    ['a name with blanks', 'diff --git a/a b b/a b\nold mode 100644\nnew mode 100755\n', 'a b'],
    ['a name in quotes', 'diff --git "a/\\t" "b/\\t"\nold mode 100644\nnew mode 100755\n', '"\\t"'],
    ['a deleted file', 'diff --git a/x b/x\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n', 'x'],
    ['a name that git ends with a tab', '--- a/a b\t\n+++ b/a b\t\n@@ -1 +1 @@\n-a\n+b\n', 'a b'],
  ])('names %s', (_, diff, path) => {
    expect(readDiff(diff).files.map((file) => file.path)).toEqual([path]);
  });

  it('keeps text that is no diff as it is', () => {
    expect(readDiff('{\n  "command": ["ls"]\n}').loose.map(({ raw }) => raw)).toEqual([
      '{',
      '  "command": ["ls"]',
      '}',
    ]);
    expect(readDiff('')).toMatchObject({ files: [], loose: [] });
  });
});
