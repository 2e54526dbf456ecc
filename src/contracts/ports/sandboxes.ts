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
  /** No space is left where sandboxes write. A model can do nothing about it. */
  | { readonly kind: 'disk-full' }
  /** Could not be created, died, or broke the protocol. */
  | { readonly kind: 'failed'; readonly reason: string };

export type ToolSandboxResult =
  | { readonly kind: 'ok'; readonly sandbox: SandboxId; readonly result: unknown }
  | { readonly kind: 'tool-error'; readonly sandbox: SandboxId; readonly code: string; readonly message: string }
  | ({ readonly sandbox: SandboxId | null } & SandboxFailure);

/**
 * The capability of one operation. It is issued when its sandbox is known, and redeemed when the same sandbox answers on the same connection; only
 * then does the answer count.
 */
export interface CapabilityAuthority {
  issue(holder: CapabilityBinding): Omit<PresentedCapability, 'use'>;
  /** null: it is valid, and is now used up. Otherwise why it is not valid. */
  redeem(holder: CapabilityBinding, presented: PresentedCapability): string | null;
  /** The operation is over: its capability is no longer valid. */
  withdraw(): void;
}

export interface ToolOperation {
  readonly session: SessionId;
  readonly program: ToolProgram;
  /** Overlay slot to mount; null for patch-mode tools, which see no workspace. */
  readonly slot: number | null;
  readonly method: string;
  /** The tool's input. The sandbox gets it together with the path of its workspace and the session's mode (tool-call.ts). */
  readonly params: unknown;
  /** Default: strict. */
  readonly mode?: SessionMode;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  readonly authority?: CapabilityAuthority;
}

/** A file that the kernel leaves for the program that starts a test run. That program removes the file before it starts anything. */
export interface JobFile {
  readonly name: string;
  readonly content: string;
}

/** The command that replaces the container's main process (execve), so that no process of Fluffy runs beside the tests. */
export interface TestJob {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Project-relative. */
  readonly cwd: string;
  /** The standard input of the command, as a descriptor of a file without a name. Absent: empty input. */
  readonly input?: string;
  /** Name of the report file in the out directory. */
  readonly reportName: string;
  /** Image by language. */
  readonly image: 'node' | 'python';
}

export interface TestSandboxResult {
  readonly sandbox: SandboxId;
  readonly exit: ProcessExit;
  /** null if missing; at most `maxReportBytes`. */
  readonly report: Buffer | null;
  readonly reportTruncated: boolean;
  /** stdout and stderr, limited to head and tail. */
  readonly output: string;
  readonly durationMs: number;
}

/** How many cases of a run have ended, as the runner reports it for people who wait. It proves nothing. */
export interface CaseCounts {
  readonly done: number;
  readonly failed: number;
}

export interface TestProgress {
  /** Name of the file in the out directory to which the program writes the counts. */
  readonly name: string;
  /** Called during the run when they have changed. */
  readonly onCounts: (counts: CaseCounts) => void;
}

export interface TestOperation {
  readonly session: SessionId;
  readonly slot: number;
  readonly job: TestJob;
  readonly deadlineMs: number;
  readonly maxReportBytes: number;
  /** Absent: no one needs the progress. */
  readonly progress?: TestProgress;
  /** Absent: the run has a loopback of its own without services. */
  readonly network?: RunNetwork;
  readonly signal: AbortSignal;
}

/** What one test run can use outside its sandbox: services on its loopback, and hosts behind the egress gate. */
export interface RunNetwork {
  readonly services: TestNetwork['services'];
  /** Names of network groups that a person or the policy has allowed. */
  readonly groups: readonly string[];
}

/** Installed packages as they are stored. */
export interface PackageLayer {
  readonly id: LayerId;
  readonly manager: PackageManagerName;
  /** Directories of the workspace's members: they have packages of their own too, and links among the packages may lead to them. */
  readonly members: readonly string[];
}

export type KeepLayerOutcome = { readonly kind: 'kept' } | { readonly kind: 'refused'; readonly reason: string };

/** `Judged`: the result of judging a good report. */
export interface PackageOperation<Judged = unknown> {
  readonly session: SessionId;
  readonly manager: PackageManagerName;
  readonly job: PackageJob;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** Called once, before `judge`, with every connection that was requested. */
  readonly onAttempts: (attempts: readonly EgressAttempt[]) => void;
  /** Called while packages are fetched; a `total` of 0 is not known. */
  readonly onFetched?: (done: number, total: number) => void;
  /** Judges the report before installed packages are stored. Called at most once. */
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
  /** It is closed or broken; another one must be started. */
  readonly over: boolean;
  chat(request: ModelRequest, onEvent: (event: ModelEvent) => void, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface LivingSandbox {
  readonly id: SandboxId;
  /** The program in it: `tool:fs`, `test`, `provider:openai`. */
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
  /** Runs a package manager on a manifest and a lockfile only; what it installs becomes a layer below workspaces. */
  packages<Judged>(operation: PackageOperation<Judged>): Promise<PackageOutcome<Judged>>;
  /** `name` is the part before the slash of `provider/model`. */
  provider(session: SessionId, name: string): Promise<ProviderSandbox>;
  /** Prepares standbys for what is likely to be needed next (patch tool, provider). Never fails. */
  warm(session: SessionId, provider: string): void;
  /** Removes the standbys of the session, at once or after `afterMs` without a call of `warm`. Never fails. */
  cool(session: SessionId, afterMs?: number): void;
  /** Sandboxes of the session, from before their first effect until the last one is removed. */
  living(session: SessionId): readonly LivingSandbox[];
  /** Removes containers, volumes, sockets and directories that no living sandbox owns. */
  collectOrphans(): Promise<number>;
  /** Ends and removes everything of a session, or of all. */
  closeAll(session?: SessionId): Promise<void>;
}
