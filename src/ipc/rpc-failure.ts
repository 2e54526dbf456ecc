import type { IpcError } from '../contracts/ipc-message.ts';
import { ipcErrorSchema } from '../contracts/ipc-message.ts';
import { FluffyError } from '../contracts/fluffy-error.ts';
import type { CloseReason } from './close-reason.ts';
import { describeClose } from './close-reason.ts';

/** How a request ended, other than with a result. */
export type RpcFailureKind =
  | { readonly kind: 'refused'; readonly error: IpcError }
  | { readonly kind: 'closed'; readonly reason: CloseReason }
  | { readonly kind: 'timed-out'; readonly afterMs: number }
  | { readonly kind: 'invalid-result'; readonly detail: string }
  | { readonly kind: 'too-many-requests' };

/** What a request rejects with. A handler that throws `RpcFailure.refused(…)` answers with exactly that error. */
export class RpcFailure extends Error {
  readonly outcome: RpcFailureKind;

  constructor(outcome: RpcFailureKind) {
    super(describe(outcome));
    this.name = 'RpcFailure';
    this.outcome = outcome;
  }

  static refused(code: string, message: string, retryable = false): RpcFailure {
    return new RpcFailure({ kind: 'refused', error: { code, message, retryable } });
  }

  /** The code the other side answered with, or null when there was no answer. */
  get code(): string | null {
    return this.outcome.kind === 'refused' ? this.outcome.error.code : null;
  }
}

function describe(outcome: RpcFailureKind): string {
  switch (outcome.kind) {
    case 'refused':
      return `${outcome.error.code}: ${outcome.error.message}`;
    case 'closed':
      return `the connection was ${describeClose(outcome.reason)}`;
    case 'timed-out':
      return `no answer within ${outcome.afterMs} ms`;
    case 'invalid-result':
      return `the answer has an unexpected form: ${outcome.detail}`;
    case 'too-many-requests':
      return 'too many requests are waiting for an answer';
  }
}

/**
 * What a handler's exception becomes on the wire. An unforeseen one says nothing of itself: its text may hold paths or
 * secrets, and the other side may be hostile.
 */
export function errorForWire(thrown: unknown): IpcError {
  const error = chooseError(thrown);
  const fits = ipcErrorSchema.safeParse(error);
  if (fits.success) return fits.data;
  return { code: error.code.slice(0, 100), message: error.message.slice(0, 100_000), retryable: error.retryable };
}

function chooseError(thrown: unknown): IpcError {
  if (thrown instanceof RpcFailure && thrown.outcome.kind === 'refused') return thrown.outcome.error;
  if (thrown instanceof FluffyError) {
    const message = `${thrown.what}\nReason: ${thrown.why}\nFix: ${thrown.fix}`;
    return { code: thrown.code, message, retryable: false };
  }
  return { code: 'internal', message: 'the request failed for a reason of its own', retryable: false };
}
