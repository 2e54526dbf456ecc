import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { RpcFailure } from '../../ipc/index.ts';

/** The kernel's refusals cross the wire as code and message; the code is an entry of docs/errors.md. */
export function kernelError(failure: RpcFailure): FluffyError {
  const { message } = failure;
  if (failure.outcome.kind === 'closed') {
    return new FluffyError({
      code: 'kernel_lost',
      what: 'The kernel went away before it answered',
      why: message,
      fix: 'See with fluffy session show what became of it, then repeat it if it is still needed',
      exitCode: EXIT.kernelCrashed,
      cause: failure,
    });
  }
  return new FluffyError({
    code: 'kernel_refused',
    what: 'The kernel refused the request',
    why: message,
    fix: 'See docs/errors.md for the code named, or run fluffy doctor',
    exitCode: message.includes('session_not_found') || message.includes('review_not_found') ? EXIT.usage : EXIT.failed,
    cause: failure,
  });
}

export function kernelDidNotComeBack(afterMs: number): FluffyError {
  return new FluffyError({
    code: 'kernel_lost',
    what: 'The kernel went away and did not come back',
    why: `nobody answered on its socket for ${afterMs / 1000} seconds`,
    fix: 'Look into supervisor.log in the state directory, then take the session up again with fluffy --continue',
    exitCode: EXIT.kernelCrashed,
  });
}

/** Whatever kept the kernel from being had again. */
export function asLost(thrown: unknown): FluffyError {
  if (thrown instanceof FluffyError) return thrown;
  return new FluffyError({
    code: 'kernel_lost',
    what: 'The kernel went away, and the session could not be taken up again',
    why: thrown instanceof Error ? thrown.message : String(thrown),
    fix: 'Take it up with fluffy --continue',
    exitCode: EXIT.kernelCrashed,
    cause: thrown,
  });
}
