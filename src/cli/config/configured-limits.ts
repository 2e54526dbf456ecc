import type { RunLimits } from '../../contracts/session/session-protocol.ts';
import type { UserConfig } from './config-schema.ts';

/** For a run that nobody attends; a person at the terminal can end it. */
const UNATTENDED = { turns: 250, tokens: 50_000_000, duration: 4 * 3_600_000 } as const;

/** The limits of each run, where the command line gives none, and of all runs together. Pure. */
export function configuredLimits(
  { limits, session_limits: older }: Pick<UserConfig, 'limits' | 'session_limits'>,
  interactive: boolean,
): RunLimits {
  const { cost, session, day, project, ...configured } = limits;
  const { turns, tokens, duration } = { ...(interactive ? {} : UNATTENDED), ...configured };
  const set = (limit: number | 'none' | undefined): number | undefined => (limit === 'none' ? undefined : limit);
  return known({
    max_turns: set(turns),
    max_tokens: set(tokens),
    max_cost_usd: cost,
    max_duration_ms: set(duration),
    max_session_cost_usd: session?.cost ?? older?.cost_usd,
    max_session_tokens: session?.tokens ?? older?.tokens,
    max_day_cost_usd: day?.cost,
    max_day_tokens: day?.tokens,
    max_project_cost_usd: project?.cost,
    max_project_tokens: project?.tokens,
  });
}

type Known<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

function known<T extends Readonly<Record<string, number | undefined>>>(values: T): Known<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Known<T>;
}
