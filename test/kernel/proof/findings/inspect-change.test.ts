import { performance } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';
import { inspectChange } from '../../../../src/kernel/proof/findings/inspect-change.ts';
import type { ChangedText } from '../../../../src/kernel/proof/findings/inspect-change.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';
import { HONEST } from './honest-files.ts';
import { SUSPECT } from './suspect-files.ts';

const parse = syntaxParser(() => performance.now());

describe('a change has a finding where', () => {
  it.each(SUSPECT)('$kind: $what', async ({ kind, files }) => {
    const found = await inspectChange(files, parse);
    expect(found.map((each) => each.kind)).toContain(kind);
    for (const finding of found) expect(files.map(({ path }) => path)).toContain(finding.path);
  });
});

describe('a change has no finding where', () => {
  it.each(HONEST)('$what', async ({ files }) => {
    expect(await inspectChange(files, parse)).toEqual([]);
  });
});

describe('findings', () => {
  const test = (after: string): ChangedText => ({ path: 'test/a.test.js', role: 'test', before: null, after });

  it('name the place in words', async () => {
    expect(await inspectChange([test("import test from 'node:test';\n\ntest('adds', () => {});\n")], parse)).toEqual([
      { kind: 'no-assertion', path: 'test/a.test.js', line: 3, words: "the case 'adds' asserts nothing" },
    ]);
  });

  it('are bounded, and safe to show', async () => {
    const many = Array.from(
      { length: 50 },
      (_, index) => `test('\u001b[31m${'x'.repeat(500)}${index}', () => {});`,
    ).join('\n');
    const found = await inspectChange([test(many)], parse);
    expect(found).toHaveLength(5);
    for (const { words } of found) {
      expect(words.length).toBeLessThanOrEqual(200);
      expect(words).not.toContain('\u001b');
    }
  });

  it('are none of files without a grammar', async () => {
    expect(await inspectChange([{ path: 'a.rb', role: 'source', before: null, after: 'exit!' }], parse)).toEqual([]);
  });

  it('are of what has changed: an old case is left alone', async () => {
    const before = "test('old', () => {});\n";
    const after = `${before}test('new', () => assert.equal(f(1), 2));\n`;
    expect(await inspectChange([{ ...test(after), before }], parse)).toEqual([]);
  });
});
