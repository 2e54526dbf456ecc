import type { AuditLog } from '../contracts/ports/audit-log.ts';
import type { Clock } from '../contracts/ports/clock.ts';
import type { AddSpending } from '../contracts/ports/host-services.ts';
import type { Random } from '../contracts/ports/random.ts';
import type { Sandboxes } from '../contracts/ports/sandboxes.ts';
import type { ParseSyntax } from '../contracts/ports/syntax.ts';
import type { StripTypes } from '../contracts/ports/strip-types.ts';
import type { Workspace } from '../contracts/ports/workspace.ts';
import type { ProjectPath, SessionId } from '../contracts/ids.ts';
import type { ExtensionResult, PolicyRequest } from '../contracts/policy.ts';
import type { KernelOptions } from '../contracts/kernel-options.ts';
import type { TreeView } from './repository/tree-view.ts';
import type { CapabilityStore, CompiledPolicy } from './policy/index.ts';
import type { Session } from './session/session.ts';
import type { ToolRegistry } from './tools/registry.ts';
import type { HumanDecisions } from './review/human-decisions.ts';

/** The extensions of the policy in force. Never rejects; an extension that cannot be asked counts as failed. */
export interface Extensions {
  ask(policy: CompiledPolicy, request: PolicyRequest): Promise<readonly ExtensionResult[]>;
}

/** The workspace of each session, kept open for the session's lifetime. */
export interface Workspaces {
  open(session: SessionId): Promise<Workspace>;
  /** Drops the session's staged changes and its directory. */
  remove(session: SessionId): Promise<void>;
  /**
   * A second view of the untouched project, with nothing staged, for a run that must not see the session's work.
   * Dropped at `close`.
   */
  scratch(): Promise<{ readonly id: SessionId; readonly workspace: Workspace; close(): Promise<void> }>;
}

/** A commit ready for review: exactly this is shown, signed and merged. */
export type PrepareResult =
  /** `message` is complete, with the kernel's trailers; `diff` is from the parent's tree to the commit's. */
  | {
      readonly kind: 'prepared';
      readonly message: string;
      readonly diff: string;
      readonly findings: readonly string[];
    }
  /** The user's uncommitted changes, or the tree, differ from what the repeated run saw. */
  | { readonly kind: 'moved' }
  | { readonly kind: 'refused'; readonly reason: string };

/** The commit of the staged changes, and a view of the project with this commit alone. */
export type CommittableResult =
  | {
      readonly kind: 'ok';
      /** Id of the commit's tree, in hexadecimal. */
      readonly tree: string;
      /** The user's own uncommitted paths, including those that the session has changed too. */
      readonly dirty: readonly string[];
      readonly view: TreeView;
      /** Digest of tree and view. */
      readonly digest: string;
    }
  | { readonly kind: 'refused'; readonly reason: string };

export interface Decision {
  readonly reviewId: string;
  readonly by: 'policy' | 'human';
  readonly sha256: string;
  /** What was shown. Message and parent of the prepared commit must match it. */
  readonly message: string;
  readonly base: string;
  readonly signature?: string;
  readonly publicKey?: string;
}

export type CommitResult =
  | { readonly kind: 'committed'; readonly commit: string }
  | { readonly kind: 'conflict'; readonly paths: readonly string[]; readonly reason: string }
  /** The next start completes or reverts it. */
  | { readonly kind: 'pending'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

export type UndoResult =
  | { readonly kind: 'undone' }
  /** These paths were changed since, or the branch has moved. Nothing was changed here. */
  | { readonly kind: 'conflict'; readonly paths: readonly string[]; readonly reason: string }
  /** There is no backup of this merge. */
  | { readonly kind: 'unknown'; readonly reason: string }
  | { readonly kind: 'pending'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

export type RedoResult = { readonly kind: 'redone' } | Exclude<UndoResult, { readonly kind: 'undone' }>;

/** The kernel's operations on the repository. */
export interface Commits {
  /** Current branch and commit, or why no work can start on them. */
  base(): Promise<
    | { readonly kind: 'ok'; readonly branch: string; readonly head: string }
    | { readonly kind: 'problem'; readonly reason: string }
  >;
  /**
   * Subjects of the newest commits of the branch, following first parents; fewer if the history ends. Untrusted text.
   */
  recentSubjects(count: number): Promise<readonly string[]>;
  /** The text of a file in HEAD; null if HEAD does not have it. */
  textOnHead(path: ProjectPath): Promise<string | null>;
  /** Whether the attributes that git keeps outside of the working tree (`info/attributes`) name a filter. */
  namesFilter(): Promise<boolean>;
  /** Paths that differ from HEAD in index or working tree, including untracked ones. */
  dirtyPaths(session: Session, workspace: Workspace, signal: AbortSignal): Promise<readonly string[]>;
  /** The commit of the staged changes, separated from the user's uncommitted work. */
  committable(session: Session, workspace: Workspace, signal: AbortSignal): Promise<CommittableResult>;
  /**
   * Composes the commit of the staged changes, makes the git tool create it in a sandbox, and checks that both are
   * equal. Stored with the session.
   */
  prepare(session: Session, workspace: Workspace, text: string, signal: AbortSignal): Promise<PrepareResult>;
  /** Why the prepared commit cannot be merged now, or null. Writes nothing. */
  obstacle(session: Session): Promise<string | null>;
  /** Merges the prepared commit and moves the branch, as one operation. */
  merge(session: Session, decision: Decision): Promise<CommitResult>;
  /** Undoes the merge of a commit, as one operation, unless something was built on it. */
  undo(commit: string): Promise<UndoResult>;
  /** Merges an undone commit again, as long as everything is as the undo left it. */
  redo(commit: string): Promise<RedoResult>;
}

/** Everything that the kernel uses; created once in main.ts. */
export interface Services {
  readonly options: KernelOptions;
  readonly clock: Clock;
  readonly random: Random;
  readonly audit: AuditLog;
  readonly policy: () => CompiledPolicy;
  readonly extensions: Extensions;
  readonly capabilities: CapabilityStore;
  readonly sandboxes: Sandboxes;
  readonly workspaces: Workspaces;
  /** The tools that the model has now: shipped ones, and tools added at run time. */
  readonly tools: () => ToolRegistry;
  readonly stripTypes: StripTypes;
  readonly parseSyntax: ParseSyntax;
  readonly commits: Commits;
  readonly humans: HumanDecisions;
  /** Keyed digest of an unsanitised output, for the audit log. */
  readonly digestOf: (text: string) => string;
  /** Has the host add the use to the totals of all sessions. Rejects if the host does not. */
  readonly addSpending: AddSpending;
  /** Whether the disk that holds sessions has too little space left to begin work. */
  readonly isDiskFull: () => Promise<boolean>;
  /** Makes the host sign the head of the audit chain. Never rejects: `audit verify` finds an unsigned head. */
  readonly anchor: () => Promise<void>;
}

/** A session and its workspace. */
export interface SessionWork {
  readonly services: Services;
  readonly session: Session;
  readonly workspace: Workspace;
}

/** A running session: the context of everything that happens in a run. `signal` interrupts it. */
export interface SessionContext extends SessionWork {
  readonly signal: AbortSignal;
}
