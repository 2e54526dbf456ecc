import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';

/** Errors for requests of a person that a session refuses. */
export function reviewNotFound(id: string): FluffyError {
  return new FluffyError({
    code: 'review_not_found',
    what: `Review ${id} is not waiting`,
    why: 'It has been decided, or its content has changed',
    fix: 'Look again with fluffy review',
    exitCode: EXIT.usage,
  });
}

export function approvalInvalid(why = 'Its signature is not over what this review shows'): FluffyError {
  return new FluffyError({
    code: 'approval_invalid',
    what: 'The approval was not accepted',
    why,
    fix: 'Look at it again with fluffy review, and approve what it shows',
    exitCode: EXIT.decisionNeeded,
  });
}

export function reviewBlocked(why: string, session: string): FluffyError {
  return new FluffyError({
    code: 'review_blocked',
    what: 'The change cannot be merged now; the review still waits',
    why,
    fix: `Undo that and approve again, or let the commit be prepared again: fluffy --resume ${session} -p "Commit it"`,
    exitCode: EXIT.decisionNeeded,
  });
}

export function editRefused(why: string): FluffyError {
  return new FluffyError({
    code: 'edit_refused',
    what: 'The edit was not accepted; the review still waits',
    why,
    fix: 'Say what should change instead: /reject FILE "why"',
    exitCode: EXIT.decisionNeeded,
  });
}

export function sessionNotFound(id: string): FluffyError {
  return new FluffyError({
    code: 'session_not_found',
    what: `There is no session ${id}`,
    why: 'this project has no session with that name',
    fix: 'List them with fluffy session list',
    exitCode: EXIT.usage,
  });
}

export function sessionBusy(): FluffyError {
  return new FluffyError({
    code: 'session_busy',
    what: 'The session is busy',
    why: 'A run is in progress',
    fix: 'Wait until it ends, or interrupt it',
    exitCode: EXIT.failed,
  });
}
