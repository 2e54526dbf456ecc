import type { ChangeSet, FileState } from '../review/change-set.ts';
import type { ProjectPath } from '../ids.ts';

export type ReadOutcome =
  | { readonly kind: 'file'; readonly bytes: Buffer; readonly state: Extract<FileState, { kind: 'file' }> }
  | { readonly kind: 'missing' }
  | { readonly kind: 'not-a-file'; readonly what: 'directory' | 'special' }
  | { readonly kind: 'too-large'; readonly size: number }
  | { readonly kind: 'refused'; readonly reason: string };

export type ResolveOutcome =
  | { readonly kind: 'ok'; readonly path: ProjectPath; readonly exists: boolean }
  | { readonly kind: 'refused'; readonly reason: string };

export type IgnoredEntries =
  | { readonly kind: 'found'; readonly paths: readonly string[] }
  /** There are too many files to search. */
  | { readonly kind: 'too-many'; readonly reason: string };

export interface ResolveOptions {
  readonly leaf: 'follow' | 'keep';
}

export interface DirEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'symlink' | 'special';
}

export interface GrepQuery {
  readonly pattern: string;
  readonly path: ProjectPath;
  readonly glob?: string | undefined;
  readonly ignoreCase: boolean;
  readonly contextLines: number;
  readonly maxResults: number;
  /** Files for which it returns false are left out. */
  readonly readable?: ((path: string) => boolean) | undefined;
}

export interface GrepMatch {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly context: boolean;
}

export type GrepOutcome =
  | { readonly kind: 'ok'; readonly matches: readonly GrepMatch[]; readonly truncated: boolean }
  | { readonly kind: 'invalid-pattern'; readonly message: string }
  | { readonly kind: 'timed-out'; readonly afterMs: number };

export type StageOutcome =
  | { readonly kind: 'staged'; readonly generation: number }
  /** The path no longer has the state `before`. */
  | { readonly kind: 'conflict'; readonly found: FileState }
  | { readonly kind: 'refused'; readonly reason: string };

/** Which files a sandbox may see. `key` identifies the rules: the same key always means the same answers. */
export interface FileFilter {
  readonly key: string;
  allows(path: string): boolean;
}

/** What a sandbox sees at a path in place of the entry of project and staging. An absent directory hides everything below it. */
export interface ViewEntry {
  readonly path: string;
  readonly entry:
    | { readonly kind: 'absent' }
    | { readonly kind: 'file'; readonly bytes: Buffer; readonly executable: boolean }
    | { readonly kind: 'symlink'; readonly target: string };
}

/**
 * How the view of a sandbox differs from project + staging. Project and staging are not changed, and the difference does not count as a change of the
 * sandbox.
 */
export interface OverlayView {
  /** Files that it does not allow are hidden, also ignored ones. It is not called for git's own directory. */
  readonly visible?: FileFilter;
  /** Entries that replace those of the project. A directory that becomes empty is hidden too. */
  readonly overrides?: readonly ViewEntry[];
}

/** The result of an overlay operation, or why it is invalid. */
export type OverlayOutcome<T> =
  | {
      readonly kind: 'completed';
      readonly value: T;
      /** Compared by content: a file that was only copied up is no change. */
      readonly changes: ChangeSet;
      /** Files that were hidden from the sandbox because the view's filter does not allow them; sorted. */
      readonly hidden: readonly string[];
      /** Moves the accepted changes into staging; everything else in the scratch is dropped. */
      readonly accept: (paths: ReadonlySet<string>) => Promise<StageOutcome>;
      /** Bytes of a file in the scratch, before accept or discard; null if there is no such file. */
      readonly read: (path: string) => Promise<Buffer | null>;
      /** Regular files in the scratch at or below `prefix`, sorted: what git wrote under `.git`, which is not part of `changes`. */
      readonly scratchFiles: (prefix: string) => readonly string[];
      readonly discard: () => Promise<void>;
    }
  /** Staging or the project changed during every attempt. */
  | { readonly kind: 'moved'; readonly attempts: number }
  /** Special files, setuid bits, links that lead outside, limits exceeded. */
  | { readonly kind: 'refused'; readonly reason: string };

/** The result of an operation whose changes were dropped, or why there is none. */
export type DiscardOutcome<T> =
  | { readonly kind: 'completed'; readonly value: T; readonly hidden: readonly string[] }
  | Extract<OverlayOutcome<T>, { kind: 'moved' | 'refused' }>;

/**
 * One session's view of the project: project plus everything accepted so far (staging). Reads never follow a link out of the project; paths are
 * resolved by descriptor. Nothing here writes to the project; only the merge does.
 */
export interface Workspace {
  /**
   * Turns a lexically valid path into its real target (links inside the project are followed and checked again). With `leaf: 'keep'` a link as the
   * last component is the target itself, which deleting and moving need.
   */
  resolve(path: string, options?: ResolveOptions): Promise<ResolveOutcome>;
  /** Follows no link. Special files and unreadable files count as absent, and nothing is staged over them. */
  stat(path: ProjectPath): Promise<FileState>;
  /** The kind of `stat`, without reading content: a file may be as large as the disk. */
  kindOf(path: ProjectPath): Promise<FileState['kind']>;
  /** Follows no link: a link that has replaced a resolved path is refused. */
  read(path: ProjectPath, maxBytes: number): Promise<ReadOutcome>;
  /** Bytes of the project's git index; null if there is none or if it is larger. */
  gitIndex(maxBytes: number): Promise<Buffer | null>;
  list(path: ProjectPath): Promise<readonly DirEntry[] | null>;
  /** Paths that match a glob, sorted; git-ignored files are left out unless the pattern names them without a wildcard. */
  glob(pattern: string, path: ProjectPath, maxResults: number): Promise<{ paths: string[]; truncated: boolean }>;
  grep(query: GrepQuery, signal: AbortSignal): Promise<GrepOutcome>;
  /** Whether git ignores the path (by the project's .gitignore files and .git/info/exclude, also staged ones). */
  isIgnored(path: ProjectPath): Promise<boolean>;
  /** What git ignores, without the paths of `kept`. An ignored directory is listed as a whole, unless it contains a kept path. */
  ignored(kept: ReadonlySet<string>): Promise<IgnoredEntries>;

  /** Accepts a patch-mode write: the caller has verified the content; it is staged if the path still has the state `before`. */
  stage(path: ProjectPath, before: FileState, bytes: Buffer, executable: boolean): Promise<StageOutcome>;
  /**
   * Runs `run` with a free slot whose overlay can be mounted over project + staging, alone (no other overlay, no stage). Takes stamps before and
   * after, and reads the slot back. Repeated at most twice if project or staging changed meanwhile. `run` must return only after the sandbox is gone.
   * A completed outcome holds the workspace's lock until it is accepted (with any result) or discarded. With a view, the sandbox sees that in place
   * of project + staging.
   */
  overlay<T>(run: (slot: number) => Promise<T>, view?: OverlayView): Promise<OverlayOutcome<T>>;

  /**
   * Runs `run` with a slot whose overlay can be mounted over project + staging, and drops all its changes. Several may run in parallel, also together
   * with changes of staging: of a file that changes meanwhile it may see the old or the new content. Repeated at most twice if a file appeared that
   * the view should hide. `run` must return only after the sandbox is gone.
   */
  discarding<T>(run: (slot: number) => Promise<T>, view?: OverlayView): Promise<DiscardOutcome<T>>;

  /** Everything staged, compared with the project as it was when each path was first staged. */
  changes(): Promise<ChangeSet>;
  /** Unified diff of `changes()`, git style, deterministic; a binary file is one line with sizes and hashes. */
  diff(): Promise<string>;
  /** Digest of the staging layer: sorted paths, kinds, modes, content hashes. */
  stagingDigest(): Promise<string>;
  readonly generation: number;
  /** Drops everything staged. */
  reset(): Promise<void>;
}
