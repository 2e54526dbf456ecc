import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyUnifiedDiff, applyVerified, createUnifiedDiff } from '../../../src/lib/diff/unified-diff.ts';

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

describe('a diff that was made applies to what it was made from', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['a line changes', 'a\nb\nc\n', 'a\nB\nc\n'],
    ['a file appears', '', 'a\nb\n'],
    ['a file is emptied', 'a\nb\n', ''],
    ['a final newline goes', 'a\nb\n', 'a\nb'],
    ['a final newline comes', 'a\nb', 'a\nb\n'],
    ['neither has a final newline', 'a\nb', 'a\nc'],
    ['CRLF stays CRLF', 'a\r\nb\r\nc\r\n', 'a\r\nB\r\nc\r\n'],
    ['CRLF becomes LF', 'a\r\nb\r\n', 'a\nb\n'],
    ['mixed endings', 'a\r\nb\nc\rd\n', 'a\r\nb\nC\rd\n'],
    ['a lone CR at the end', 'a\r', 'a\n'],
    ['a byte order mark', '\ufeffa\nb\n', '\ufeffa\nc\n'],
    ['line separators of unicode', 'a\u2028b\u0085c\n', 'a\u2028b\u0085d\n'],
    [
      'lines that look like a patch',
      '--- a\n+++ b\n@@ -1 +1 @@\n',
      '--- a\n+++ c\n@@ -1 +1 @@\n\\ No newline at end of file\n',
    ],
    ['two hunks far apart', `x\n${'.\n'.repeat(50)}y\n`, `X\n${'.\n'.repeat(50)}Y\n`],
    ['insertion at the start', 'b\n', 'a\nb\n'],
    ['only blank lines', '\n\n\n', '\n\n'],
  ];
  test.each(cases)('%s', (_name, before, after) => {
    expect(applyUnifiedDiff(before, createUnifiedDiff('src/x.js', before, after))).toEqual({
      kind: 'applied',
      text: after,
    });
  });

  test('any two texts', () => {
    const line = fc.constantFrom(
      'a',
      'b',
      '',
      '}',
      '\ufeff',
      '-',
      '+x',
      '\\ No newline at end of file',
      '@@ -1 +1 @@',
      '𝒳',
    );
    const end = fc.constantFrom('\n', '\n', '\r\n', '\r', '');
    const text = fc.array(fc.tuple(line, end), { maxLength: 30 }).map((parts) => parts.flat().join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const patch = createUnifiedDiff('f', before, after);
        expect(applyVerified(before, patch, sha256(after))).toEqual({ kind: 'applied', text: after });
      }),
      { numRuns: 500 },
    );
  });

  test('a complete rewrite of a long file, in bounded time', () => {
    const before = Array.from({ length: 20_000 }, (_, i) => `old ${i}\n`).join('');
    const after = Array.from({ length: 20_000 }, (_, i) => `new ${i}\n`).join('');
    const patch = createUnifiedDiff('f', before, after);
    expect(applyUnifiedDiff(before, patch)).toEqual({ kind: 'applied', text: after });
  });

  test('a name cannot end the header', () => {
    const patch = createUnifiedDiff('a\n@@ -1 +1 @@\nb', 'a\n', 'b\n');
    expect(patch.split('\n')[0]).toBe('--- "a/a\\n@@ -1 +1 @@\\nb"');
    expect(applyUnifiedDiff('a\n', patch)).toEqual({ kind: 'applied', text: 'b\n' });
  });
});

describe('a patch is refused when it is not exactly about this text', () => {
  const header = '--- a/f\n+++ b/f\n';
  const cases: readonly (readonly [string, string, string, string])[] = [
    ['another base', 'x\nb\n', `${header}@@ -1,2 +1,2 @@\n-a\n+A\n b\n`, 'line 1 differs from the patch'],
    ['a shifted line number', 'a\na\n', `${header}@@ -3 +3 @@\n-a\n+b\n`, 'line 3 differs from the patch'],
    [
      'hunks out of order',
      'a\nb\nc\n',
      `${header}@@ -3 +3 @@\n-c\n+C\n@@ -1 +1 @@\n-a\n+A\n`,
      'a hunk starts at line 1, out of order',
    ],
    ['a result line that cannot be', 'a\n', `${header}@@ -1 +7 @@\n-a\n+A\n`, 'a hunk claims line 7 of the result'],
    ['too few lines', 'a\nb\n', `${header}@@ -1,2 +1,2 @@\n-a\n`, 'the patch ends inside a hunk'],
    ['too many lines', 'a\nb\n', `${header}@@ -1 +1 @@\n-a\n+A\n b\n`, 'line 6 of the patch is not a hunk header'],
    ['no header', 'a\n', '@@ -1 +1 @@\n-a\n+b\n', 'the patch has no file header'],
    ['rubbish', 'a\n', 'rubbish', 'the patch has no file header'],
    [
      'rubbish after the hunks',
      'a\n',
      `${header}@@ -1 +1 @@\n-a\n+b\nrubbish\n`,
      'line 6 of the patch is not a hunk header',
    ],
    [
      'a second file',
      'a\n',
      `${header}@@ -1 +1 @@\n-a\n+b\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n`,
      'line 6 of the patch is not a hunk header',
    ],
    [
      'a missing newline claimed',
      'a\nb\n',
      `${header}@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+c\n`,
      'line 2 differs from the patch',
    ],
    [
      'a line without end in the middle',
      'a\nb\n',
      `${header}@@ -1 +1 @@\n-a\n+A\n\\ No newline at end of file\n`,
      'a line in the middle has no end',
    ],
    [
      'a hunk with more of the result than it says',
      'a\nb\n',
      `${header}@@ -1,2 +1 @@\n-a\n+A\n b\n`,
      'a hunk is longer than its header says',
    ],
    [
      'a line of another kind',
      'a\n',
      `${header}@@ -1 +1 @@\n*a\n+A\n`,
      'line 4 of the patch is neither context, addition nor removal',
    ],
    [
      'a line number past reason',
      'a\n',
      `${header}@@ -99999999999999999999 +1 @@\n-a\n+A\n`,
      'a hunk starts at line 99999999999999999999, out of order',
    ],
  ];
  test.each(cases)('%s', (_name, before, patch, reason) => {
    expect(applyUnifiedDiff(before, patch)).toEqual({ kind: 'refused', reason });
  });

  test('a result with another hash', () => {
    const patch = createUnifiedDiff('f', 'a\n', 'b\n');
    const reason = 'the patched text does not have the announced hash';
    expect(applyVerified('a\n', patch, sha256('c\n'))).toEqual({ kind: 'refused', reason });
    expect(applyVerified('b\n', patch, sha256('b\n'))).toMatchObject({
      kind: 'refused',
      reason: 'line 1 differs from the patch',
    });
    expect(applyVerified('a\n', patch, sha256('b\n')).kind).toBe('applied');
  });
});
