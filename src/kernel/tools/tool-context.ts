import type { PlannedKind } from '../../contracts/review/change-kinds.ts';
import type { ExemptionCategory } from '../../contracts/review/exemption-categories.ts';
import type { ProjectPath } from '../../contracts/ids.ts';
import type { CommandEffects } from '../../contracts/policy.ts';
import type { ParseSyntax } from '../../contracts/ports/syntax.ts';
import type { Workspace } from '../../contracts/ports/workspace.ts';
import type { Question } from '../../contracts/session/question.ts';
import type { TodoItem } from '../../contracts/session/todo.ts';
import type { PackageManagerName, PackageRequest } from '../../contracts/sandbox/package-managers.ts';
import type { ToolErrorCode } from '../../contracts/model/tool-errors.ts';
import type { ToolAnswer } from './tool-answer.ts';

/** What a read works with. `readable` says whether policy lets the model read a resolved path. */
export interface ReadScope {
  readonly workspace: Workspace;
  readonly readable: (path: string) => boolean;
  readonly parse: ParseSyntax;
  readonly signal: AbortSignal;
}

/** What a file becomes. `note` says how that was found, where it is not obvious. */
export type Rewrite =
  | { readonly kind: 'text'; readonly text: string; readonly note?: string }
  | { readonly kind: 'refused'; readonly code: ToolErrorCode; readonly message: string };

/** A new content for one file. */
export interface FileRewrite {
  readonly path: ProjectPath;
  /** What becomes of the file's text, null if there is no file. Worked out here: a sandbox could answer with a sound patch to another text. */
  readonly rewrite: (before: string | null) => Rewrite;
}

/** What becomes of one file among several that change together. */
export type FileEdit =
  | ({ readonly kind: 'write' } & FileRewrite)
  | {
      readonly kind: 'move';
      readonly path: ProjectPath;
      readonly to: ProjectPath;
      readonly rewrite: FileRewrite['rewrite'];
    }
  | { readonly kind: 'delete'; readonly path: ProjectPath };

/** Work on files that may change exactly the paths that the call writes. */
export interface ChangeRequest {
  readonly params: object;
  /** Files that there are afterwards. Default: all that the call writes. */
  readonly written?: readonly ProjectPath[];
  /** Digest of the content that each of these files must have afterwards. Default: none. */
  readonly expected?: ReadonlyMap<string, string>;
  /** What was done, in one line. */
  readonly done: string;
}

/** Work on files whose changes are all dropped. */
export interface InspectRequest {
  readonly params: object;
  /** The result as text for the model; null if it is not what the tool should answer with. Asked again if policy needs to be. */
  readonly text: (result: unknown, readable: (path: string) => boolean) => string | null;
}

/** What a command came to. */
export interface CommandOutcome {
  readonly text: string;
  readonly summary: string;
  /** What it wrote to stdout and stderr. */
  readonly printed: string;
  readonly succeeded: boolean;
}

/** Commands on files. */
export interface CommandRequest {
  /** `stage`: what they changed is kept only if every path is open to writing. */
  readonly effects: CommandEffects;
  readonly params: object;
  readonly timeoutMs: number;
  /** The outcome, with the paths that it changed; null if the result is not what the tool should answer with. */
  readonly outcome: (result: unknown, changed: readonly string[]) => CommandOutcome | null;
}

/** What was said, called and answered in this session so far, also what is no longer sent to the model. */
export interface SessionHistory {
  /** Places that hold a text, the newest first. */
  search(
    query: string,
    limit: number,
  ): readonly { readonly reference: string; readonly what: string; readonly excerpt: string }[];
  /** What a reference names; null if nothing is kept under it. */
  read(reference: string): string | null;
}

/** Steps of the workflow that a tool can take. */
export interface WorkflowSteps {
  completePlan(plan: {
    readonly summary: string;
    readonly steps: readonly string[];
    readonly kind?: PlannedKind | undefined;
  }): ToolAnswer;
  /** For the paths that the call names. */
  requestExemption(category: ExemptionCategory, reason: string): Promise<ToolAnswer>;
  reviseTests(reason: string): Promise<ToolAnswer>;
  proposeCommit(message: string): void;
  giveUp(reason: string): void;
  /** The run pauses behind this message of the model. */
  ask(question: Question): 'asked' | 'another-waits';
  updateTodo(items: readonly TodoItem[]): void;
}

/**
 * What the kernel does for the tool of one call. The call was allowed; what a facility changes is checked against what was allowed, and
 * staged only then.
 */
export interface ToolContext {
  /** The paths that the call names, resolved, in the order in which the tool names them. */
  readonly named: readonly ProjectPath[];
  readonly signal: AbortSignal;
  /** Reads without a sandbox. `work` has no effect: it may be done more than once. */
  read(work: (scope: ReadScope) => Promise<ToolAnswer>): Promise<ToolAnswer>;
  /** In a sandbox that sees no workspace. */
  patch(request: FileRewrite): Promise<ToolAnswer>;
  /** All of them, or none. */
  patchAll(files: readonly FileEdit[]): Promise<ToolAnswer>;
  change(request: ChangeRequest): Promise<ToolAnswer>;
  inspect(request: InspectRequest): Promise<ToolAnswer>;
  run(request: CommandRequest): Promise<ToolAnswer>;
  /** Has the project's package manager add or install packages, and stages what that changes. */
  packages(request: PackageRequest, manager?: PackageManagerName): Promise<ToolAnswer>;
  /** Runs the project's tests, of the named paths or all, and judges the run by the state of the session. */
  runTests(): Promise<ToolAnswer>;
  readonly workflow: WorkflowSteps;
  readonly history: SessionHistory;
}

/** The path of a tool that names exactly one. */
export function onlyPath({ named }: ToolContext): ProjectPath {
  const [path] = named;
  if (path === undefined) throw new Error('a call without the path that its input has');
  return path;
}
