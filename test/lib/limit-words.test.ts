import { expect, it } from 'vitest';
import type { RunLimits } from '../../src/contracts/session/session-protocol.ts';
import { limitWords } from '../../src/lib/limit-words.ts';

it.each<[RunLimits, string | null]>([
  [{}, null],
  [{ max_turns: 30, max_duration_ms: 3_600_000 }, '30 turns, 1h'],
  [{ max_tokens: 200_000, max_cost_usd: 1.5, max_duration_ms: 90_000 }, '200,000 tokens, 1.5 USD, 90s'],
])('the limits %j of a run are said as %s', (limits, words) => {
  expect(limitWords(limits)).toBe(words);
});
