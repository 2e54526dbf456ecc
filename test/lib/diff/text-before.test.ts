import { describe, expect, it } from 'vitest';
import { createUnifiedDiff } from '../../../src/lib/diff/unified-diff.ts';
import { diffSections, textBefore } from '../../../src/lib/diff/text-before.ts';

const section = (before: string, after: string, ...head: readonly string[]) =>
  ['diff --git a/a.js b/a.js', ...head, createUnifiedDiff('a.js', before, after)].join('\n');

describe('the text before a change', () => {
  it.each([
    ['lines of a text', 'one\ntwo\nthree\n', 'one\n2\nthree\nfour\n'],
    ['a text without a newline at its end', 'one', 'one\ntwo'],
    ['text that looks like a header', '-- a\n+++ b\n', '--- a\n++ b\ndiff --git a/x b/x\n'],
    ['line ends of Windows', 'one\r\ntwo\r\n', 'one\r\n2\r\n'],
  ])('is found for %s', (_, before, after) => {
    expect(textBefore(section(before, after), after)).toEqual({ kind: 'text', text: before });
  });

  it('is nothing for a new file, and the whole text of a deleted one', () => {
    expect(textBefore(section('', 'new\n', 'new file mode 100755'), 'new\n')).toEqual({ kind: 'absent' });
    const deleted = section('old\n', '', 'deleted file mode 100644');
    expect(textBefore(deleted, null)).toEqual({ kind: 'text', text: 'old\n' });
  });

  it.each([
    ['another text', section('one\n', 'two\n'), 'three\n'],
    ['another mode', section('one\n', 'two\n', 'old mode 100644', 'new mode 100755'), 'two\n'],
    ['a program that is deleted', section('one\n', '', 'deleted file mode 100755'), null],
    ['bytes', 'diff --git a/a.js b/a.js\nBinary files differ: 1 -> 2\n', null],
    ['a part of a diff that is not there', '', 'two\n'],
  ])('is unknown for %s', (_, diff, after) => {
    expect(textBefore(diff, after)).toEqual({ kind: 'unknown' });
  });
});

it('a diff has one section for each file, whatever is in their lines', () => {
  const first = section('one\n', 'diff --git a/b b/b\n');
  expect(diffSections(first + section('one\n', 'two\n'))).toEqual([first, section('one\n', 'two\n')]);
});
