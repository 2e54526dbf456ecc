import type { GuardContainerCreate, GuardVolumeCreate } from '../sandbox/guard-api.ts';
import type { EgressAttempt } from '../sandbox/package-managers.ts';
import type { SandboxId } from '../ids.ts';

/** The engine's id: 64 hexadecimal digits. */
export type ContainerId = string & { readonly __brand: 'ContainerId' };

export interface ContainerState {
  readonly status: string;
  readonly running: boolean;
  /** The kernel killed a process in it for its memory use, the main process or another. */
  readonly outOfMemory: boolean;
  /** 128 + n if signal n ended it; meaningless while it runs. */
  readonly exitCode: number;
}

export interface ContainerMount {
  readonly kind: string;
  readonly destination: string;
  readonly writable: boolean;
}

/** The engine's report of a container's settings, in the engine's terms. Lists are sorted. */
export interface ContainerSettings {
  /** `uid:gid` */
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly networkMode: string;
  readonly networks: readonly string[];
  readonly ipcMode: string;
  readonly pidMode: string;
  readonly utsMode: string;
  readonly cgroupnsMode: string;
  readonly usernsMode: string;
  readonly privileged: boolean;
  readonly readonlyRootfs: boolean;
  readonly capAdd: readonly string[];
  readonly capDrop: readonly string[];
  /** `no-new-privileges`, `seccomp=<name of our profile, or foreign>`, … */
  readonly securityOptions: readonly string[];
  readonly devices: number;
  /** 0: no limit. */
  readonly memoryBytes: number;
  readonly cpus: number;
  readonly pids: number;
  /** RLIMIT_FSIZE; null if there is none. */
  readonly fileSizeBytes: number | null;
  readonly mounts: readonly ContainerMount[];
}

export interface ContainerInspection {
  readonly state: ContainerState;
  readonly settings: ContainerSettings;
}

export interface BoundedOutput {
  /** stdout and stderr in the order of their arrival, head and tail. */
  readonly text: string;
  /** Number of bytes between head and tail that are missing from `text`. */
  readonly omittedBytes: number;
}

/** An existing sandbox container or volume, whichever process made it. */
export interface OwnedContainer {
  readonly id: ContainerId;
  readonly sandbox: SandboxId;
  readonly running: boolean;
}
export interface OwnedVolume {
  readonly name: string;
  readonly sandbox: SandboxId;
}

/**
 * A container engine, as far as the runtime guard lets the kernel use it. Every method throws ContainerRuntimeError. Methods that end or remove
 * something succeed if it has already ended or gone.
 */
export interface ContainerRuntime {
  ping(): Promise<boolean>;
  images(): Promise<readonly { readonly name: string; readonly id: string }[]>;
  createVolume(request: GuardVolumeCreate): Promise<string>;
  removeVolume(name: string): Promise<void>;
  listVolumes(): Promise<readonly OwnedVolume[]>;
  create(request: GuardContainerCreate): Promise<ContainerId>;
  start(id: ContainerId): Promise<void>;
  /** SIGTERM, then SIGKILL after `graceSeconds`. */
  stop(id: ContainerId, graceSeconds: number): Promise<void>;
  kill(id: ContainerId): Promise<void>;
  pause(id: ContainerId): Promise<void>;
  unpause(id: ContainerId): Promise<void>;
  /** Resolves with the exit code as soon as the container does not run (any more). No deadline except the signal. */
  wait(id: ContainerId, signal: AbortSignal): Promise<number>;
  inspect(id: ContainerId): Promise<ContainerInspection>;
  /** Output of a container that has ended. */
  logs(id: ContainerId, bounds: { readonly headBytes: number; readonly tailBytes: number }): Promise<BoundedOutput>;
  /** Kills the container first if necessary. */
  remove(id: ContainerId): Promise<void>;
  /** Connections that a living sandbox has requested from the egress gate, as the host saw them. */
  egress(sandbox: SandboxId): Promise<readonly EgressAttempt[]>;
  /** Containers in every state, running or not. */
  list(): Promise<readonly OwnedContainer[]>;
}

/**
 * `refused`: the guard does not allow it · `missing`: no such container, volume or image · `conflict`: not possible in its present state ·
 * `unavailable`: guard or engine can't be reached or did not answer in time · `failed`: the engine could not do it.
 */
export type ContainerRuntimeErrorKind = 'refused' | 'missing' | 'conflict' | 'unavailable' | 'failed';

export class ContainerRuntimeError extends Error {
  readonly kind: ContainerRuntimeErrorKind;
  readonly action: string;

  constructor(kind: ContainerRuntimeErrorKind, action: string, reason: string, cause?: unknown) {
    super(`${action}: ${reason}`, { cause });
    this.name = 'ContainerRuntimeError';
    this.kind = kind;
    this.action = action;
  }
}
