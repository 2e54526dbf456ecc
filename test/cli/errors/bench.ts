import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asFluffyError } from '../../../src/cli/supervisor/supervisor-protocol.ts';
import { projectIdOf } from '../../../src/cli/supervisor/instance.ts';
import { projectDirs, userDirs } from '../../../src/contracts/host-layout.ts';
import type { ProjectDirs, UserDirs } from '../../../src/contracts/host-layout.ts';
import type { CommandProcess } from '../../../src/cli/run-command.ts';
import { cliScene, startCli } from '../../support/cli/cli-scene.ts';
import type { CliOptions, CliResult, CliScene, CliSceneParts } from '../../support/cli/cli-scene.ts';
import { ORDINARY_UID, PARSE_CONFIG_FILES } from '../../support/job/job-project.ts';
import { makeRepository } from '../../support/real-git.ts';
import type { RealRepository } from '../../support/real-git.ts';

/** Where an error is provoked: a home, projects, and the command line in this process. Everything is removed by `close`. */
export class ErrorBench {
  readonly home = mkdtempSync(join(tmpdir(), 'fluffy-errors-'));
  readonly env = {
    HOME: this.home,
    PATH: process.env['PATH'] ?? '',
    GIT_CONFIG_NOSYSTEM: '1',
    ANTHROPIC_API_KEY: 'sk-ant-test',
  };
  readonly user: UserDirs = userDirs(this.env);
  readonly #closing: (() => unknown)[] = [];

  /** A project that a task can start on. `make` spoils it before it is given to an ordinary user. */
  project(make: (made: RealRepository) => unknown = () => undefined): RealRepository {
    const made = makeRepository();
    this.later(() => made.remove());
    for (const [path, content] of Object.entries(PARSE_CONFIG_FILES)) made.write(path, content);
    made.commit('Begin');
    make(made);
    made.chownAll(ORDINARY_UID, ORDINARY_UID);
    return made;
  }

  dirsOf({ root }: Pick<RealRepository, 'root'>): ProjectDirs {
    return projectDirs(this.user, root, projectIdOf(root));
  }

  cli(
    args: readonly string[],
    options: CliOptions = {},
    connect: CommandProcess['connect'] = () => Promise.reject(new Error('no kernel is needed')),
  ): Promise<CliResult> {
    return startCli(args, { ...options, env: { ...this.env, ...options.env } }, connect).result;
  }

  /** A task in the directory. */
  task(directory: string, options: CliOptions = {}, connect?: CommandProcess['connect']): Promise<CliResult> {
    return this.cli(['-p', 'x', '--model', 'anthropic/claude-test', '--project', directory], options, connect);
  }

  /** A task whose start of the kernel fails as the host's part fails: its error reaches the command line as the supervisor's does. */
  starting(fail: () => Promise<unknown>): Promise<CliResult> {
    return this.task(this.project().root, {}, async () => {
      await fail().catch((error: unknown) => {
        throw asFluffyError(error);
      });
      throw new Error('nothing failed');
    });
  }

  /** A command line with a kernel in memory. */
  async served(parts: CliSceneParts = {}): Promise<CliScene> {
    const scene = await cliScene(parts);
    this.later(() => scene.close());
    return scene;
  }

  later(close: () => unknown): void {
    this.#closing.unshift(close);
  }

  async close(): Promise<void> {
    for (const close of this.#closing) await close();
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** Makes one row of docs/errors.md happen. */
export type Provoke = (bench: ErrorBench) => Promise<CliResult>;
export type Provocations = Readonly<Record<string, Provoke>>;
