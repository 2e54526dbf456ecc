import type { KernelToolchain } from '../../contracts/kernel-options.ts';

/** A toolchain of this host, for the sandboxes of one project. */
export interface Toolchain {
  /** What a test's environment has of it. */
  readonly forTests: KernelToolchain;
  /** Directories that sandboxes see read-only, at the same place: real absolute paths. */
  readonly mounts: readonly string[];
}
