import { usage } from '../usage-error.ts';
import type { SessionSummary } from './read-sessions.ts';

/**
 * The session that a person means, by its id or the beginning of it. If nothing is given: the newest, an archived one only if there is no other.
 * Throws FluffyError `usage`.
 */
export function wholeSessionId(
  sessions: readonly Pick<SessionSummary, 'id' | 'archived'>[],
  given: string | undefined,
): string {
  if (given === undefined) {
    const newest = sessions.find(({ archived }) => !archived) ?? sessions[0];
    if (newest === undefined) throw usage('there is no session yet');
    return newest.id;
  }
  const begun = sessions.filter(({ id }) => id.startsWith(given));
  if (begun.length < 2 || begun.some(({ id }) => id === given))
    return begun.length === 1 ? (begun[0]?.id ?? given) : given;
  throw usage(`${begun.length} sessions begin with ${given}; fluffy session list shows them`);
}
