import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';

/** Why a human's decision was not taken. */
export function reviewNotFound(id: string): FluffyError {
  return new FluffyError({
    code: 'review_not_found',
    what: `Review ${id} does not wait`,
    why: 'It has been decided, or what it showed has changed since',
    fix: 'Look again with fluffy review',
    exitCode: EXIT.usage,
  });
}

export function approvalInvalid(why = 'Its signature is not over what this review shows'): FluffyError {
  return new FluffyError({
    code: 'approval_invalid',
    what: 'The approval was not accepted',
    why,
    fix: 'Look at the review again with fluffy review and approve what it shows',
    exitCode: EXIT.decisionNeeded,
  });
}
