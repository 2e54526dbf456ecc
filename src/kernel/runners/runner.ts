import { IN_L2 } from '../../contracts/sandbox/container-paths.ts';
import type { TestCommand } from '../../contracts/session/session-protocol.ts';
import type { TestJob, TestSandboxResult } from '../../contracts/ports/sandboxes.ts';
import type { TestCase } from '../../contracts/sandbox/test-run.ts';
import type { ExecutedLines } from './executed-lines.ts';
import type { PlainCommand, PlainProject } from './plain-command.ts';

/**
 * A directory of a project, read as text. What is missing, too large, or not a plain file is empty. An implementation reads no file through a link and
 * executes nothing.
 */
export interface ProjectFiles {
  /** Whether the directory itself holds an entry of this name. */
  has(name: string): boolean;
  /** Names in a directory below it; '' is the directory itself. */
  names(path: string): readonly string[];
  text(path: string): string;
}

/**
 * How much a sign of a runner says, strongest first: a script of the project starts it; its settings or the project's dependencies name it; there are
 * tests of its kind; a manifest of its language; only sources in it.
 */
export const STRENGTHS = ['script', 'declared', 'tests', 'language', 'sources'] as const;

/** Why a runner is taken to be the project's, read from the project's own files. */
export interface Sign {
  readonly strength: (typeof STRENGTHS)[number];
  /** For `script`: which of the commands of all scripts it is. The first one counts. */
  readonly position?: number;
  /** For humans: `"test" in package.json starts it`. */
  readonly because: string;
  /** The runner's settings and file names, as `test.args` in the configuration has them. */
  readonly args: readonly string[];
  /** Tests that have nothing but the name of its tests, relative to the directory: they are those of a runner above that collects them. */
  readonly named?: readonly string[];
}

/** Names that no file of the project can know: made for each run. */
export interface Canary {
  /** Prefix of every canary's name. */
  readonly prefix: string;
  readonly reportName: string;
  /** Of the file that says how many cases have ended. */
  readonly progressName: string;
}

export interface PlanInput {
  readonly command: TestCommand;
  /** Absolute path of the project inside the sandbox (the same as on the host). */
  readonly projectRoot: string;
  /** Test files to run, project-relative, sorted; never empty. */
  readonly files: readonly string[];
  readonly canary: Canary;
  /** Sources of which the lines that run are to be reported, project-relative. */
  readonly cover?: readonly string[];
}

/** What a report says of one test file of the plan. */
export interface FileReport {
  readonly file: string;
  readonly cases: readonly TestCase[];
  /** false: the runner, as the project configures it, does not collect this file. */
  readonly collected: boolean;
  /** Why nothing in the run can be believed because of this file; null: nothing speaks against it. */
  readonly tampered: string | null;
}

/** What a report says, before the kernel has compared it with the exit status. `files` are those of the plan, in its order. */
export type ParsedReport =
  | { readonly kind: 'files'; readonly files: readonly FileReport[]; readonly executed?: ExecutedLines }
  | { readonly kind: 'invalid'; readonly why: string };

/** All that is known of one test runner. Every member is pure; `registry.ts` lists the runners. */
export interface Runner {
  /** As configuration and sessions name it. */
  readonly name: string;
  /** As a person names it. */
  readonly title: string;
  /** Its part inside the sandbox: a file of `tool-plugins/test-tool/runtime/`, as it is called when it is built. */
  readonly program: string;
  /** null: no sign that the project's tests run with it. */
  detect(project: ProjectFiles): Sign | null;
  /** Whether the runner would collect this file, by its own naming rules. `path` is relative to the command's directory. */
  collects(path: string, command: TestCommand): boolean;
  /** Whether it also runs tests that are written inside a source of this name. */
  collectsInside?(path: string): boolean;
  /** The project's own naming, as globs, directories or files; empty where the runner's own naming applies. */
  namedBy(command: TestCommand): readonly string[];
  /** The runner's own naming, for a human or a model: `test*.py`. */
  readonly pattern: string;
  /** It builds sources before it runs tests: a source that cannot be built is no program, and a test that notices it shows nothing. */
  readonly builds?: true;
  /** Each test file runs in a process of its own, so that none can change what another sees. */
  readonly separates?: true;
  /** It is a program of Node's: with the project's own Node where its files ask for one and the host has it. */
  readonly runsInNode?: true;
  /** Its tests run in Python. */
  readonly runsInPython?: true;
  /** Why nobody can check its results: such a change is never approved by policy. Absent: its canaries do. */
  readonly unchecked?: string;
  /** How a case leaves nothing behind for the next one, as the runner's own words have it: `in beforeEach`. */
  readonly cleansUp: string;
  /** How it wants a test of `stem` to be called; `extension` is the one that the file has now, with its dot. */
  fileName(stem: string, extension: string): string;
  /** Why a file of such a name can still be left out of a run, and what leads on; absent: names alone decide. */
  readonly whyNotRun?: (path: string) => string | null;
  /**
   * Names, as globs below any directory, of what it loads by itself before a test: its settings, setup files and plugins. A change to such a
   * file decides what a test run is.
   */
  readonly loadsFirst: readonly string[];
  /** Whether it writes this tracked file by itself as it starts, as a lock file or a cache: such a change is none of the tests. */
  readonly maintains?: (path: string) => boolean;
  /** How the files are run, with two canaries for each of them: one that has to pass and one that has to fail. */
  plan(input: PlanInput): TestJob;
  /** The test command as the project's user types it: nothing of the kernel takes part. */
  plain(command: TestCommand, project: PlainProject): PlainCommand;
  /** Exit codes that a run with failing canaries can end with. */
  readonly believableExitCodes: readonly number[];
  parse(input: PlanInput, result: Pick<TestSandboxResult, 'report' | 'output'>): ParsedReport;
}

/** Path inside the sandbox of a runner's part there. */
export function programPath(program: string): string {
  return `/opt/fluffy/tools/test-tool/${program}`;
}

/** Path inside the sandbox of a run's report. */
export function reportPath({ canary }: PlanInput): string {
  return `${IN_L2.out}/${canary.reportName}`;
}

/** Path inside the sandbox of the file that says how many cases have ended. */
export function progressPath({ canary }: PlanInput): string {
  return `${IN_L2.out}/${canary.progressName}`;
}

/** Absolute path of the directory that the command starts in. */
export function commandDirectory({ projectRoot, command }: PlanInput): string {
  return command.cwd === '' ? projectRoot : `${projectRoot}/${command.cwd}`;
}
