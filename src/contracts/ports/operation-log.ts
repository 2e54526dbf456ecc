/** An operation that was begun and not finished: the process died, or the disk refused, in the middle of it. */
export interface PendingOperation {
  readonly id: string;
  readonly kind: string;
  /** What `begin` was given. */
  readonly detail: string;
  /** Highest step marked, or -1. Later steps may have happened in part: steps are idempotent. */
  readonly lastStep: number;
}

/**
 * The durable record of operations made of steps that must all happen or not at all. Every call is on disk when it returns,
 * so a restart finds what was under way. Ids are unguessable and safe as one path component (`[a-z0-9_]`).
 */
export interface OperationLog {
  /** Records the intent; `detail` is JSON, enough to carry the operation through or back without anything in memory. */
  begin(kind: string, detail: string): string;
  markStep(id: string, step: number): void;
  finish(id: string, status: 'done' | 'undone'): void;
  /** Oldest first. */
  pending(): readonly PendingOperation[];
  /** Operations that were done and not undone since, newest first, at most `limit`. */
  finished(kind: string, limit: number): readonly { readonly id: string; readonly detail: string }[];
  /** Any operation by id, finished ones too, or null. */
  find(id: string): { readonly kind: string; readonly detail: string; readonly status: OperationStatus } | null;
}

export type OperationStatus = 'pending' | 'done' | 'undone';
