import { sandboxIdSchema, sessionIdSchema } from '../../contracts/ids.ts';
import type { SandboxId, SessionId } from '../../contracts/ids.ts';
import type { Priority } from '../../contracts/ports/admission.ts';
import type { PolicySandbox, PolicySandboxes } from '../../contracts/ports/policy-sandboxes.ts';
import type {
  JobFile,
  LivingSandbox,
  PackageOperation,
  PackageOutcome,
  ProviderSandbox,
  RunNetwork,
  SandboxFailure,
  Sandboxes,
  TestOperation,
  ToolOperation,
  ToolSandboxResult,
} from '../../contracts/ports/sandboxes.ts';
import { PACKAGE_JOB_FILE } from '../../contracts/sandbox/package-managers.ts';
import { isDiskFull } from '../../lib/disk-full.ts';
import { messageOf } from '../../lib/text/message-of.ts';
import { collectOrphans } from './collect-orphans.ts';
import { LivePolicySandbox } from './policy-sandbox.ts';
import { PreemptionControl } from './preemption-control.ts';
import { LiveProviderSandbox } from './provider-sandbox.ts';
import { jobFiles, runTest } from './run-test.ts';
import type { TestRunOutcome } from './run-test.ts';
import { openRunNetwork } from './run-network.ts';
import type { OpenedNetwork, SandboxMaker } from './run-network.ts';
import { runPackages } from './run-packages.ts';
import { runTool } from './run-tool.ts';
import { Sandbox } from './sandbox.ts';
import { inProjectImage, packageSpec, policySpec, providerSpec, testSpec, toolSpec } from './sandbox-spec.ts';
import type { SandboxSpec } from './sandbox-spec.ts';
import type { SandboxServices } from './sandbox-services.ts';
import { Standbys } from './standbys.ts';
import type { OperationWatch } from './watch-operation.ts';

const PRIORITY = { provider: 2, operation: 3 } as const satisfies Record<string, Priority>;
const BACK_OFF_MS = 1_000;

interface Operation<T> {
  readonly spec: SandboxSpec;
  readonly fromStandby: boolean;
  readonly files: readonly JobFile[];
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
  readonly network?: RunNetwork;
  /** `watching` receives the watch, so that the operation can be paused or ended to make room. */
  readonly work: (sandbox: Sandbox, watching: (watch: OperationWatch) => void) => Promise<T>;
}

type OperationOutcome<T> =
  { readonly kind: 'done'; readonly value: T } | { readonly kind: 'none'; readonly failure: SandboxFailure };

/** Creates, watches and removes sandboxes. Whether a sandbox may be created is decided elsewhere. */
export class SandboxManager implements Sandboxes, PolicySandboxes {
  readonly #services: SandboxServices;
  readonly #standbys: Standbys;
  readonly #maker: SandboxMaker = {
    open: (spec, signal) => this.#open(spec, [], signal),
    close: (sandbox) => this.#close(sandbox),
  };
  /** Every sandbox, from before its first effect outside this process until its last one is removed. */
  readonly #living = new Map<SandboxId, Sandbox>();
  readonly #closing = new Set<Promise<void>>();
  /** Sessions whose standbys will be closed soon; aborted if they are needed after all. */
  readonly #resting = new Map<SessionId, AbortController>();
  /** Aborts everything of a session that is in progress. */
  readonly #sessions = new Map<SessionId, AbortController>();

  constructor(services: SandboxServices) {
    this.#services = services;
    this.#standbys = new Standbys({
      make: (spec, signal) => this.#open(spec, [], signal),
      backOff: (failures, signal) => services.clock.sleep(BACK_OFF_MS * 2 ** (failures - 1), signal),
    });
  }

  /**
   * Runs one tool in a sandbox of its own. With a slot it resolves after the sandbox is removed, so that the workspace
   * can be read back; without a slot, as soon as there is an answer.
   */
  async tool(operation: ToolOperation): Promise<ToolSandboxResult> {
    const signal = this.#signalFor(operation.session, operation.signal);
    const spec = this.#placed(toolSpec(operation.session, operation.program, operation.slot));
    const fromStandby = operation.slot === null && operation.program === 'tool:fs';
    const outcome = await this.#operate({
      spec,
      fromStandby,
      files: [],
      signal,
      deadlineMs: operation.deadlineMs,
      work: (sandbox, watching) => runTool(this.#services, sandbox, { ...operation, signal }, watching),
    });
    return outcome.kind === 'done' ? outcome.value : { sandbox: null, ...outcome.failure };
  }

  living(session: SessionId): LivingSandbox[] {
    return [...this.#living.values()]
      .filter(({ spec }) => spec.session === session)
      .map(({ id, spec, state, ageMs }) => ({ id, program: spec.program, template: spec.template, state, ageMs }));
  }

  /** Runs tests. Resolves when the sandbox is removed, apart from its changes in the slot. */
  async test(operation: TestOperation): Promise<TestRunOutcome> {
    const signal = this.#signalFor(operation.session, operation.signal);
    const { session, slot, job, network } = operation;
    const template = network === undefined || network.groups.length === 0 ? 'code-executor' : 'integration-test';
    const spec = this.#placed(testSpec(session, slot, job.image, template));
    const files = jobFiles(job, this.#services.identity.projectRoot);
    const outcome = await this.#operate({
      spec,
      fromStandby: false,
      files,
      signal,
      deadlineMs: operation.deadlineMs,
      ...(network === undefined ? {} : { network }),
      work: (sandbox, watching) => runTest(this.#services, sandbox, { ...operation, signal }, watching),
    });
    return outcome.kind === 'done' ? outcome.value : outcome.failure;
  }

  /** Runs a package manager and keeps the installed packages if the report is good. Resolves after that. */
  async packages<Judged>(operation: PackageOperation<Judged>): Promise<PackageOutcome<Judged>> {
    const signal = this.#signalFor(operation.session, operation.signal);
    const outcome = await this.#operate({
      spec: packageSpec(operation.session, operation.manager),
      fromStandby: false,
      files: [{ name: PACKAGE_JOB_FILE, content: JSON.stringify(operation.job) }],
      signal,
      deadlineMs: operation.deadlineMs,
      work: (sandbox, watching) => runPackages(this.#services, sandbox, { ...operation, signal }, watching),
    });
    return outcome.kind === 'done' ? outcome.value : outcome.failure;
  }

  /** Rejects with the reason why the sandbox could not be created, or with the reason of `closeAll`. */
  async provider(session: SessionId, name: string): Promise<ProviderSandbox> {
    const signal = this.#signalFor(session);
    const spec = providerSpec(session, name);
    const leave = await this.#services.admission.enter({
      template: spec.template,
      priority: PRIORITY.provider,
      signal,
    });
    try {
      const sandbox = (await this.#standbys.take(spec)) ?? (await this.#open(spec, [], signal));
      const release = async (): Promise<void> => {
        await this.#close(sandbox);
        leave();
        this.#standbys.refill();
      };
      return new LiveProviderSandbox(this.#services, sandbox, release);
    } catch (error) {
      leave();
      throw error;
    }
  }

  /**
   * This sandbox belongs to the kernel and to no session. It needs no place in the queue, because other sandboxes wait
   * for its decision.
   */
  async policy(signal: AbortSignal): Promise<PolicySandbox> {
    const spec = policySpec(sessionIdSchema.parse(this.#services.random.id('s')));
    const sandbox = await this.#open(spec, [], signal);
    return new LivePolicySandbox(this.#services, sandbox, () => this.#close(sandbox));
  }

  warm(session: SessionId, provider: string): void {
    this.#resting.get(session)?.abort();
    // In the order in which they are needed.
    this.#standbys.want(session, [providerSpec(session, provider), toolSpec(session, 'tool:fs', null)]);
  }

  cool(session: SessionId, afterMs = 0): void {
    this.#resting.get(session)?.abort();
    if (afterMs === 0) return void this.#standbys.close(session);
    const over = new AbortController();
    this.#resting.set(session, over);
    const closing = this.#services.clock.sleep(afterMs, over.signal).then(() => this.#standbys.close(session));
    void closing
      .catch(() => undefined)
      .finally(() => {
        if (this.#resting.get(session) === over) this.#resting.delete(session);
      });
  }

  collectOrphans(): Promise<number> {
    const { runtime, directories } = this.#services;
    return collectOrphans({ runtime, directories, isLiving: (sandbox) => this.#living.has(sandbox) });
  }

  async closeAll(session?: SessionId): Promise<void> {
    const concerns = (found: SessionId): boolean => session === undefined || found === session;
    for (const [id, controller] of [...this.#sessions]) {
      if (!concerns(id)) continue;
      this.#sessions.delete(id);
      controller.abort(new Error('the session was closed'));
    }
    for (const [id, over] of [...this.#resting]) if (concerns(id)) over.abort();
    await this.#standbys.close(session);
    const ending = [...this.#living.values()].filter((sandbox) => concerns(sandbox.spec.session));
    await Promise.all(ending.map((sandbox) => this.#close(sandbox)));
    await Promise.all(this.#closing);
  }

  #placed(spec: SandboxSpec): SandboxSpec {
    return this.#services.hasProjectImage === true ? inProjectImage(spec) : spec;
  }

  /** Gets a place, opens a sandbox, does the work, and cleans up in every case. */
  async #operate<T>(operation: Operation<T>): Promise<OperationOutcome<T>> {
    const { fromStandby, files, signal, deadlineMs, network, work } = operation;
    let { spec } = operation;
    const control = new PreemptionControl(deadlineMs);
    let leave: () => void = () => undefined;
    let sandbox: Sandbox | null = null;
    let opened: OpenedNetwork | null = null;
    try {
      leave = await this.#services.admission.enter({
        template: spec.template,
        priority: PRIORITY.operation,
        signal,
        preemption: control,
      });
      if (network !== undefined) {
        opened = await openRunNetwork(this.#services, this.#maker, { session: spec.session, network, signal });
        spec = { ...spec, networkOf: opened.joined };
      }
      sandbox = (fromStandby ? await this.#standbys.take(spec) : null) ?? (await this.#open(spec, files, signal));
      return { kind: 'done', value: await work(sandbox, (watch) => control.attach(watch)) };
    } catch (error) {
      if (signal.aborted) return { kind: 'none', failure: { kind: 'cancelled' } };
      if (isDiskFull(error)) return { kind: 'none', failure: { kind: 'disk-full' } };
      return {
        kind: 'none',
        failure: { kind: 'failed', reason: messageOf(error) },
      };
    } finally {
      const over = this.#finish(sandbox, opened, () => {
        leave();
        control.finish();
      });
      // A caller that mounted a workspace wants to read it back, which is possible only after it is unmounted.
      if (spec.slot !== null) await over;
    }
  }

  async #finish(sandbox: Sandbox | null, network: OpenedNetwork | null, leave: () => void): Promise<void> {
    if (sandbox !== null) await this.#close(sandbox);
    await network?.close();
    leave();
    this.#standbys.refill();
  }

  #open(spec: SandboxSpec, files: readonly JobFile[], signal: AbortSignal): Promise<Sandbox> {
    const id = sandboxIdSchema.parse(this.#services.random.id('x'));
    const onMade = (sandbox: Sandbox): void => void this.#living.set(id, sandbox);
    return Sandbox.open(this.#services, { id, spec, files, signal, onMade }).catch((error: unknown) => {
      this.#living.delete(id);
      throw error;
    });
  }

  #close(sandbox: Sandbox): Promise<void> {
    const closed = sandbox.close().then(() => {
      this.#living.delete(sandbox.id);
      this.#closing.delete(closed);
    });
    this.#closing.add(closed);
    return closed;
  }

  #signalFor(session: SessionId, own?: AbortSignal): AbortSignal {
    const controller = this.#sessions.get(session) ?? new AbortController();
    this.#sessions.set(session, controller);
    return own === undefined ? controller.signal : AbortSignal.any([controller.signal, own]);
  }
}
