import type { GuardContainerCreate, GuardVolumeCreate } from '../../../src/contracts/sandbox/guard-api.ts';
import type { SandboxId } from '../../../src/contracts/ids.ts';
import type { EgressAttempt } from '../../../src/contracts/sandbox/package-managers.ts';
import { ContainerRuntimeError } from '../../../src/contracts/ports/container-runtime.ts';
import type {
  ContainerId,
  ContainerInspection,
  ContainerRuntime,
  ContainerSettings,
} from '../../../src/contracts/ports/container-runtime.ts';
import { seccompOf } from '../../../src/contracts/sandbox/sandbox-programs.ts';
import type { SandboxSpec } from '../../../src/kernel/sandbox/sandbox-spec.ts';
import { expectedMounts } from '../../../src/kernel/sandbox/sandbox-spec.ts';

export interface FakeContainer {
  readonly id: ContainerId;
  readonly request: GuardContainerCreate;
  status: 'created' | 'running' | 'paused' | 'exited';
  exitCode: number;
  outOfMemory: boolean;
  output: string;
  readonly exited: PromiseWithResolvers<void>;
  /** Ends it from inside. */
  exit(code: number, outOfMemory?: boolean): void;
}

export type Call = keyof ContainerRuntime;

/** Settings as a faithful engine reports them. */
export function faithfulSettings(
  spec: SandboxSpec,
  request: GuardContainerCreate,
  projectRoot: string,
): ContainerSettings {
  return {
    user: '1000:1000',
    entrypoint: ['node'],
    networkMode: spec.networkOf === undefined ? 'none' : `container:${spec.networkOf.container}`,
    networks: ['none'],
    ipcMode: 'private',
    pidMode: '',
    utsMode: '',
    cgroupnsMode: 'private',
    usernsMode: '',
    privileged: false,
    readonlyRootfs: true,
    capAdd: [],
    capDrop: ['ALL'],
    securityOptions: ['no-new-privileges', `seccomp=${seccompOf(spec.program, spec.template)}`],
    devices: 0,
    memoryBytes: request.limits.memory_bytes,
    cpus: request.limits.cpus,
    pids: request.limits.pids,
    fileSizeBytes: request.limits.file_size_bytes,
    mounts: expectedMounts(spec, { projectRoot, borrowedObjects: null }).map((mount) => ({ kind: 'volume', ...mount })),
  };
}

/**
 * An engine in memory. `onStart` plays the program inside a container; `fail` makes the next calls of one kind fail; everything
 * that is not removed shows in `containers` and `volumes`.
 */
export class FakeEngine implements ContainerRuntime {
  readonly containers = new Map<ContainerId, FakeContainer>();
  readonly volumes = new Map<string, SandboxId>();
  readonly calls: Call[] = [];
  readonly failing = new Map<Call, number>();
  readonly hanging = new Map<Call, Promise<void>>();
  /** Of these calls the effect happens and the answer is lost. */
  readonly losingAnswers = new Set<Call>();
  onStart: (container: FakeContainer) => void = () => undefined;
  tamper: (settings: ContainerSettings, container: FakeContainer) => ContainerSettings = (settings) => settings;
  readonly #projectRoot: string;
  #count = 0;

  constructor(projectRoot: string) {
    this.#projectRoot = projectRoot;
  }

  async #call(name: Call): Promise<void> {
    this.calls.push(name);
    await this.hanging.get(name);
    const left = this.failing.get(name) ?? 0;
    if (left === 0) return;
    this.failing.set(name, left - 1);
    throw new ContainerRuntimeError('failed', name, 'made to fail');
  }

  #answer(name: Call): void {
    if (this.losingAnswers.has(name)) throw new ContainerRuntimeError('unavailable', name, 'no answer');
  }

  #find(id: ContainerId): FakeContainer {
    const found = this.containers.get(id);
    if (found === undefined) throw new ContainerRuntimeError('missing', 'find', 'no such container');
    return found;
  }

  async ping(): Promise<boolean> {
    await this.#call('ping');
    return true;
  }

  async images() {
    await this.#call('images');
    return [];
  }

  async createVolume(request: GuardVolumeCreate): Promise<string> {
    await this.#call('createVolume');
    const name = `volume-${request.sandbox}`;
    this.volumes.set(name, request.sandbox);
    this.#answer('createVolume');
    return name;
  }

  async removeVolume(name: string): Promise<void> {
    await this.#call('removeVolume');
    this.volumes.delete(name);
  }

  async listVolumes() {
    await this.#call('listVolumes');
    return [...this.volumes].map(([name, sandbox]) => ({ name, sandbox }));
  }

  /** What the gate has seen, whatever the sandbox. */
  attempts: readonly EgressAttempt[] = [];
  egress(): Promise<readonly EgressAttempt[]> {
    return Promise.resolve(this.attempts);
  }

  async create(request: GuardContainerCreate): Promise<ContainerId> {
    await this.#call('create');
    this.#count += 1;
    const id = String(this.#count).padStart(64, '0') as ContainerId;
    const container: FakeContainer = {
      id,
      request,
      status: 'created',
      exitCode: 0,
      outOfMemory: false,
      output: '',
      exited: Promise.withResolvers<void>(),
      exit: (code, outOfMemory = false) => {
        container.status = 'exited';
        container.exitCode = code;
        container.outOfMemory = outOfMemory;
        container.exited.resolve();
      },
    };
    this.containers.set(id, container);
    this.#answer('create');
    return id;
  }

  async start(id: ContainerId): Promise<void> {
    await this.#call('start');
    const container = this.#find(id);
    container.status = 'running';
    this.onStart(container);
  }

  async stop(id: ContainerId): Promise<void> {
    await this.#call('stop');
    this.#find(id).exit(143);
  }

  async kill(id: ContainerId): Promise<void> {
    await this.#call('kill');
    this.containers.get(id)?.exit(137);
  }

  async pause(id: ContainerId): Promise<void> {
    await this.#call('pause');
    this.#find(id).status = 'paused';
  }

  async unpause(id: ContainerId): Promise<void> {
    await this.#call('unpause');
    this.#find(id).status = 'running';
  }

  async wait(id: ContainerId, signal: AbortSignal): Promise<number> {
    await this.#call('wait');
    const container = this.#find(id);
    const aborted = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    await Promise.race([container.exited.promise, aborted]);
    return container.exitCode;
  }

  async inspect(id: ContainerId): Promise<ContainerInspection> {
    await this.#call('inspect');
    const container = this.#find(id);
    const { request } = container;
    const spec: SandboxSpec = {
      session: request.session,
      program: request.program,
      template: request.template,
      image: request.image,
      slot: request.workspace.kind === 'overlay' ? 0 : null,
      networkGroups: [],
      ...this.#joined(request),
    };
    return {
      state: {
        status: container.status,
        running: container.status === 'running',
        outOfMemory: container.outOfMemory,
        exitCode: container.exitCode,
      },
      settings: this.tamper(faithfulSettings(spec, request, this.#projectRoot), container),
    };
  }

  #joined({ network_of: of }: GuardContainerCreate): Pick<SandboxSpec, 'networkOf'> {
    const found = [...this.containers.values()].find(({ request }) => request.sandbox === of);
    return of === undefined || found === undefined ? {} : { networkOf: { sandbox: of, container: found.id } };
  }

  async logs(id: ContainerId) {
    await this.#call('logs');
    return { text: this.#find(id).output, omittedBytes: 0 };
  }

  async remove(id: ContainerId): Promise<void> {
    await this.#call('remove');
    this.containers.get(id)?.exit(137);
    this.containers.delete(id);
  }

  async list() {
    await this.#call('list');
    return [...this.containers.values()].map(({ id, request, status }) => ({
      id,
      sandbox: request.sandbox,
      running: status === 'running',
    }));
  }
}
