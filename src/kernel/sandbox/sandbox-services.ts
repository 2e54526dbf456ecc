import type { SandboxId, SessionId } from '../../contracts/ids.ts';
import type { Program } from '../../contracts/sandbox/sandbox-programs.ts';
import type { SandboxTemplate } from '../../contracts/sandbox/sandbox-templates.ts';
import type { Admission } from '../../contracts/ports/admission.ts';
import type { Clock } from '../../contracts/ports/clock.ts';
import type { ContainerRuntime } from '../../contracts/ports/container-runtime.ts';
import type { Random } from '../../contracts/ports/random.ts';
import type { KeepLayerOutcome, PackageLayer } from '../../contracts/ports/sandboxes.ts';
import type { EgressAttempt, LayerId } from '../../contracts/sandbox/package-managers.ts';
import type { SandboxDirectories } from '../../contracts/ports/sandbox-directories.ts';
import type { SandboxIdentity } from './compare-settings.ts';

/** What became of a sandbox. `peer` is who connected, as the operating system says; pid 0 is a process of another pid namespace. */
export type SandboxLifecycle = {
  readonly sandbox: SandboxId;
  readonly session: SessionId;
  readonly program: Program;
  readonly template: SandboxTemplate;
} & (
  | {
      readonly kind: 'created';
      readonly tookMs: number;
      readonly peer: { readonly pid: number; readonly uid: number } | null;
    }
  /** Never got ready, or broke while it worked. `destroyed` follows. */
  | { readonly kind: 'failed'; readonly reason: string; readonly afterMs: number }
  /** `leftovers`: what could not be removed, for the orphan collection. */
  | { readonly kind: 'destroyed'; readonly livedMs: number; readonly leftovers: readonly string[] }
);

/** What a `network` sandbox has asked the egress gate for, as the host saw it. */
export interface SandboxConnections {
  readonly sandbox: SandboxId;
  readonly session: SessionId;
  readonly attempts: readonly EgressAttempt[];
}

/** Everything the sandbox manager works with; injected. */
export interface SandboxServices {
  readonly runtime: ContainerRuntime;
  readonly directories: SandboxDirectories;
  readonly admission: Admission;
  readonly clock: Clock;
  readonly random: Random;
  readonly identity: SandboxIdentity;
  readonly kernelVersion: string;
  /** Called for every step. If it throws on `created`, the sandbox gets no work and is removed; an end comes whatever it does. */
  readonly onLifecycle: (event: SandboxLifecycle) => void;
  /** Called for every run that had hosts, with all connections that it asked the egress gate for. */
  readonly onConnections?: (event: SandboxConnections) => void;
  /** Whether the upper directory of a slot that is being written to has outgrown its bounds. */
  readonly slotUsage?: (slot: number) => Promise<'within' | 'exceeded' | 'disk-full'>;
  /** Installed packages that the workspace in a slot shows. */
  readonly layersOf?: (slot: number) => readonly LayerId[];
  /** Keeps what a package manager has left in the sandbox's out directory. */
  readonly keepLayer?: (sandbox: SandboxId, layer: PackageLayer) => Promise<KeepLayerOutcome>;
  /** What is free on the file system that sandboxes write to. */
  readonly freeBytes?: () => Promise<number>;
  /** Whether the file system that sandboxes write to is full: what a program says of a write that failed is not to be relied on. */
  readonly isDiskFull?: () => Promise<boolean>;
  /** Whether code of the project runs in the image that the user's configuration names for it. */
  readonly hasProjectImage?: boolean;
  readonly timing: SandboxTiming;
}

export interface SandboxTiming {
  /** From the first call to the engine to the end of the handshake. */
  readonly readyWithinMs: number;
  /** How often the disk use of a running sandbox is looked at. */
  readonly diskPollMs: number;
  /** After a connection ends: for the engine to tell how the container ended. */
  readonly afterDeathMs: number;
}

export const DEFAULT_TIMING: SandboxTiming = { readyWithinMs: 30_000, diskPollMs: 1_000, afterDeathMs: 10_000 };
