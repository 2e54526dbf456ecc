import type { SandboxId, SessionId } from '../../../src/contracts/ids.ts';
import type { ModelEvent, ModelRequest } from '../../../src/contracts/model/model.ts';
import type { CapabilityBinding } from '../../../src/contracts/policy.ts';
import type { EgressAttempt, PackageJob, PackageReport } from '../../../src/contracts/sandbox/package-managers.ts';
import type {
  LivingSandbox,
  PackageOperation,
  PackageOutcome,
  ProviderSandbox,
  SandboxFailure,
  Sandboxes,
  TestOperation,
  TestSandboxResult,
  ToolOperation,
  ToolSandboxResult,
} from '../../../src/contracts/ports/sandboxes.ts';
import { fsPatchInputSchema, fsWriteInputSchema } from '../../../src/contracts/model/tool-call.ts';
import { write } from '../../../tool-plugins/fs-tool/patch-tools.ts';
import { ToolFailure } from '../../../tool-plugins/sdk/index.ts';
import type { FileTree, TreeFile } from './file-tree.ts';
import type { Slots } from './memory-workspace.ts';

/** What a fake tool works with: its parameters, and the files of its overlay (empty for a tool that gets no workspace). */
export interface ToolRun {
  readonly operation: ToolOperation;
  readonly files: FileTree;
}
/** Returns the tool's result. A `ToolFailure` becomes the error that a plugin answers with. */
export type FakeTool = (run: ToolRun) => unknown;

/** What a fake test run finds. */
export interface TestRunOf {
  readonly operation: TestOperation;
  readonly files: FileTree;
}
export type FakeTestRunner = (run: TestRunOf) => Partial<TestSandboxResult> | SandboxFailure;

/** One answer of the model: events, or a function of the request. */
export type FakeTurn = readonly ModelEvent[] | ((request: ModelRequest) => readonly ModelEvent[]);

const EXITED_WITH_0 = {
  results: [{ exit: { kind: 'exited', code: 0 }, stdout: '', stderr: '', truncated: false, duration_ms: 1 }],
};

/** Tools that do what the shipped plugins do, on files in memory. */
function shippedTools(): Map<string, FakeTool> {
  return new Map<string, FakeTool>([
    ['fs.write', ({ operation }) => write(fsWriteInputSchema.parse(operation.params))],
    [
      'fs.delete',
      ({ operation, files }) => {
        const { path } = operation.params as { path: string };
        const gone = beneath(files, path);
        for (const each of gone) files.delete(each);
        return { entries: gone.length };
      },
    ],
    [
      'fs.move',
      ({ operation, files }) => {
        const { from, to } = operation.params as { from: string; to: string };
        const moved = beneath(files, from);
        for (const each of moved) {
          const file = files.get(each);
          if (file !== undefined) files.set(`${to}${each.slice(from.length)}`, file);
          files.delete(each);
        }
        return { entries: moved.length };
      },
    ],
    [
      'fs.patch',
      ({ operation, files }) => {
        const steps = fsPatchInputSchema.parse(operation.params).files;
        for (const step of steps) {
          if (step.kind === 'delete') files.delete(step.path);
          else files.set(step.kind === 'move' ? step.to : step.path, { text: step.content, executable: false });
          if (step.kind === 'move') files.delete(step.from);
        }
        return { entries: steps.length };
      },
    ],
    ['shell.run', () => EXITED_WITH_0],
    ['git.status', () => ({ text: 'nothing to commit' })],
    ['git.diff', () => ({ diff: '', truncated: false })],
    ['git.log', () => ({ text: 'abc1234 first' })],
  ]);
}

function beneath(files: FileTree, path: string): string[] {
  return [...files.keys()].filter((each) => each === path || each.startsWith(`${path}/`));
}

/**
 * Sandboxes that run functions. A tool's answer counts only if its capability can be redeemed, as with a real sandbox. `tools` can be replaced one by one;
 * `operations` and `testRuns` are what was started.
 */
export class FakeSandboxes implements Sandboxes {
  readonly tools = shippedTools();
  readonly operations: ToolOperation[] = [];
  readonly testRuns: TestOperation[] = [];
  readonly requests: ModelRequest[] = [];
  /** Answers of the model, in order; each is used once. */
  readonly turns: FakeTurn[] = [];
  /** A model in place of `turns`. */
  chat: ProviderSandbox['chat'] | null = null;
  /** What a package manager leaves, the connections that it asked for, and the layers that were kept. */
  runPackages: (job: PackageJob) => PackageReport = () => ({ kind: 'failed', failure: 'other', message: 'no fake' });
  attempts: readonly EgressAttempt[] = [];
  /** What a package manager says while it fetches: done, and of how many. */
  fetched: readonly (readonly [done: number, total: number])[] = [];
  readonly packageJobs: PackageOperation[] = [];
  readonly layers: string[] = [];
  runTests: FakeTestRunner = () => ({ kind: 'failed', reason: 'the test has no fake runner' });
  /** Calls of `warm`, `cool`, `closeAll` and of providers that were closed. */
  readonly log: string[] = [];
  readonly running: LivingSandbox[] = [];
  readonly #slots: Slots;
  #count = 0;

  constructor(slots: Slots) {
    this.#slots = slots;
  }

  living(): readonly LivingSandbox[] {
    return this.running;
  }

  async tool(operation: ToolOperation): Promise<ToolSandboxResult> {
    this.operations.push(operation);
    const sandbox = this.#nextId();
    const holder: CapabilityBinding = {
      sandboxId: sandbox,
      connectionId: `${sandbox}/1`,
      peerUid: 1000,
      peerPid: null,
    };
    const { authority } = operation;
    const capability = authority?.issue(holder);
    try {
      const run = this.tools.get(operation.method);
      if (run === undefined) return { kind: 'failed', sandbox, reason: `no fake tool ${operation.method}` };
      const files = operation.slot === null ? new Map<string, TreeFile>() : this.#slots.at(operation.slot);
      const result = await run({ operation, files });
      const refusal = capability === undefined ? null : authority?.redeem(holder, { ...capability, use: 1 });
      if (typeof refusal === 'string') return { kind: 'failed', sandbox, reason: refusal };
      return { kind: 'ok', sandbox, result };
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
      return { kind: 'tool-error', sandbox, code: error.code, message: error.message };
    } finally {
      authority?.withdraw();
    }
  }

  test(operation: TestOperation): ReturnType<Sandboxes['test']> {
    this.testRuns.push(operation);
    const outcome = this.runTests({ operation, files: this.#slots.at(operation.slot) });
    if ('kind' in outcome) return Promise.resolve(outcome);
    const result: TestSandboxResult = {
      sandbox: this.#nextId(),
      exit: { kind: 'exited', code: 0 },
      report: null,
      reportTruncated: false,
      output: '',
      durationMs: 1,
      ...outcome,
    };
    return Promise.resolve({ kind: 'ran', result });
  }

  packages<Judged>(operation: PackageOperation<Judged>): Promise<PackageOutcome<Judged>> {
    this.packageJobs.push(operation);
    const sandbox = this.#nextId();
    for (const counts of this.fetched) operation.onFetched?.(...counts);
    operation.onAttempts(this.attempts);
    const verdict = operation.judge(this.runPackages(operation.job));
    if (verdict.kind === 'drop') return Promise.resolve({ kind: 'dropped', sandbox, why: verdict.why });
    this.layers.push(verdict.layer.id);
    return Promise.resolve({ kind: 'kept', sandbox, judged: verdict.judged });
  }

  provider(_session: SessionId, name: string): Promise<ProviderSandbox> {
    const sandbox = this.#nextId();
    this.log.push(`provider ${name}`);
    return Promise.resolve({
      sandbox,
      over: false,
      chat: (request, onEvent, signal) => {
        signal.throwIfAborted();
        if (this.chat !== null) return this.chat(request, onEvent, signal);
        this.requests.push(request);
        const turn = this.turns.shift();
        if (turn === undefined) throw new Error('the test has no further answer of the model');
        for (const event of typeof turn === 'function' ? turn(request) : turn) onEvent(event);
        return Promise.resolve();
      },
      close: () => {
        this.log.push(`close ${name}`);
        return Promise.resolve();
      },
    });
  }

  warm(session: SessionId, provider: string): void {
    this.log.push(`warm ${session} ${provider}`);
  }
  cool(session: SessionId): void {
    this.log.push(`cool ${session}`);
  }
  collectOrphans(): Promise<number> {
    return Promise.resolve(0);
  }
  closeAll(session?: SessionId): Promise<void> {
    this.log.push(`closeAll ${session ?? ''}`);
    return Promise.resolve();
  }

  #nextId(): SandboxId {
    this.#count += 1;
    return `x_sandbox${String(this.#count).padStart(3, '0')}` as SandboxId;
  }
}

/** The events of an answer with a text and calls. */
export function modelAnswer(
  text: string,
  calls: readonly { readonly tool: string; readonly input: unknown }[] = [],
): ModelEvent[] {
  return [
    ...(text === '' ? [] : [{ type: 'text_delta' as const, text }]),
    ...calls.flatMap(({ tool, input }, index): ModelEvent[] => [
      { type: 'call_start', index, call_id: `call_${index}`, tool },
      {
        type: 'call_delta',
        index,
        arguments_delta: typeof input === 'string' ? input : (JSON.stringify(input) ?? 'null'),
      },
      { type: 'call_end', index },
    ]),
    { type: 'usage', usage: { input_tokens: 1, output_tokens: 1, cache_read_tokens: 0 } },
    { type: 'done', stop: calls.length === 0 ? 'end_turn' : 'tool_calls' },
  ];
}
