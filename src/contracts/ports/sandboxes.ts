import type { SandboxId, SessionId } from '../ids.ts';
import type { CapabilityBinding, PresentedCapability } from '../policy.ts';
import type { ModelEvent, ModelRequest } from '../model/model.ts';
import type {
  EgressAttempt,
  LayerId,
  PackageJob,
  PackageManagerName,
  PackageReport,
} from '../sandbox/package-managers.ts';
import type { SandboxTemplate } from '../sandbox/sandbox-templates.ts';
import type { ToolProgram } from '../sandbox/sandbox-programs.ts';
import type { TestNetwork } from '../sandbox/test-network.ts';
import type { ProcessExit } from '../sandbox/test-run.ts';
import type { SessionMode } from '../session/workflow-states.ts';

export type SandboxFailure =
  | { readonly kind: 'timed-out'; readonly afterMs: number }
  | { readonly kind: 'out-of-memory' }
  | { readonly kind: 'cancelled' }
  /** No space is left where sandboxes write. Nobody who works in one can do anything about it. */
  | { readonly kind: 'disk-full' }
  /** Could not be made, died, or spoke out of turn. */
  | { readonly kind: 'failed'; readonly reason: string };

export type ToolSandboxResult =
  | { readonly kind: 'ok'; readonly sandbox: SandboxId; readonly result: unknown }
  | { readonly kind: 'tool-error'; readonly sandbox: SandboxId; readonly code: string; readonly message: string }
  | ({ readonly sandbox: SandboxId | null } & SandboxFailure);

/**
 * The capability of one operation. It is issued when the sandbox that will hold it is known, and redeemed when that same sandbox answers on that same
 * connection; only then does the answer count.
 */
export interface CapabilityAuthority {
  issue(holder: CapabilityBinding): Omit<PresentedCapability, 'use'>;
  /** null: it holds, and is used up. Otherwise why it opens nothing. */
  redeem(holder: CapabilityBinding, presented: PresentedCapability): string | null;
  /** The operation is over: what was issued for it opens nothing any more. */
  withdraw(): void;
}

export interface ToolOperation {
  readonly session: SessionId;
  readonly program: ToolProgram;
  /** Overlay slot to mount, or null for patch-mode tools, which see no workspace. */
  readonly slot: number | null;
  readonly method: string;
  /** The tool's input; the sandbox gets it with where its workspace is and the session's mode (tool-call.ts). */
  readonly params: unknown;
  /** Default: strict. */
  readonly mode?: SessionMode;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  readonly authority?: CapabilityAuthority;
}

/** A file that the kernel leaves for the program that starts a test run. It removes the file before it starts anything. */
export interface JobFile {
  readonly name: string;
  readonly content: string;
}

/** What the container's main process becomes: it is replaced by this command (execve), so nothing of ours runs beside the tests. */
export interface TestJob {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Project-relative. */
  readonly cwd: string;
  /** What the command reads on its standard input: a descriptor of a file that has no name any more. Left out: nothing. */
  readonly input?: string;
  /** Name of the report file in the out directory. */
  readonly reportName: string;
  /** Image by language. */
  readonly image: 'node' | 'python';
}

export interface TestSandboxResult {
  readonly sandbox: SandboxId;
  readonly exit: ProcessExit;
  /** null when missing; at most `maxReportBytes`. */
  readonly report: Buffer | null;
  readonly reportTruncated: boolean;
  /** stdout and stderr, bounded: head and tail. */
  readonly output: string;
  readonly durationMs: number;
}

/** How many cases of a run have ended. The program that runs them says so, for people who wait: it proves nothing. */
export interface CaseCounts {
  readonly done: number;
  readonly failed: number;
}

export interface TestProgress {
  /** Name of the file in the out directory that the program keeps the counts in. */
  readonly name: string;
  /** Called during the run, when they have changed. */
  readonly onCounts: (counts: CaseCounts) => void;
}

export interface TestOperation {
  readonly session: SessionId;
  readonly slot: number;
  readonly job: TestJob;
  readonly deadlineMs: number;
  readonly maxReportBytes: number;
  /** Absent: nobody watches. */
  readonly progress?: TestProgress;
  /** Absent: a loopback of its own, and nothing on it. */
  readonly network?: RunNetwork;
  readonly signal: AbortSignal;
}

/** What one run of the tests has beside its sandbox: services on its loopback, and hosts behind the egress gate. */
export interface RunNetwork {
  readonly services: TestNetwork['services'];
  /** Names of network groups that a person or the policy has allowed. */
  readonly groups: readonly string[];
}

/** Installed packages as they are kept. */
export interface PackageLayer {
  readonly id: LayerId;
  readonly manager: PackageManagerName;
  /** Directories of the workspace's members: they have packages of their own too, and links among the packages may lead to them. */
  readonly members: readonly string[];
}

export type KeepLayerOutcome = { readonly kind: 'kept' } | { readonly kind: 'refused'; readonly reason: string };

/** `Judged`: what the judgement of a good report comes to. */
export interface PackageOperation<Judged = unknown> {
  readonly session: SessionId;
  readonly manager: PackageManagerName;
  readonly job: PackageJob;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** Called once, before `judge`, with every connection that was requested. */
  readonly onAttempts: (attempts: readonly EgressAttempt[]) => void;
  /** Judges the report, before anything that was installed is kept. Called at most once. */
  readonly judge: (report: PackageReport) => PackageVerdict<Judged>;
}

export type PackageVerdict<Judged> =
  | { readonly kind: 'keep'; readonly layer: PackageLayer; readonly judged: Judged }
  | { readonly kind: 'drop'; readonly why: string };

export type PackageOutcome<Judged> =
  | { readonly kind: 'kept'; readonly sandbox: SandboxId; readonly judged: Judged }
  | { readonly kind: 'dropped'; readonly sandbox: SandboxId; readonly why: string }
  | SandboxFailure;

/** A provider program in its sandbox, kept for one run of the session (an atomic group of requests). */
export interface ProviderSandbox {
  readonly sandbox: SandboxId;
  /** It was closed or is broken: another one has to be started. */
  readonly over: boolean;
  chat(request: ModelRequest, onEvent: (event: ModelEvent) => void, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface LivingSandbox {
  readonly id: SandboxId;
  /** What runs in it: `tool:fs`, `test`, `provider:openai`. */
  readonly program: string;
  readonly template: SandboxTemplate;
  readonly state: string;
  readonly ageMs: number;
}

export interface Sandboxes {
  tool(operation: ToolOperation): Promise<ToolSandboxResult>;
  test(
    operation: TestOperation,
  ): Promise<{ readonly kind: 'ran'; readonly result: TestSandboxResult } | SandboxFailure>;
  /** A package manager, on a manifest and a lockfile alone; what it installs becomes a layer below workspaces. */
  packages<Judged>(operation: PackageOperation<Judged>): Promise<PackageOutcome<Judged>>;
  /** `name` is the part before the slash of `provider/model`. */
  provider(session: SessionId, name: string): Promise<ProviderSandbox>;
  /** Makes standbys ready for what is likely next (patch tool, provider). Never fails. */
  warm(session: SessionId, provider: string): void;
  /** Nothing more is likely: removes the standbys of the session, at once or when nothing was warmed for so long. Never fails. */
  cool(session: SessionId, afterMs?: number): void;
  /** Those of the session, from before their first trace until the last one is gone. */
  living(session: SessionId): readonly LivingSandbox[];
  /** Removes containers, volumes, sockets and directories that no living sandbox owns. */
  collectOrphans(): Promise<number>;
  /** Ends and removes everything of a session, or of all. */
  closeAll(session?: SessionId): Promise<void>;
}
