import { usage } from '../usage-error.ts';
import type { SessionSummary } from './read-sessions.ts';

/** The session that a person means, by its id or the beginning of it; the newest if nothing is given. Throws FluffyError `usage`. */
export function wholeSessionId(sessions: readonly Pick<SessionSummary, 'id'>[], given: string | undefined): string {
  const [newest] = sessions;
  if (given === undefined) {
    if (newest === undefined) throw usage('there is no session yet');
    return newest.id;
  }
  const begun = sessions.filter(({ id }) => id.startsWith(given));
  if (begun.length < 2 || begun.some(({ id }) => id === given))
    return begun.length === 1 ? (begun[0]?.id ?? given) : given;
  throw usage(`${begun.length} sessions begin with ${given}; fluffy session list shows them`);
}
