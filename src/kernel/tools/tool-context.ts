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

/** What a read needs. `readable`: whether policy lets the model read a resolved path. */
export interface ReadScope {
  readonly workspace: Workspace;
  readonly readable: (path: string) => boolean;
  readonly parse: ParseSyntax;
  readonly signal: AbortSignal;
}

/** The new content of a file. `note` explains how the place was found, if that is not obvious. */
export type Rewrite =
  | { readonly kind: 'text'; readonly text: string; readonly note?: string }
  | { readonly kind: 'refused'; readonly code: ToolErrorCode; readonly message: string };

/** A new content for one file. */
export interface FileRewrite {
  readonly path: ProjectPath;
  /**
   * Computes the new text; `before` is null if there is no file. Computed in the kernel, because a sandbox could return
   * a valid patch to another text.
   */
  readonly rewrite: (before: string | null) => Rewrite;
}

/** The change of one file among several that change together. */
export type FileEdit =
  | ({ readonly kind: 'write' } & FileRewrite)
  | {
      readonly kind: 'move';
      readonly path: ProjectPath;
      readonly to: ProjectPath;
      readonly rewrite: FileRewrite['rewrite'];
    }
  | { readonly kind: 'delete'; readonly path: ProjectPath };

/** An operation on files that may change exactly the paths that the call writes. */
export interface ChangeRequest {
  readonly params: object;
  /** Files that exist afterwards. Default: all that the call writes. */
  readonly written?: readonly ProjectPath[];
  /** Digest of the content that each of these files must have afterwards. Default: none. */
  readonly expected?: ReadonlyMap<string, string>;
  /** What was done, in one line. */
  readonly done: string;
}

/** An operation on files whose changes are all dropped. */
export interface InspectRequest {
  readonly params: object;
  /** The result as text for the model; null if the result is invalid. Called again if policy has to be asked. */
  readonly text: (result: unknown, readable: (path: string) => boolean) => string | null;
}

/** The result of a command. */
export interface CommandOutcome {
  readonly text: string;
  readonly summary: string;
  /** What it wrote to stdout and stderr. */
  readonly printed: string;
  readonly succeeded: boolean;
}

/** Commands that run on files. */
export interface CommandRequest {
  /** `stage`: their changes are kept only if every changed path may be written. */
  readonly effects: CommandEffects;
  readonly params: object;
  readonly timeoutMs: number;
  /** The outcome, with the paths that were changed; null if the result is invalid. */
  readonly outcome: (result: unknown, changed: readonly string[]) => CommandOutcome | null;
}

/** All messages, calls and results of this session, including those that are no longer sent to the model. */
export interface SessionHistory {
  /** Places that contain a text, newest first. */
  search(
    query: string,
    limit: number,
  ): readonly { readonly reference: string; readonly what: string; readonly excerpt: string }[];
  /** The text under a reference; null if there is none. */
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
  /** The run pauses after this message of the model. */
  ask(question: Question): 'asked' | 'another-waits';
  updateTodo(items: readonly TodoItem[]): void;
}

/**
 * What the kernel does for the tool of one call. The call was allowed. The changes of a tool are checked against what
 * was allowed before they are staged.
 */
export interface ToolContext {
  /** The resolved paths of the call, in the order in which the tool names them. */
  readonly named: readonly ProjectPath[];
  readonly signal: AbortSignal;
  /** Reads without a sandbox. `work` has no effect: it may run more than once. */
  read(work: (scope: ReadScope) => Promise<ToolAnswer>): Promise<ToolAnswer>;
  /** Runs in a sandbox that sees no workspace. */
  patch(request: FileRewrite): Promise<ToolAnswer>;
  /** Changes all files, or none. */
  patchAll(files: readonly FileEdit[]): Promise<ToolAnswer>;
  change(request: ChangeRequest): Promise<ToolAnswer>;
  inspect(request: InspectRequest): Promise<ToolAnswer>;
  run(request: CommandRequest): Promise<ToolAnswer>;
  /** Has the project's package manager add or install packages, and stages the changes. */
  packages(request: PackageRequest, manager?: PackageManagerName): Promise<ToolAnswer>;
  /** Runs the project's tests (those of the named paths, or all), and judges the run by the state of the session. */
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
