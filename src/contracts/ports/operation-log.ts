/** An operation that was started and not finished: the process died in the middle, or the disk failed. */
export interface PendingOperation {
  readonly id: string;
  readonly kind: string;
  /** The argument of `begin`. */
  readonly detail: string;
  /** Highest marked step, or -1. Later steps may have been done in part, because steps are idempotent. */
  readonly lastStep: number;
}

/**
 * The durable record of operations whose steps must all happen or not at all. Every call is on disk when it returns, so a restart finds what was in
 * progress. Ids are unguessable and safe as one path component (`[a-z0-9_]`).
 */
export interface OperationLog {
  /** Records the intent. `detail` is JSON that is enough to complete or revert the operation without anything in memory. */
  begin(kind: string, detail: string): string;
  markStep(id: string, step: number): void;
  finish(id: string, status: 'done' | 'undone'): void;
  /** Oldest first. */
  pending(): readonly PendingOperation[];
  /** Operations that were completed and not undone since, newest first, at most `limit`. */
  finished(kind: string, limit: number): readonly { readonly id: string; readonly detail: string }[];
  /** Any operation by id, also a finished one, or null. */
  find(id: string): { readonly kind: string; readonly detail: string; readonly status: OperationStatus } | null;
}

export type OperationStatus = 'pending' | 'done' | 'undone';
