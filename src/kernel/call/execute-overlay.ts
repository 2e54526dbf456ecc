import type { ChangeSet, FileChange, FileState } from '../../contracts/change-set.ts';
import type { ProjectPath } from '../../contracts/ids.ts';
import { gitDiffResultSchema } from '../../contracts/git-tool.ts';
import { fsChangeResultSchema, shellRunResultSchema } from '../../contracts/tool-call.ts';
import type { ShellRunResult } from '../../contracts/tool-call.ts';
import type { ToolErrorCode } from '../../contracts/tool-errors.ts';
import type { OverlayView, Workspace } from '../../contracts/ports/workspace.ts';
import type { ToolOperation, ToolSandboxResult } from '../../contracts/ports/sandboxes.ts';
import type { Session } from '../session/session.ts';
import type { SizeCheck } from './call-facts.ts';
import { capabilityAuthority } from '../access/capability-authority.ts';
import { hiddenNote } from '../access/hidden-note.ts';
import { readableFiles, whyHidden } from '../access/readable-files.ts';
import { readableDiff } from '../review/readable-diff.ts';
import { toolError } from './sandbox-error.ts';
import type { ToolAnswer, Services } from '../services.ts';

const DEADLINE_MS = 60_000;

type OverlayRun =
  | {
      readonly kind: 'ran';
      readonly result: Extract<ToolSandboxResult, { kind: 'ok' }>;
      readonly changes: ChangeSet;
      readonly hidden: readonly string[];
      accept(paths: ReadonlySet<string>): Promise<ToolAnswer | null>;
      discard(): Promise<void>;
    }
  | { readonly kind: 'answer'; readonly answer: ToolAnswer };

/** Runs a tool on project + staging; what it changed is there to be accepted or dropped. */
async function runOnOverlay(
  services: Services,
  session: Session,
  workspace: Workspace,
  operation: Pick<ToolOperation, 'program' | 'method' | 'params' | 'signal'> & { deadlineMs?: number },
  scope: { readonly callId: string; readonly paths: readonly string[] },
  view: OverlayView = {},
): Promise<OverlayRun> {
  const outcome = await workspace.overlay(
    (slot) =>
      services.sandboxes.tool({
        session: session.id,
        mode: session.mode,
        slot,
        deadlineMs: DEADLINE_MS,
        ...operation,
        authority: capabilityAuthority(services, session, {
          ...scope,
          syscall: operation.method,
          ttlMs: operation.deadlineMs ?? DEADLINE_MS,
        }),
      }),
    view,
  );
  if (outcome.kind === 'moved') return answer(fail('conflict', 'The project kept changing while this ran. Try again.'));
  if (outcome.kind === 'refused')
    return answer(fail('sandbox_failed', `What it left behind was refused: ${outcome.reason}`));
  const error = toolError(outcome.value);
  if (error !== null || outcome.value.kind !== 'ok') {
    await outcome.discard();
    return answer({ ok: false, error: error ?? { code: 'sandbox_failed', message: 'no result', retryable: false } });
  }
  return {
    kind: 'ran',
    result: outcome.value,
    changes: outcome.changes,
    hidden: outcome.hidden,
    discard: outcome.discard,
    accept: async (paths) => {
      const staged = await outcome.accept(paths);
      switch (staged.kind) {
        case 'staged':
          return null;
        case 'conflict':
          return fail('conflict', 'The project changed while this ran. Try again.');
        case 'refused':
          return fail('path_refused', staged.reason);
      }
    },
  };
}

/** `fs.delete` and `fs.move`: the sandbox does it, and exactly the paths that were asked about may have changed. */
export async function executeChange(
  services: Services,
  session: Session,
  workspace: Workspace,
  request: {
    readonly callId: string;
    readonly method: 'fs.delete' | 'fs.move';
    readonly params: object;
    readonly expected: readonly ProjectPath[];
    readonly sizes: SizeCheck;
    readonly done: string;
  },
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const { method, params } = request;
  const run = await runOnOverlay(
    services,
    session,
    workspace,
    { program: 'tool:fs', method, params, signal },
    { callId: request.callId, paths: request.expected },
  );
  if (run.kind === 'answer') return run.answer;
  const expected = new Set<string>(request.expected);
  const stray = run.changes.find((change) => !expected.has(change.path));
  if (stray !== undefined || !fsChangeResultSchema.safeParse(run.result.result).success) {
    await run.discard();
    return fail(
      'sandbox_failed',
      `The sandbox changed ${stray?.path ?? 'something'} that it was not asked to; nothing was taken over.`,
    );
  }
  const tooLarge = firstTooLarge(run.changes, request.sizes);
  if (tooLarge !== null) {
    await run.discard();
    return fail('policy_denied', `Policy denies ${method}: ${tooLarge}`);
  }
  const refused = await run.accept(new Set(run.changes.map((change) => change.path)));
  return refused ?? { ok: true, text: request.done, summary: request.done, sandboxId: run.result.sandbox };
}

function firstTooLarge(changes: ChangeSet, sizes: SizeCheck): string | null {
  for (const { path, after } of changes) {
    const why = sizes(path, sizeOf(after));
    if (why !== null) return why;
  }
  return null;
}

function sizeOf(state: FileState): number {
  return state.kind === 'file' ? state.size : 0;
}

/** Does a piece of work without effect, which is told which paths policy lets the model read. */
export type ReadablePaths = <T>(work: (readable: (path: string) => boolean) => T | Promise<T>) => Promise<T>;

/**
 * `git.status`, `git.diff`, `git.log`: whatever they leave behind is dropped. A diff shows content, also of files that nobody named:
 * those that are not open to `reading` are taken out of it.
 */
export async function executeGitRead(
  services: Services,
  session: Session,
  workspace: Workspace,
  callId: string,
  method: 'git.status' | 'git.diff' | 'git.log',
  params: object,
  reading: ReadablePaths,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const run = await runOnOverlay(
    services,
    session,
    workspace,
    { program: 'tool:git', method, params, signal },
    { callId, paths: [] },
  );
  if (run.kind === 'answer') return run.answer;
  await run.discard();
  const { result } = run.result;
  const text = method === 'git.diff' ? await reading((readable) => diffText(result, readable)) : gitText(result);
  if (text === null) return fail('sandbox_failed', 'The tool answered with something that is no diff.');
  return { ok: true, text, summary: `${text.split('\n').length} lines`, sandboxId: run.result.sandbox };
}

/** null if the result is no diff. */
function diffText(result: unknown, readable: (path: string) => boolean): string | null {
  const parsed = gitDiffResultSchema.safeParse(result);
  if (!parsed.success) return null;
  const { text, leftOut } = readableDiff(parsed.data.diff, readable);
  const notes = [
    ...(leftOut === 0 ? [] : [`(${leftOut} ${leftOut === 1 ? 'part' : 'parts'} left out: not open to reading)`]),
    ...(parsed.data.truncated ? ['(the diff was too long and was cut; name a path for less of it)'] : []),
  ];
  if (text === '' && notes.length === 0) return 'No changes.';
  return [...(text === '' ? [] : [text]), ...notes].join('\n');
}

function gitText(result: unknown): string {
  if (typeof result === 'object' && result !== null && 'text' in result && typeof result.text === 'string')
    return result.text;
  return JSON.stringify(result, null, 1);
}

/** `shell.run`: what it changed is taken over only where `mayWrite` says so, all or nothing. */
export async function executeShell(
  services: Services,
  session: Session,
  workspace: Workspace,
  callId: string,
  input: { readonly command: readonly string[]; readonly timeout_ms?: number | undefined },
  mayWrite: (path: string, sizeBytes: number) => Promise<boolean>,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const timeoutMs = input.timeout_ms ?? DEADLINE_MS;
  const run = await runOnOverlay(
    services,
    session,
    workspace,
    {
      program: 'tool:shell',
      method: 'shell.run',
      params: { command: input.command, timeout_ms: timeoutMs },
      deadlineMs: timeoutMs + 10_000,
      signal,
    },
    { callId, paths: [] },
    { visible: readableFiles(services, session) },
  );
  if (run.kind === 'answer') return run.answer;
  const parsed = shellRunResultSchema.safeParse(run.result.result);
  if (!parsed.success) {
    await run.discard();
    return fail('sandbox_failed', 'The tool answered with something that is no result.');
  }
  const changed = await unignored(workspace, run.changes).catch(async (error: unknown) => {
    await run.discard();
    throw error;
  });
  const forbidden: string[] = [];
  for (const { path, after } of changed) if (!(await mayWrite(path, sizeOf(after)))) forbidden.push(path);
  if (forbidden.length > 0) {
    await run.discard();
    return fail(
      'policy_denied',
      `The command changed ${forbidden.slice(0, 5).join(', ')}, which is not open to writing now; nothing was taken over.`,
    );
  }
  const paths = changed.map(({ path }) => path);
  const refused = await run.accept(new Set(paths));
  if (refused !== null) return refused;
  const { data } = parsed;
  const text = shellText(data, paths);
  const succeeded = data.exit.kind === 'exited' && data.exit.code === 0;
  const note = succeeded ? null : hiddenNote(whyHidden(services, session, run.hidden), text);
  return {
    ok: true,
    text: note === null ? text : `${text}\n${note}`,
    summary: describeExit(data),
    sandboxId: run.result.sandbox,
  };
}

async function unignored(workspace: Workspace, changes: ChangeSet): Promise<ChangeSet> {
  const kept: FileChange[] = [];
  for (const change of changes) if (!(await workspace.isIgnored(change.path as ProjectPath))) kept.push(change);
  return kept;
}

function describeExit({ exit }: ShellRunResult): string {
  switch (exit.kind) {
    case 'exited':
      return `exited with ${exit.code}`;
    case 'signalled':
      return `ended by ${exit.signal}`;
    case 'timed-out':
      return `stopped after ${exit.after_ms} ms`;
    case 'not-started':
      return `not started: ${exit.reason}`;
  }
}

function shellText(result: ShellRunResult, changed: readonly string[]): string {
  const parts = [describeExit(result)];
  if (result.stdout !== '') parts.push(`stdout:\n${result.stdout}`);
  if (result.stderr !== '') parts.push(`stderr:\n${result.stderr}`);
  if (changed.length > 0) parts.push(`changed: ${changed.join(', ')}`);
  return parts.join('\n');
}

function answer(value: ToolAnswer): OverlayRun {
  return { kind: 'answer', answer: value };
}

function fail(code: ToolErrorCode, message: string): ToolAnswer {
  return { ok: false, error: { code, message, retryable: code === 'conflict' } };
}
