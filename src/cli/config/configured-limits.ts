import type { RunLimits } from '../../contracts/session/session-protocol.ts';
import type { UserConfig } from './config-schema.ts';

/** Of a run that nobody watches; who sits in front of one can end it. */
const UNATTENDED = { turns: 250, tokens: 50_000_000, duration: 4 * 3_600_000 } as const;

/** Pure: the limits of each run, as far as the command line does not say. */
export function configuredLimits({ cost, ...configured }: UserConfig['limits'], interactive: boolean): RunLimits {
  const { turns, tokens, duration } = { ...(interactive ? {} : UNATTENDED), ...configured };
  const isSet = (limit: number | 'none' | undefined): limit is number => typeof limit === 'number';
  return {
    ...(isSet(turns) ? { max_turns: turns } : {}),
    ...(isSet(tokens) ? { max_tokens: tokens } : {}),
    ...(cost === undefined ? {} : { max_cost_usd: cost }),
    ...(isSet(duration) ? { max_duration_ms: duration } : {}),
  };
}
