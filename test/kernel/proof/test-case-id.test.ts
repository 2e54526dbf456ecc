import { describe, expect, it } from 'vitest';
import type { TestCase } from '../../../src/contracts/sandbox/test-run.ts';
import { newCasesAtGreen } from '../../../src/kernel/proof/test-case-id.ts';

function passed(...ids: readonly string[]): TestCase[] {
  return ids.map((id) => {
    const [file = '', name = ''] = id.split('\0');
    return { file, name, status: 'passed', duration_ms: 1 };
  });
}

describe('the new cases at green', () => {
  it.each<
    [what: string, red: { cases: string[]; files: string[] }, before: string[], suite: string[], found: string[]]
  >([
    ['that failed', { cases: ['a\0one'], files: [] }, [], ['a\0one', 'a\0two', 'b\0one'], ['a\0one']],
    ['of a file that did not load', { cases: [], files: ['a'] }, [], ['a\0one', 'b\0one'], ['a\0one']],
    [
      'of a file that did not load with old ones in it',
      { cases: [], files: ['a'] },
      ['a\0old'],
      ['a\0old', 'a\0new'],
      ['a\0new'],
    ],
    ['of a rewritten file', { cases: [], files: ['a'] }, ['a\0old'], ['a\0old'], ['a\0old']],
    ['of a file that was reported as a case', { cases: ['a\0(load)'], files: [] }, [], ['a\0one'], ['a\0one']],
  ])('are those %s', (_what, red, before, suite, found) => {
    expect(newCasesAtGreen({ red, before, suite: passed(...suite) })).toEqual(found);
  });
});
