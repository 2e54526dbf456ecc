import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { escapeTerminal } from '../../lib/text/escape-terminal.ts';
import type { Answer, EditorSession } from '../config/policy/edit/editor-session.ts';
import { isYes } from '../config/policy/confirm-update.ts';
import type { SessionSummary } from './read-sessions.ts';

/** Asks whether the staged work of a session may be dropped. Throws FluffyError `not_confirmed`. */
export async function confirmRemoval(
  { id, title, state }: Pick<SessionSummary, 'id' | 'title' | 'state'>,
  person: Pick<EditorSession, 'ask'>,
): Promise<void> {
  const lost = state === 'reviewing' ? 'a change that waits for your review' : 'staged work that is not committed';
  const name = `${id}${title === '' ? '' : ` (${title})`}`;
  const answer = await person.ask(escapeTerminal(`Session ${name} has ${lost}. Remove it with the session? [y/N] `));
  if (!isYes(answer)) throw notConfirmed(lost, answer);
}

function notConfirmed(lost: string, answer: Answer): FluffyError {
  const by = answer === null ? 'there is no terminal to confirm that on' : 'that was not confirmed';
  return new FluffyError({
    code: 'not_confirmed',
    what: 'The session was not removed',
    why: `it has ${lost}, and ${by}`,
    fix: 'To remove both, run the command again with --yes; fluffy session show says what it has',
    exitCode: EXIT.decisionNeeded,
  });
}
