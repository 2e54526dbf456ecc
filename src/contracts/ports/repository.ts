import type { ObjectId } from '../ids.ts';

/** The repository as the kernel reads it: objects and files, never by running git in it. */
export interface RepositoryState {
  readonly branchRef: string;
  readonly head: ObjectId;
  readonly headTree: ObjectId;
  /** `core.fileMode`: whether the executable bit of a file means anything here. */
  readonly fileMode: boolean;
}

export type RepositoryStateOutcome =
  | { readonly kind: 'ok'; readonly state: RepositoryState }
  | { readonly kind: 'problem'; readonly problem: RepositoryProblem };

/** An object as git stores it. */
export interface StoredObject {
  readonly type: 'blob' | 'tree' | 'commit' | 'tag';
  readonly content: Buffer;
}

/** Reading a repository. Throws FluffyError `repository_unreadable` when its files are malformed or out of reach. */
export interface Repository {
  /** What HEAD points at, or why nothing can be committed there. */
  state(): Promise<RepositoryStateOutcome>;
  /** Content checked against its id, or null when there is no such object. Throws `object_too_large` beyond `maxBytes` (default 64 MiB). */
  readObject(id: ObjectId, maxBytes?: number): Promise<StoredObject | null>;
  /** The commit a ref names, without following it; null when there is no such ref. */
  readRef(name: string): Promise<ObjectId | null>;
  close(): Promise<void>;
}

export type RepositoryProblem =
  | { readonly kind: 'detached-head' }
  | { readonly kind: 'no-commit' }
  | { readonly kind: 'operation-in-progress'; readonly what: 'merge' | 'rebase' | 'cherry-pick' | 'revert' | 'bisect' }
  /** Another program has held this lock of git's for seconds, or died with it. */
  | { readonly kind: 'locked'; readonly path: string }
  | { readonly kind: 'index-unsupported'; readonly what: string }
  | { readonly kind: 'unsupported'; readonly what: string };

export type { PreparedCommit } from '../review/prepared-commit.ts';

export type MergeOutcome =
  /** Started, and neither completed nor reverted yet: the next recovery settles it. */
  | { readonly kind: 'pending'; readonly reason: string }
  /** `operation` is what `undoMerge` takes back. */
  | { readonly kind: 'merged'; readonly operation: string; readonly commit: ObjectId }
  /** A human changed these since they were read, or the branch moved: nothing was written. */
  | { readonly kind: 'conflict'; readonly paths: readonly string[]; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };
