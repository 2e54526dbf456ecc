import type { SandboxId } from '../../contracts/ids.ts';
import type { BoundedOutput, ContainerId, ContainerState } from '../../contracts/ports/container-runtime.ts';
import type { CapabilityBinding } from '../../contracts/policy.ts';
import type { JobFile } from '../../contracts/ports/sandboxes.ts';
import { describeClose, servePeers } from '../../ipc/index.ts';
import type { Listener, PeerIdentity, RpcPeer } from '../../ipc/index.ts';
import { differences } from './compare-settings.ts';
import { transition } from './lifecycle.ts';
import type { LifecycleEvent, LifecycleState } from './lifecycle.ts';
import { SANDBOX_PROGRAMS, seesPackages } from '../../contracts/sandbox/sandbox-programs.ts';
import { containerRequest, hasKernelSocket } from './sandbox-spec.ts';
import type { SandboxSpec } from './sandbox-spec.ts';
import type { SandboxLifecycle, SandboxServices } from './sandbox-services.ts';
import { within } from './within.ts';

/** Maximum output shown for a sandbox that died before it was ready. */
const LAST_WORDS = { headBytes: 1024, tailBytes: 3072 };

export interface SandboxOpening {
  readonly id: SandboxId;
  readonly spec: SandboxSpec;
  /** Its job, for a test run. */
  readonly files: readonly JobFile[];
  readonly signal: AbortSignal;
  /** Called before anything exists outside this process. */
  readonly onMade: (sandbox: Sandbox) => void;
}

/**
 * One container with its socket, directories and workspace volume. Created by `open`, which cleans up before it throws. Ended by `close`, which never
 * throws and may be called at any time and more than once.
 */
export class Sandbox {
  readonly id: SandboxId;
  readonly spec: SandboxSpec;
  /** Resolves with the final state after the container has ended; with null if the engine does not know it. Never rejects. */
  readonly ended: Promise<ContainerState | null>;
  readonly #services: SandboxServices;
  readonly #bornMs: number;
  readonly #connected = Promise.withResolvers<{ peer: RpcPeer; identity: PeerIdentity | null }>();
  readonly #resolveEnded: (state: ContainerState | null) => void;
  readonly #stopWaiting = new AbortController();
  #state: LifecycleState = 'creating';
  #listener: Listener | null = null;
  #volume: string | null = null;
  #container: ContainerId | null = null;
  /** A request to the engine got no answer: it may still have been executed. */
  #unanswered = false;
  #peer: RpcPeer | null = null;
  #identity: PeerIdentity | null = null;
  #making: Promise<void> = Promise.resolve();
  #closing: Promise<void> | null = null;

  private constructor(services: SandboxServices, id: SandboxId, spec: SandboxSpec) {
    this.#services = services;
    this.id = id;
    this.spec = spec;
    this.#bornMs = services.clock.monotonicMs();
    const { promise, resolve } = Promise.withResolvers<ContainerState | null>();
    this.ended = promise;
    this.#resolveEnded = resolve;
    this.#connected.promise.catch(() => undefined);
  }

  /**
   * Creates and starts a sandbox. Resolves when it is ready for requests: inspected from outside, and connected if it has a socket. Rejects after
   * everything was cleaned up, with the cause or with the signal's reason.
   */
  static async open(services: SandboxServices, opening: SandboxOpening): Promise<Sandbox> {
    const { id, spec, files, signal, onMade } = opening;
    const sandbox = new Sandbox(services, id, spec);
    onMade(sandbox);
    const giveUp = AbortSignal.any([signal, sandbox.#stopWaiting.signal]);
    try {
      sandbox.#making = sandbox.#make(files, giveUp);
      await within(services.clock, services.timing.readyWithinMs, giveUp, sandbox.#making);
      return sandbox;
    } catch (error) {
      sandbox.fail(error instanceof Error ? error.message : String(error));
      await sandbox.close();
      throw error;
    }
  }

  get state(): LifecycleState {
    return this.#state;
  }

  get ageMs(): number {
    return this.#services.clock.monotonicMs() - this.#bornMs;
  }

  /** The engine's id of the container; null before it exists. */
  get container(): ContainerId | null {
    return this.#container;
  }

  /** The connection to the program inside. Throws for a sandbox without a socket. */
  get peer(): RpcPeer {
    if (this.#peer === null) throw new Error(`sandbox ${this.id} has no connection`);
    return this.#peer;
  }

  /**
   * Identity of the connected program, from the kernel's own knowledge: the sandbox by its own socket, its only connection, its user, and its process
   * if visible (0 is a process of another pid namespace).
   */
  get holder(): CapabilityBinding {
    const { uid, pid } = this.#identity ?? { uid: this.#services.identity.uid, pid: 0 };
    return { sandboxId: this.id, connectionId: `${this.id}/1`, peerUid: uid, peerPid: pid === 0 ? null : pid };
  }

  /** Ends its processes at once; its output can still be read. */
  async kill(): Promise<void> {
    if (this.#container !== null) await this.#services.runtime.kill(this.#container);
  }

  async pause(): Promise<void> {
    if (this.#container !== null) await this.#services.runtime.pause(this.#container);
  }

  async unpause(): Promise<void> {
    if (this.#container !== null) await this.#services.runtime.unpause(this.#container);
  }

  async output(bounds: { headBytes: number; tailBytes: number }): Promise<BoundedOutput> {
    if (this.#container === null) return { text: '', omittedBytes: 0 };
    return this.#services.runtime.logs(this.#container, bounds);
  }

  /** Reports that it broke, and why; `close` must still be called. Only the first reason counts. */
  fail(reason: string): void {
    if (this.#state !== 'creating' && this.#state !== 'running') return;
    this.#advance('broke');
    this.#reportEnd({ kind: 'failed', reason, afterMs: this.#ageMs() });
  }

  /** Stops it and removes everything that belongs to it. Never rejects: what could not be removed is reported and left to the orphan collection. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #make(files: readonly JobFile[], stopped: AbortSignal): Promise<void> {
    const { runtime, directories, identity: owner } = this.#services;
    const { spec, id } = this;
    const limits = owner.limits[spec.template];
    if (hasKernelSocket(spec.program)) await this.#listen();
    else if (SANDBOX_PROGRAMS[spec.program].job) await directories.createJob(id, files);
    stopped.throwIfAborted();
    this.#unanswered = true;
    if (spec.slot !== null) {
      const layers = seesPackages(spec.program) ? (this.#services.layersOf?.(spec.slot) ?? []) : [];
      this.#volume = await runtime.createVolume({
        sandbox: id,
        session: spec.session,
        slot: spec.slot,
        ...(layers.length === 0 ? {} : { layers: [...layers] }),
      });
    }
    stopped.throwIfAborted();
    const container = await runtime.create(containerRequest(id, spec, this.#volume, limits));
    this.#container = container;
    this.#unanswered = false;
    stopped.throwIfAborted();
    // Project code runs from the first moment. So the container is inspected before the start, and again when it runs.
    if (SANDBOX_PROGRAMS[spec.program].runsProjectCode) await this.#check(container);
    await runtime.start(container);
    void this.#watch(container);
    await Promise.all([this.#check(container), this.#connect()]);
    stopped.throwIfAborted();
    this.#advance('ready');
    const identity = hasKernelSocket(spec.program) ? (await this.#connected.promise).identity : null;
    this.#report({
      kind: 'created',
      tookMs: this.#ageMs(),
      peer: identity === null ? null : { pid: identity.pid, uid: identity.uid },
    });
  }

  /** The socket exists before the container. It accepts exactly one connection, and only from the sandboxes' user. */
  async #listen(): Promise<void> {
    const { directories, identity, kernelVersion } = this.#services;
    const path = await directories.createSocket(this.id);
    const name = SANDBOX_PROGRAMS[this.spec.program].pluginName;
    this.#listener = await servePeers(path, {
      mode: 0o600,
      maxTotal: 1,
      allowUids: [identity.uid],
      kernelVersion,
      handshakeMs: this.#services.timing.readyWithinMs,
      admit: (hello) => (hello.plugin_name === name ? null : `${hello.plugin_name} is not ${name}`),
      onPeer: (peer, _hello, peerIdentity) => this.#connected.resolve({ peer, identity: peerIdentity }),
      onRefused: (reason) => this.#connected.reject(new Error(`the connection was ${describeClose(reason)}`)),
    });
  }

  async #connect(): Promise<void> {
    if (!hasKernelSocket(this.spec.program)) return;
    const first = await Promise.race([this.#connected.promise, this.ended.then(() => null)]);
    if (first === null) {
      // If the wait was given up, the container still runs and the engine would wait for the rest of its output.
      this.#stopWaiting.signal.throwIfAborted();
      const { text } = await this.output(LAST_WORDS).catch(() => ({ text: '' }));
      throw new Error(`the program ended before it was ready${text === '' ? '' : `: ${text}`}`);
    }
    this.#peer = first.peer;
    this.#identity = first.identity;
  }

  async #check(container: ContainerId): Promise<void> {
    const { settings } = await this.#services.runtime.inspect(container);
    const found = differences(this.spec, this.#services.identity, settings);
    if (found.length > 0) throw new Error(`the sandbox differs from the request: ${found.join('; ')}`);
  }

  async #watch(container: ContainerId): Promise<void> {
    const { runtime } = this.#services;
    try {
      await runtime.wait(container, this.#stopWaiting.signal);
      this.#resolveEnded((await runtime.inspect(container)).state);
    } catch {
      this.#resolveEnded(null);
    }
  }

  async #end(): Promise<void> {
    if (this.#state === 'running') this.#advance('finished');
    if (this.#state === 'creating') this.fail('it was closed while it was being made');
    this.#stopWaiting.abort(new Error('the sandbox was closed'));
    // Whatever is still being created would otherwise appear after the clean-up.
    await this.#making.catch(() => undefined);
    if (this.#state === 'stopping') this.#advance('stopped');
    else this.#advance('clean-up');
    const leftovers = await this.#cleanUp();
    this.#resolveEnded(null);
    this.#advance('cleaned');
    this.#reportEnd({ kind: 'destroyed', livedMs: this.#ageMs(), leftovers });
  }

  /** Each step is tried even if others failed, but nothing is removed under a container that may still run. */
  async #cleanUp(): Promise<string[]> {
    const { runtime, directories } = this.#services;
    const leftovers: string[] = [];
    const attempt = async (what: string, step: () => Promise<void> | undefined): Promise<boolean> => {
      try {
        await step();
        return true;
      } catch (error) {
        leftovers.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
        return false;
      }
    };
    this.#peer?.close();
    await attempt('socket', () => this.#listener?.close());
    const found = { containers: [this.#container], volumes: [this.#volume] };
    if (this.#unanswered) await attempt('search', async () => void Object.assign(found, await this.#search()));
    let removed = true;
    for (const id of found.containers) {
      if (id !== null) removed = (await attempt('container', () => runtime.remove(id))) && removed;
    }
    for (const name of found.volumes) if (name !== null) await attempt('workspace', () => runtime.removeVolume(name));
    if (removed) await attempt('directories', () => directories.remove(this.id));
    return leftovers;
  }

  async #search(): Promise<{ containers: (ContainerId | null)[]; volumes: (string | null)[] }> {
    const { runtime } = this.#services;
    const containers = (await runtime.list()).filter(({ sandbox }) => sandbox === this.id);
    const volumes = (await runtime.listVolumes()).filter(({ sandbox }) => sandbox === this.id);
    return { containers: containers.map(({ id }) => id), volumes: volumes.map(({ name }) => name) };
  }

  #advance(event: LifecycleEvent): void {
    const next = transition(this.#state, event);
    if (next === null) throw new Error(`sandbox ${this.id} cannot be ${event} while ${this.#state}`);
    this.#state = next;
  }

  #ageMs(): number {
    return this.#services.clock.monotonicMs() - this.#bornMs;
  }

  #report(event: LifecycleStep): void {
    const { session, program, template } = this.spec;
    this.#services.onLifecycle({ sandbox: this.id, session, program, template, ...event });
  }

  /** The sandbox ends even if the end cannot be reported. */
  #reportEnd(event: Extract<LifecycleStep, { kind: 'failed' | 'destroyed' }>): void {
    try {
      this.#report(event);
    } catch {
      return;
    }
  }
}

type LifecycleStep = DistributiveOmit<SandboxLifecycle, 'sandbox' | 'session' | 'program' | 'template'>;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
