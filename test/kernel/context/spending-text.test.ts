import { expect, it } from 'vitest';
import { costText } from '../../../src/kernel/context/spending-text.ts';

const SPENDING = {
  model: 'openrouter/some-vendor/a-model-with-a-long-name',
  purpose: 'work',
  requests: 1234,
  input_tokens: 12_345_678,
  cache_read_tokens: 12_345_678,
  cache_write_tokens: 1_345_678,
  output_tokens: 1_345_678,
  cost_usd: 1.23456,
} as const;

it('/cost fits into 80 columns', () => {
  const text = costText([SPENDING, { ...SPENDING, purpose: 'summary', cost_usd: null }]);
  expect(text.split('\n')).toEqual([
    'openrouter/some-vendor/a-model-with-a-long-name: 1.2346 USD, requests: 1234',
    '  input 11000000 · cache read 12345678 · cache write 1345678 · output 1345678',
    'openrouter/some-vendor/a-model-with-a-long-name (summaries): cost unknown, requests: 1234',
    '  input 11000000 · cache read 12345678 · cache write 1345678 · output 1345678',
  ]);
});

it('/cost says that nothing was spent yet', () => {
  expect(costText([])).toBe('No model was asked yet.');
});
