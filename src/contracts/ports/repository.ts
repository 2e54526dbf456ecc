import type { ChangeSet } from '../change-set.ts';
import type { ObjectId } from '../ids.ts';

/** The repository as the kernel reads it: objects and files, never by running git in it. */
export interface RepositoryState {
  readonly branchRef: string;
  readonly head: ObjectId;
  readonly headTree: ObjectId;
}

export type RepositoryProblem =
  | { readonly kind: 'detached-head' }
  | { readonly kind: 'no-commit' }
  | { readonly kind: 'operation-in-progress'; readonly what: 'merge' | 'rebase' | 'cherry-pick' | 'revert' | 'bisect' }
  | { readonly kind: 'unsupported'; readonly what: string };

/** A commit made ready in a sandbox: its objects are verified and wait outside the repository. */
export interface PreparedCommit {
  readonly commit: ObjectId;
  readonly tree: ObjectId;
  readonly parent: ObjectId;
  readonly message: string;
  readonly changes: ChangeSet;
}

export type PrepareOutcome =
  | { readonly kind: 'prepared'; readonly commit: PreparedCommit }
  | { readonly kind: 'nothing-to-commit' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

export type MergeOutcome =
  | { readonly kind: 'merged'; readonly commit: ObjectId }
  /** A human changed these since they were read, or the branch moved: nothing was written. */
  | { readonly kind: 'conflict'; readonly paths: readonly string[]; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };
