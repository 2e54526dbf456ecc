import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionState } from '../../../src/contracts/session/workflow-states.ts';
import type { Toolchain } from '../../../src/host/toolchains/toolchain.ts';
import { requireRunner } from '../../../src/kernel/runners/registry.ts';
import { bunToolchain } from '../bun-toolchain.ts';
import { cxxOfHost } from '../cxx-tools.ts';
import { denoToolchain } from '../deno-toolchain.ts';
import { installedDjango } from '../django-packages.ts';
import { goToolchain } from '../go-toolchain.ts';
import { mavenToolchain } from '../maven-toolchain.ts';
import { phpToolchain } from '../php-toolchain.ts';
import { hasRspec, rubyToolchain } from '../ruby-toolchain.ts';
import { rustToolchain } from '../rust-toolchain.ts';
import type { Files } from './file-tree.ts';
import { buildRunnerPrograms, HostTestRunner } from './host-test-runner.ts';
import { testKernel } from './test-kernel.ts';
import type { TestKernel } from './test-kernel.ts';

/** Toolchains of runners that need one; null: this machine has none. */
const TOOLCHAINS: Readonly<Record<string, () => Promise<Toolchain | null>>> = {
  'go-test': goToolchain,
  'cargo-test': rustToolchain,
  maven: () => mavenToolchain(),
  ctest: () => Promise.resolve(cxxOfHost('gtest')),
  'bun-test': bunToolchain,
  'deno-test': denoToolchain,
  minitest: rubyToolchain,
  rspec: async () => {
    const ruby = await rubyToolchain();
    return hasRspec(ruby) ? ruby : null;
  },
  phpunit: phpToolchain,
};

/** Installed packages of a runner, as files of its projects; null: they cannot be installed here. */
const PACKAGES: Readonly<Record<string, () => Promise<Files | null>>> = { 'django-test': installedDjango };

const SEED = Number(process.env['FLUFFY_SEED'] ?? 1);

/** Plays of an ordinary run: spread over a whole corpus, so over its runners, from a place that the seed names. `npm run soak` plays all. */
export function samplePlays<T>(all: readonly T[], size: number): readonly T[] {
  if (process.env['FLUFFY_SOAK'] === '1') return all;
  const count = Math.min(size, all.length);
  return Array.from(
    { length: count },
    (_, play) => all[(Math.floor((play * all.length) / count) + SEED) % all.length] as T,
  );
}

export interface PlayedProject {
  readonly runner: string;
  readonly files: Files;
  readonly state: SessionState;
}

/** Real runners on this machine, for a model's whole work in a kernel whose other neighbours are fakes. */
export class PlayedRunners {
  readonly #directory = mkdtempSync(join(tmpdir(), 'fluffy-played-'));
  readonly #programs: ReadonlyMap<string, string>;
  readonly #toolchains: ReadonlyMap<string, Toolchain | null>;
  readonly #packages: ReadonlyMap<string, Files | null>;

  private constructor(
    names: readonly string[],
    toolchains: ReadonlyMap<string, Toolchain | null>,
    packages: ReadonlyMap<string, Files | null>,
  ) {
    const programs = names.map((name) => requireRunner(name).program).filter((program) => program.endsWith('.mjs'));
    this.#programs = buildRunnerPrograms(this.#directory, programs);
    this.#toolchains = toolchains;
    this.#packages = packages;
  }

  static async of(names: readonly string[]): Promise<PlayedRunners> {
    const toolchains = new Map<string, Toolchain | null>();
    for (const name of names) {
      const find = TOOLCHAINS[name];
      if (find !== undefined) toolchains.set(name, await find());
    }
    const packages = new Map<string, Files | null>();
    for (const name of names) {
      const find = PACKAGES[name];
      if (find !== undefined) packages.set(name, await find());
    }
    return new PlayedRunners(names, toolchains, packages);
  }

  /** Whether this machine has what the runner needs. */
  canPlay(runner: string): boolean {
    return this.#toolchains.get(runner) !== null && this.#packages.get(runner) !== null;
  }

  /** Lends a session in a project whose tests are run by the runner itself. */
  async lend<T>({ runner, files, state }: PlayedProject, use: (kernel: TestKernel) => Promise<T>): Promise<T> {
    const toolchain = this.#toolchains.get(runner) ?? null;
    const host = new HostTestRunner(this.#programs, toolchain?.forTests.path);
    try {
      const kernel = testKernel({
        state,
        files: { ...this.#packages.get(runner), ...files },
        testCommand: { runner, cwd: '', args: [] },
        kernelOptions: {
          project_root: host.project,
          ...(toolchain === null ? {} : { toolchains: [toolchain.forTests] }),
        },
      });
      kernel.sandboxes.runTests = host.run;
      return await use(kernel);
    } finally {
      host.close();
    }
  }

  close(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
