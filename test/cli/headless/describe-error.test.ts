import { expect, it } from 'vitest';
import { describeError } from '../../../src/cli/headless/describe-error.ts';

const ERROR = {
  code: 'x',
  what: 'There is no key for anthropic',
  why: 'neither your environment, nor the keyring, nor your keys directory has one',
  fix: 'Set ANTHROPIC_API_KEY',
  exitCode: 2,
} as const;

it('breaks the lines of an error between words in a terminal, and nowhere else', () => {
  const rows = describeError(ERROR, 60).trimEnd().split('\n');
  expect(rows).toEqual([
    'ERROR: There is no key for anthropic',
    'Reason: neither your environment, nor the keyring, nor your',
    '  keys directory has one',
    'Fix: Set ANTHROPIC_API_KEY',
  ]);
  expect(describeError(ERROR, null).split('\n')).toHaveLength(4);
});
