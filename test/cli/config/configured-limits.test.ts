import { describe, expect, it } from 'vitest';
import { configuredLimits } from '../../../src/cli/config/configured-limits.ts';

describe('the limits of a run', () => {
  it('are there by default where nobody watches it', () => {
    expect(configuredLimits({ limits: {} }, false)).toEqual({
      max_turns: 250,
      max_tokens: 50_000_000,
      max_duration_ms: 4 * 3_600_000,
    });
    expect(configuredLimits({ limits: {} }, true)).toEqual({});
  });

  it('are what the configuration says, and none where it says so', () => {
    expect(configuredLimits({ limits: { turns: 3, tokens: 'none', cost: 2, duration: 60_000 } }, false)).toEqual({
      max_turns: 3,
      max_cost_usd: 2,
      max_duration_ms: 60_000,
    });
    expect(configuredLimits({ limits: { turns: 3 } }, true)).toEqual({ max_turns: 3 });
  });

  it('of all runs together are of a session, a day and a project', () => {
    const limits = { session: { cost: 1 }, day: { cost: 5, tokens: 1_000 }, project: { tokens: 9_000 } };
    expect(configuredLimits({ limits, session_limits: { cost_usd: 2, tokens: 77 } }, true)).toEqual({
      max_session_cost_usd: 1,
      max_session_tokens: 77,
      max_day_cost_usd: 5,
      max_day_tokens: 1_000,
      max_project_tokens: 9_000,
    });
  });
});
