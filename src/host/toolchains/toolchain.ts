import type { KernelToolchain } from '../../contracts/kernel-options.ts';
import type { ReadOnlyMount } from '../runtime-guard/guard-context.ts';
import type { ListedDirectory } from './listed-directories.ts';

/** A toolchain of this host, for the sandboxes of one project. */
export interface Toolchain {
  /** What a test's environment has of it. */
  readonly forTests: KernelToolchain;
  /** Directories that sandboxes see read-only, at the same place: real absolute paths. */
  readonly mounts: readonly string[];
  /** Directories that they see read-only at another place, below one of `mounts`. */
  readonly placed?: readonly ReadOnlyMount[];
}

/** Which version runs the tests of a project that asks for another than the images have. */
export interface ToolchainNote {
  readonly level: 'info' | 'warn';
  readonly what: string;
  readonly why: string;
  readonly fix: string;
}

export interface ToolchainOptions {
  readonly projectRoot: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Directory of fluffy's own, for what is made once for each toolchain. */
  readonly caches: string;
  readonly onProgress: (text: string) => void;
}

/** What is known of one kind of toolchain. */
export interface ToolchainKind {
  /** Names of files that ask for it. */
  readonly files: RegExp;
  /** `listed`: the project's directories, where files were looked for. null: this host has none that can be used. */
  find(options: ToolchainOptions, listed: readonly ListedDirectory[]): Promise<Toolchain | null>;
}
