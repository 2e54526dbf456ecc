import { describe, expect, it } from 'vitest';
import { callWords, outcomeWords } from '../../../src/lib/text/call-words.ts';

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
    expect(callWords(call)).toBe(words);
  });

  it('is never long, and cuts no character apart', () => {
    const family = '👨‍👩‍👧‍👦';
    const words = callWords({ summary: family.repeat(500), input: {} });
    expect(words.length).toBeLessThanOrEqual(160);
    expect(words.replaceAll(family, '')).toBe('…');
  });
});

describe('how a call ended', () => {
  it.each([
    [{ summary: '12 lines' }, '12 lines'],
    [
      {
        summary: 'no',
        error: {
          code: 'tool_unavailable',
          message: 'Not open in test_writing. Write the tests first.',
          retryable: false,
        },
      },
      'tool_unavailable: Not open in test_writing.',
    ],
    [
      { summary: 'no', error: { code: 'x', message: 'src/a.ts has no such text', retryable: false } },
      'x: src/a.ts has no such text',
    ],
    [
      {
        summary: 'no',
        error: {
          code: 'path_refused',
          message: '/etc/passwd: outside of the project. Use one inside.',
          retryable: false,
        },
      },
      'path_refused: /etc/passwd: outside of the project.',
    ],
    [
      {
        summary: 'no',
        error: {
          code: 'invalid_input',
          message: 'The arguments of fs.read do not fit:\n  path: too long',
          retryable: false,
        },
      },
      'invalid_input: The arguments of fs.read do not fit: path: too long',
    ],
  ])('%j', (event, words) => expect(outcomeWords(event)).toBe(words));
});
