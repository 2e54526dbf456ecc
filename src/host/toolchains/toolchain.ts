import type { KernelToolchain } from '../../contracts/kernel-options.ts';
import type { ReadOnlyMount } from '../runtime-guard/guard-context.ts';
import type { ListedDirectory } from './listed-directories.ts';

/** A toolchain of this host, for the sandboxes of one project. */
export interface Toolchain {
  /** The environment of a test with this toolchain. */
  readonly forTests: KernelToolchain;
  /** Directories that sandboxes see read-only, at the same path: absolute paths, where a link may be on the way. */
  readonly mounts: readonly string[];
  /** Directories that they see read-only at another path. */
  readonly placed?: readonly ReadOnlyMount[];
}

/** Which version runs the tests of a project that requests another version than the images have. */
export interface ToolchainNote {
  readonly level: 'info' | 'warn';
  readonly what: string;
  readonly why: string;
  readonly fix: string;
}

export interface ToolchainOptions {
  readonly projectRoot: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Fluffy's own directory for things that are made once per toolchain. */
  readonly caches: string;
  readonly onProgress: (text: string) => void;
}

/** One kind of toolchain. */
export interface ToolchainKind {
  /** Names of files that request it. */
  readonly files: RegExp;
  /** `listed`: the project's directories that were searched. null if this host has none that can be used. */
  find(options: ToolchainOptions, listed: readonly ListedDirectory[]): Promise<Toolchain | null>;
}
