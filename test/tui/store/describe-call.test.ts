import { describe, expect, it } from 'vitest';
import { describeCall } from '../../../src/tui/store/describe-call.ts';

describe('what a call does', () => {
  it.each([
    [
      "in the tool's own words",
      { summary: 'src/a.ts from line 40', input: { path: 'src/a.ts' } },
      'src/a.ts from line 40',
    ],
    ['by its path', { input: { path: 'src/a.ts', content: 'x' } }, 'src/a.ts'],
    ['by its input', { input: { a: 1 } }, '{"a":1}'],
    ['by nothing', { input: {} }, ''],
    ['by what cannot be read', { input: 'not json' }, 'not json'],
    ['by nothing at all', { input: null }, ''],
    ['by a path that is none', { input: { path: 42 } }, '{"path":42}'],
  ])('is said %s', (_, call, words) => {
    expect(describeCall(call)).toBe(words);
  });

  it('is never long and never acted upon by a terminal', () => {
    expect(describeCall({ summary: '😀'.repeat(5000), input: {} }).length).toBeLessThanOrEqual(160);
    expect(describeCall({ summary: 'a\u001b[2Jb', input: {} })).toBe('a\\x1b[2Jb');
    expect(describeCall({ input: { path: 'a\u001b[2Jb' } })).toBe('a\\x1b[2Jb');
  });
});
