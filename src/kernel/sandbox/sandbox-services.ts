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

/**
 * An event in the life of a sandbox. `peer` is the connected process as the operating system reports it; pid 0 is a
 * process of another pid namespace.
 */
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
  /** Never became ready, or broke during its work. `destroyed` follows. */
  | { readonly kind: 'failed'; readonly reason: string; readonly afterMs: number }
  /** `leftovers`: what could not be removed; the orphan collection removes it later. */
  | { readonly kind: 'destroyed'; readonly livedMs: number; readonly leftovers: readonly string[] }
);

/** The connections that a `network` sandbox requested from the egress gate, as the host saw them. */
export interface SandboxConnections {
  readonly sandbox: SandboxId;
  readonly session: SessionId;
  readonly attempts: readonly EgressAttempt[];
}

/** Everything that the sandbox manager uses; injected. */
export interface SandboxServices {
  readonly runtime: ContainerRuntime;
  readonly directories: SandboxDirectories;
  readonly admission: Admission;
  readonly clock: Clock;
  readonly random: Random;
  readonly identity: SandboxIdentity;
  readonly kernelVersion: string;
  /**
   * Called for every step. If it throws on `created`, the sandbox gets no work and is removed. If it throws on an end,
   * the sandbox ends anyway.
   */
  readonly onLifecycle: (event: SandboxLifecycle) => void;
  /** Called for every run with hosts, with all connections that it requested from the egress gate. */
  readonly onConnections?: (event: SandboxConnections) => void;
  /** Whether the upper directory of a slot in use exceeds its limits. */
  readonly slotUsage?: (slot: number) => Promise<'within' | 'exceeded' | 'disk-full'>;
  /** Layers of installed packages in the workspace of a slot. */
  readonly layersOf?: (slot: number) => readonly LayerId[];
  /** Stores what a package manager has written to the sandbox's out directory. */
  readonly keepLayer?: (sandbox: SandboxId, layer: PackageLayer) => Promise<KeepLayerOutcome>;
  /** Free bytes on the file system that sandboxes write to. */
  readonly freeBytes?: () => Promise<number>;
  /**
   * Whether the file system that sandboxes write to is full. A program's message about a failed write is not reliable.
   */
  readonly isDiskFull?: () => Promise<boolean>;
  /** Whether project code runs in the image that the user's configuration names for it. */
  readonly hasProjectImage?: boolean;
  readonly timing: SandboxTiming;
}

export interface SandboxTiming {
  /** From the first call to the engine to the end of the handshake. */
  readonly readyWithinMs: number;
  /** Interval of the checks of a running sandbox's disk use. */
  readonly diskPollMs: number;
  /** Wait after a connection ends, for the engine to report how the container ended. */
  readonly afterDeathMs: number;
}

export const DEFAULT_TIMING: SandboxTiming = { readyWithinMs: 30_000, diskPollMs: 1_000, afterDeathMs: 10_000 };
