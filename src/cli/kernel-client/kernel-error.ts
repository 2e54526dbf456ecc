import { EXIT } from '../../contracts/exit-codes.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { RpcFailure } from '../../ipc/index.ts';
import { ownValue } from '../../lib/own-value.ts';
import { messageOf } from '../../lib/text/message-of.ts';

/** The error of a failed request to the kernel: the kernel's own complete error if it sent one. */
export function kernelError(failure: RpcFailure): FluffyError {
  const { outcome, message } = failure;
  switch (outcome.kind) {
    case 'refused':
      return refusal(outcome.error.code, outcome.error.message, failure);
    case 'closed':
    case 'timed-out':
      return new FluffyError({
        code: 'kernel_lost',
        what: outcome.kind === 'closed' ? 'The kernel ended before it answered' : 'The kernel did not answer in time',
        why: message,
        fix: 'Check the result with fluffy session show, then repeat it if it is still needed',
        exitCode: EXIT.kernelCrashed,
        cause: failure,
      });
    case 'invalid-result':
    case 'too-many-requests':
      return new FluffyError({
        code: 'kernel_refused',
        what: 'The kernel refused the request',
        why: message,
        fix: 'Run fluffy doctor; end other sessions of this project, and try again',
        exitCode: EXIT.failed,
        cause: failure,
      });
  }
}

/** Exit codes of the kernel's errors, if not 1. docs/errors.md has the same. */
const EXIT_OF: Readonly<Record<string, ExitCode>> = {
  approval_invalid: EXIT.decisionNeeded,
  database_lost: EXIT.auditBroken,
  database_newer: EXIT.usage,
  policy_invalid: EXIT.usage,
  repository_not_ready: EXIT.usage,
  repository_unreadable: EXIT.usage,
  repository_unsupported: EXIT.usage,
  review_blocked: EXIT.decisionNeeded,
  edit_refused: EXIT.decisionNeeded,
  review_not_found: EXIT.usage,
  session_not_found: EXIT.usage,
  unknown_test_runner: EXIT.usage,
  usage: EXIT.usage,
};

/** Errors are sent as code and message; the message of an error for people contains its three sentences (`errorForWire`). */
function refusal(code: string, message: string, cause: RpcFailure): FluffyError {
  const [, what, why, fix] = /^(.+)\nReason: ([\s\S]*)\nFix: ([\s\S]*)$/.exec(message) ?? [];
  if (what === undefined || why === undefined || fix === undefined)
    return new FluffyError({
      code: 'kernel_refused',
      what: 'The kernel refused the request',
      why: `${code}: ${message}`,
      fix: 'Try again; fluffy doctor looks for the cause',
      exitCode: ownValue(EXIT_OF, code) ?? EXIT.failed,
      cause,
    });
  return new FluffyError({ code, what, why, fix, exitCode: ownValue(EXIT_OF, code) ?? EXIT.failed, cause });
}

export function kernelDidNotComeBack(afterMs: number): FluffyError {
  return new FluffyError({
    code: 'kernel_lost',
    what: 'The kernel ended and did not restart',
    why: `nothing answered on its socket for ${afterMs / 1000} seconds`,
    fix: 'Read supervisor.log in the state directory, then resume the session with fluffy --continue',
    exitCode: EXIT.kernelCrashed,
  });
}

/** Converts whatever prevented a new connection to the kernel. */
export function asLost(thrown: unknown): FluffyError {
  if (thrown instanceof FluffyError) return thrown;
  return new FluffyError({
    code: 'kernel_lost',
    what: 'The kernel ended, and the session could not be resumed',
    why: messageOf(thrown),
    fix: 'Resume it with fluffy --continue',
    exitCode: EXIT.kernelCrashed,
    cause: thrown,
  });
}
