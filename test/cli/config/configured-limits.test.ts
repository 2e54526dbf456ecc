import { describe, expect, it } from 'vitest';
import { configuredLimits } from '../../../src/cli/config/configured-limits.ts';

describe('the limits of a run', () => {
  it('are there by default where nobody watches it', () => {
    expect(configuredLimits({}, false)).toEqual({
      max_turns: 250,
      max_tokens: 50_000_000,
      max_duration_ms: 4 * 3_600_000,
    });
    expect(configuredLimits({}, true)).toEqual({});
  });

  it('are what the configuration says, and none where it says so', () => {
    expect(configuredLimits({ turns: 3, tokens: 'none', cost: 2, duration: 60_000 }, false)).toEqual({
      max_turns: 3,
      max_cost_usd: 2,
      max_duration_ms: 60_000,
    });
    expect(configuredLimits({ turns: 3 }, true)).toEqual({ max_turns: 3 });
  });
});
