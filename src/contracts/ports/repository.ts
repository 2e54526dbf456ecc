import type { ObjectId } from '../ids.ts';

/** The repository as the kernel reads it: objects and files, never by running git in it. */
export interface RepositoryState {
  readonly branchRef: string;
  readonly head: ObjectId;
  readonly headTree: ObjectId;
  /** `core.fileMode`: whether the executable bit of a file is meaningful here. */
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

/** Reads a repository. Throws FluffyError `repository_unreadable` if its files are malformed or inaccessible. */
export interface Repository {
  /** What HEAD points at, or why no commit can be made there. */
  state(): Promise<RepositoryStateOutcome>;
  /** An object whose content was checked against its id; null if there is none. Throws `object_too_large` beyond `maxBytes` (default 64 MiB). */
  readObject(id: ObjectId, maxBytes?: number): Promise<StoredObject | null>;
  /** The commit that a ref names, without following symbolic refs; null if there is no such ref. */
  readRef(name: string): Promise<ObjectId | null>;
  /** The attributes that git keeps beside the working tree (`info/attributes`); null where there are none that can be read. */
  attributes(): Promise<Buffer | null>;
  close(): Promise<void>;
}

export type RepositoryProblem =
  | { readonly kind: 'detached-head' }
  | { readonly kind: 'no-commit' }
  | { readonly kind: 'operation-in-progress'; readonly what: 'merge' | 'rebase' | 'cherry-pick' | 'revert' | 'bisect' }
  /** Another program has held this git lock for seconds, or died with it. */
  | { readonly kind: 'locked'; readonly path: string }
  | { readonly kind: 'index-unsupported'; readonly what: string }
  | { readonly kind: 'unsupported'; readonly what: string };

export type { PreparedCommit } from '../review/prepared-commit.ts';

export type MergeOutcome =
  /** Started, and neither completed nor reverted yet: the next recovery does that. */
  | { readonly kind: 'pending'; readonly reason: string }
  /** `operation` is the argument of `undoMerge`. */
  | { readonly kind: 'merged'; readonly operation: string; readonly commit: ObjectId }
  /** A person changed these paths since they were read, or the branch moved: nothing was written. */
  | { readonly kind: 'conflict'; readonly paths: readonly string[]; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };
