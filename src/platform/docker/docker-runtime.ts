import Docker from 'dockerode';
import type { GuardContainerCreate, GuardVolumeCreate } from '../../contracts/sandbox/guard-api.ts';
import type {
  BoundedOutput,
  ContainerId,
  ContainerInspection,
  ContainerRuntime,
  ContainerRuntimeErrorKind,
  OwnedContainer,
  OwnedVolume,
} from '../../contracts/ports/container-runtime.ts';
import type { SandboxId } from '../../contracts/ids.ts';
import { egressAnswerSchema } from '../../contracts/sandbox/package-managers.ts';
import type { EgressAttempt } from '../../contracts/sandbox/package-managers.ts';
import { HeadTail } from '../../lib/text/head-tail.ts';
import { askGuard } from './ask-guard.ts';
import {
  parseContainers,
  parseCreated,
  parseExit,
  parseImages,
  parseInspection,
  parseVolumeCreated,
  parseVolumes,
} from './engine-answers.ts';
import { LogDemultiplexer } from './log-demultiplexer.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { runtimeError } from './runtime-errors.ts';

export interface DockerRuntimeOptions {
  /** The runtime guard's socket. */
  readonly socketPath: string;
  /** For every call except `wait`. Default 60 s. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const MAX_EGRESS_BYTES = 1024 * 1024;

/**
 * The engine through the runtime guard's socket. It is the engine's own API, but the bodies of create requests contain
 * no path, image digest or command (guard-api.ts).
 */
export class DockerRuntime implements ContainerRuntime {
  readonly #docker: Docker;
  readonly #timeoutMs: number;
  readonly #socketPath: string;

  constructor(options: DockerRuntimeOptions) {
    // An explicit `host` prevents the use of DOCKER_HOST from the environment.
    this.#docker = new Docker({ socketPath: options.socketPath, host: undefined });
    this.#socketPath = options.socketPath;
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  }

  async ping(): Promise<boolean> {
    return this.#call('ping the engine', () => this.#docker.ping()).then(
      () => true,
      () => false,
    );
  }

  async images(): Promise<readonly { name: string; id: string }[]> {
    return parseImages(await this.#call('list images', (abortSignal) => this.#docker.listImages({ abortSignal })));
  }

  async createVolume(request: GuardVolumeCreate): Promise<string> {
    const action = `make the workspace of ${request.sandbox}`;
    return this.#call(action, async (abortSignal) => {
      const body = guardBody<Docker.VolumeCreateOptions>(request, abortSignal);
      const volume: unknown = await this.#docker.createVolume(body);
      return parseVolumeCreated(volume);
    });
  }

  async removeVolume(name: string): Promise<void> {
    await this.#end(`remove volume ${name}`, ['missing'], (abortSignal) =>
      this.#docker.getVolume(name).remove({ abortSignal }),
    );
  }

  async listVolumes(): Promise<readonly OwnedVolume[]> {
    return this.#call('list volumes', async (abortSignal) =>
      parseVolumes(await this.#docker.listVolumes({ abortSignal })),
    );
  }

  async egress(sandbox: SandboxId): Promise<readonly EgressAttempt[]> {
    const question = {
      path: `/fluffy/egress/${sandbox}`,
      timeoutMs: this.#timeoutMs,
      maxAnswerBytes: MAX_EGRESS_BYTES,
    };
    return this.#call(`list the connections of ${sandbox}`, async () => {
      const { status, text } = await askGuard(this.#socketPath, question);
      if (status !== 200) throw new Error(text.slice(0, 500));
      return egressAnswerSchema.parse(JSON.parse(text)).attempts;
    });
  }

  async create(request: GuardContainerCreate): Promise<ContainerId> {
    return this.#call(`create ${request.sandbox}`, async (abortSignal) => {
      const body = guardBody<Docker.ContainerCreateOptions>(request, abortSignal);
      const container: unknown = await this.#docker.createContainer(body);
      return parseCreated(container);
    });
  }

  async start(id: ContainerId): Promise<void> {
    await this.#call(`start ${short(id)}`, (abortSignal) => this.#container(id).start({ abortSignal }));
  }

  async stop(id: ContainerId, graceSeconds: number): Promise<void> {
    await this.#end(`stop ${short(id)}`, ['missing', 'conflict'], (abortSignal) =>
      this.#container(id).stop({ t: graceSeconds, abortSignal }),
    );
  }

  async kill(id: ContainerId): Promise<void> {
    await this.#end(`kill ${short(id)}`, ['missing', 'conflict'], (abortSignal) =>
      this.#container(id).kill({ abortSignal }),
    );
  }

  async pause(id: ContainerId): Promise<void> {
    await this.#call(`pause ${short(id)}`, (abortSignal) => this.#container(id).pause({ abortSignal }));
  }

  async unpause(id: ContainerId): Promise<void> {
    await this.#call(`unpause ${short(id)}`, (abortSignal) => this.#container(id).unpause({ abortSignal }));
  }

  async wait(id: ContainerId, signal: AbortSignal): Promise<number> {
    try {
      return parseExit(await this.#container(id).wait({ abortSignal: signal }));
    } catch (error) {
      throw runtimeError(`wait for ${short(id)}`, error);
    }
  }

  async inspect(id: ContainerId): Promise<ContainerInspection> {
    return this.#call(`inspect ${short(id)}`, async (abortSignal) =>
      parseInspection(await this.#container(id).inspect({ abortSignal })),
    );
  }

  async logs(id: ContainerId, bounds: { headBytes: number; tailBytes: number }): Promise<BoundedOutput> {
    return this.#call(`read the output of ${short(id)}`, async (abortSignal) => {
      // Following a container that has ended returns its whole log as a stream that then ends.
      const stream = await this.#container(id).logs({ stdout: true, stderr: true, follow: true, abortSignal });
      const kept = new HeadTail(bounds.headBytes, bounds.tailBytes);
      const demultiplexer = new LogDemultiplexer((chunk) => kept.push(chunk));
      try {
        for await (const chunk of stream) if (Buffer.isBuffer(chunk)) demultiplexer.push(chunk);
      } catch (error) {
        // The guard cuts the stream at a limit of its own; the output up to there counts.
        if (abortSignal.aborted || kept.total === 0) throw error;
      }
      return { text: kept.text(), omittedBytes: kept.omitted };
    });
  }

  async remove(id: ContainerId): Promise<void> {
    await this.#end(`remove ${short(id)}`, ['missing', 'conflict'], (abortSignal) =>
      this.#container(id).remove({ force: true, v: true, abortSignal }),
    );
  }

  async list(): Promise<readonly OwnedContainer[]> {
    return this.#call('list containers', async (abortSignal) =>
      parseContainers(await this.#docker.listContainers({ all: true, abortSignal })),
    );
  }

  #container(id: ContainerId): Docker.Container {
    return this.#docker.getContainer(id);
  }

  async #call<T>(action: string, call: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
    try {
      return await call(AbortSignal.timeout(this.#timeoutMs));
    } catch (error) {
      throw runtimeError(action, error);
    }
  }

  /** A call that also succeeds if its work was already done. */
  async #end(
    action: string,
    fine: readonly ContainerRuntimeErrorKind[],
    call: (abortSignal: AbortSignal) => Promise<unknown>,
  ): Promise<void> {
    try {
      await this.#call(action, call);
    } catch (error) {
      const failure = runtimeError(action, error);
      if (failure instanceof FluffyError || !fine.includes(failure.kind)) throw failure;
    }
  }
}

/**
 * The guard's bodies differ from the engine's. The client sends `_body` unchanged and `_query` as the query. The query
 * is empty here; without it, the client would repeat the body in the URL.
 */
function guardBody<T>(request: GuardVolumeCreate | GuardContainerCreate, abortSignal: AbortSignal): T {
  return { _query: {}, _body: request, abortSignal } as T;
}

function short(id: ContainerId): string {
  return `container ${id.slice(0, 12)}`;
}
