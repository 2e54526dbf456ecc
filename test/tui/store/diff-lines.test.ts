import { describe, expect, it } from 'vitest';
import { readDiff } from '../../../src/tui/store/diff-lines.ts';

const kinds = (text: string) => readDiff(text).lines.map(({ kind, text: line }) => `${kind} ${line}`);

describe('reading a diff for display', () => {
  it('tells heads, hunks and changes apart, and counts', () => {
    const diff = readDiff(
      'diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+one\n\\ No newline at end of file\n',
    );
    expect(diff.lines.map(({ kind }) => kind)).toEqual(['file', 'file', 'file', 'file', 'hunk', 'added', 'remark']);
    expect(diff).toMatchObject({ added: 1, removed: 0, files: 1 });
  });

  it('takes a changed line that looks like a head for what it is', () => {
    expect(kinds('--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- a/passwd\n+++ b/passwd\n same\n')).toEqual([
      'file --- a/x',
      'file +++ b/x',
      'hunk @@ -1,2 +1,2 @@',
      'removed --- a/passwd',
      'added +++ b/passwd',
      'context  same',
    ]);
  });

  it('does not let a hunk reach into the next file', () => {
    expect(kinds('--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\ndiff --git a/y b/y\n--- a/y\n+++ b/y\n').slice(5)).toEqual([
      'file diff --git a/y b/y',
      'file --- a/y',
      'file +++ b/y',
    ]);
  });

  it('shows text that is no diff as it is', () => {
    expect(kinds('{\n  "command": ["ls"]\n}')).toEqual(['context {', 'context   "command": ["ls"]', 'context }']);
    expect(readDiff('').lines).toEqual([]);
  });
});
