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
  /** More than can be looked through. */
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
  /** The path is no longer what `before` says. */
  | { readonly kind: 'conflict'; readonly found: FileState }
  | { readonly kind: 'refused'; readonly reason: string };

/** Which files a sandbox may see. `key` names the rules behind it: with the same key it always answers the same. */
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

/** How the view of a sandbox differs from project + staging. Neither of them is changed, and none of it counts as a change of the sandbox. */
export interface OverlayView {
  /** Files that it does not allow are not there, ignored ones included. git's own directory is not asked about. */
  readonly visible?: FileFilter;
  /** Entries that replace those of the project. A directory that becomes empty is hidden too. */
  readonly overrides?: readonly ViewEntry[];
}

/** The result of an overlay operation, or why it is invalid. */
export type OverlayOutcome<T> =
  | {
      readonly kind: 'completed';
      readonly value: T;
      /** By content: copy-up alone is no change. */
      readonly changes: ChangeSet;
      /** Files that were kept from the sandbox because the view's filter does not allow them; sorted. */
      readonly hidden: readonly string[];
      /** Folds the accepted changes into staging; everything else of the scratch is dropped. */
      readonly accept: (paths: ReadonlySet<string>) => Promise<StageOutcome>;
      /** Bytes of a file in the scratch, before accept or discard; null when it holds no such file. */
      readonly read: (path: string) => Promise<Buffer | null>;
      /** Regular files the scratch holds at or under `prefix`, sorted: what git wrote under `.git`, which is no part of `changes`. */
      readonly scratchFiles: (prefix: string) => readonly string[];
      readonly discard: () => Promise<void>;
    }
  /** Staging or the project moved while it ran, more often than it was tried again. */
  | { readonly kind: 'moved'; readonly attempts: number }
  /** Special files, setuid bits, links that leave, limits exceeded. */
  | { readonly kind: 'refused'; readonly reason: string };

/** The result of an operation whose changes were dropped, or why there is none. */
export type DiscardOutcome<T> =
  | { readonly kind: 'completed'; readonly value: T; readonly hidden: readonly string[] }
  | Extract<OverlayOutcome<T>, { kind: 'moved' | 'refused' }>;

/**
 * One session's view of the project: project plus everything accepted so far (staging). Reads never follow a link out of the
 * project; paths are resolved by descriptor. `project` is written by nobody here: only by the merge.
 */
export interface Workspace {
  /**
   * Turns a lexically clean path into the target it really names (links inside the project are followed and re-checked). With
   * `leaf: 'keep'` a link at its very end is the target itself, as for whoever deletes or moves it.
   */
  resolve(path: string, options?: ResolveOptions): Promise<ResolveOutcome>;
  /** Follows no link. Special files and what may not be read have no state: they come out as absent, and nothing is staged over them. */
  stat(path: ProjectPath): Promise<FileState>;
  /** As of `stat`, without reading content: a file may be as large as the disk. */
  kindOf(path: ProjectPath): Promise<FileState['kind']>;
  /** Follows no link: one that took a resolved path's place since is refused. */
  read(path: ProjectPath, maxBytes: number): Promise<ReadOutcome>;
  /** Bytes of git's index of the project; null where there is none, or a larger one. */
  gitIndex(maxBytes: number): Promise<Buffer | null>;
  list(path: ProjectPath): Promise<readonly DirEntry[] | null>;
  /** Paths that match a glob, sorted; git-ignored files are left out unless the pattern names them without a wildcard. */
  glob(pattern: string, path: ProjectPath, maxResults: number): Promise<{ paths: string[]; truncated: boolean }>;
  grep(query: GrepQuery, signal: AbortSignal): Promise<GrepOutcome>;
  /** Whether git ignores the path (project's .gitignore files, .git/info/exclude), staged ignore files included. */
  isIgnored(path: ProjectPath): Promise<boolean>;
  /** What git ignores, a directory for everything in it; without the paths of `kept`, whose directories are looked into. */
  ignored(kept: ReadonlySet<string>): Promise<IgnoredEntries>;

  /** Accepts a patch-mode write: content verified by the caller, staged if the path still is what `before` says. */
  stage(path: ProjectPath, before: FileState, bytes: Buffer, executable: boolean): Promise<StageOutcome>;
  /**
   * Runs `run` with a free slot whose overlay can be mounted over project + staging, alone (no other overlay, no stage), stamps before and
   * after, and reads the slot back. Run again at most twice when things moved under it. `run` returns once the sandbox is gone. A
   * completed outcome holds the workspace's lock until it is accepted (whatever comes of that) or discarded. With a view, the sandbox finds
   * that instead of project + staging.
   */
  overlay<T>(run: (slot: number) => Promise<T>, view?: OverlayView): Promise<OverlayOutcome<T>>;

  /**
   * Runs `run` with a slot whose overlay can be mounted over project + staging, and drops whatever it leaves. Several may run side by side, and
   * beside what changes staging: of a file that changes meanwhile it may see the old or the new content. Run again at most twice when a
   * file that the view hides appeared under it. `run` returns once the sandbox is gone.
   */
  discarding<T>(run: (slot: number) => Promise<T>, view?: OverlayView): Promise<DiscardOutcome<T>>;

  /** Everything staged against the project as it was when each path was first staged. */
  changes(): Promise<ChangeSet>;
  /** Unified diff of `changes()`, git style, deterministic; binary files as a line that names sizes and hashes. */
  diff(): Promise<string>;
  /** Digest of the staging layer: sorted paths, kinds, modes, content hashes. */
  stagingDigest(): Promise<string>;
  readonly generation: number;
  /** Drops everything staged. */
  reset(): Promise<void>;
}
