import { IN_L2 } from '../../contracts/sandbox/container-paths.ts';
import type { TestCommand } from '../../contracts/session/session-protocol.ts';
import type { TestJob, TestSandboxResult } from '../../contracts/ports/sandboxes.ts';
import type { TestCase } from '../../contracts/sandbox/test-run.ts';
import type { ExecutedLines } from './executed-lines.ts';
import type { PlainCommand, PlainProject } from './plain-command.ts';

/**
 * A directory of a project, read as text. A file that is missing, too large or not a regular file is ''. An
 * implementation does not follow links and executes nothing.
 */
export interface ProjectFiles {
  /** Whether the directory has an entry of this name. */
  has(name: string): boolean;
  /** Names in a subdirectory; '' is the directory itself. */
  names(path: string): readonly string[];
  text(path: string): string;
}

/**
 * How strong a sign of a runner is, strongest first: a script of the project starts it (`script`); its settings or the
 * dependencies name it (`declared`); it has tests (`tests`); there is a manifest of its language (`language`); there
 * are only sources (`sources`).
 */
export const STRENGTHS = ['script', 'declared', 'tests', 'language', 'sources'] as const;

/** A reason, from the project's files, to believe that the project uses a runner. */
export interface Sign {
  readonly strength: (typeof STRENGTHS)[number];
  /**
   * Of equally strong signs, the lowest one is used. For `script`: the index of the command among the commands of all
   * scripts. For `declared`: -1 if there are settings for it, which count more than a dependency.
   */
  readonly position?: number;
  /** For people: `"test" in package.json starts it`. */
  readonly because: string;
  /** Settings and file names for the runner, in the form of `test.args` in the configuration. */
  readonly args: readonly string[];
  /**
   * Test files of which only the name indicates this runner, relative to the directory. If another detected runner
   * collects them, they belong to it.
   */
  readonly named?: readonly string[];
}

/** Random names that are made for each run. No file of the project can know them. */
export interface Canary {
  /** Prefix of the names of all canaries. */
  readonly prefix: string;
  readonly reportName: string;
  /** Name of the file that contains how many cases have ended. */
  readonly progressName: string;
}

export interface PlanInput {
  readonly command: TestCommand;
  /** Absolute path of the project inside the sandbox (the same as on the host). */
  readonly projectRoot: string;
  /** Test files to run, project-relative, sorted; never empty. */
  readonly files: readonly string[];
  readonly canary: Canary;
  /** Sources whose executed lines are reported, project-relative. */
  readonly cover?: readonly string[];
  /** Time limit of a case that sets none, for a runner without a limit of its own. */
  readonly caseMs?: number;
}

/** The report of one test file in the plan. */
export interface FileReport {
  readonly file: string;
  readonly cases: readonly TestCase[];
  /** false: the runner does not collect this file with the project's configuration. */
  readonly collected: boolean;
  /** Why the whole run is invalid because of this file; null if there is no such reason. */
  readonly tampered: string | null;
}

/** The parsed report, not yet compared with the exit code. `files` are the files of the plan, in its order. */
export type ParsedReport =
  | { readonly kind: 'files'; readonly files: readonly FileReport[]; readonly executed?: ExecutedLines }
  | { readonly kind: 'invalid'; readonly why: string };

/** One test runner. All members are pure. `registry.ts` lists the runners. */
export interface Runner {
  /** Its name in the configuration and in sessions. */
  readonly name: string;
  /** Its name for people. */
  readonly title: string;
  /** The built file name of its program in the sandbox, from `tool-plugins/test-tool/runtime/`. */
  readonly program: string;
  /** Returns a sign that the project uses the runner, or null. */
  detect(project: ProjectFiles): Sign | null;
  /**
   * Returns whether the runner collects this file, by its naming rules. `path` is relative to the directory of the
   * command.
   */
  collects(path: string, command: TestCommand): boolean;
  /** Returns whether it also runs tests inside a source of this name. */
  collectsInside?(path: string): boolean;
  /** Returns the names that the project defines: globs, directories or files. Empty if the runner's own names apply. */
  namedBy(command: TestCommand): readonly string[];
  /** The runner's own names, for people and the model: `test*.py`. */
  readonly pattern: string;
  /**
   * It builds sources before it runs tests. A source that does not build is not a program, so a test that fails on it
   * shows nothing.
   */
  readonly builds?: true;
  /** Each test file runs in its own process, so test files cannot affect each other. */
  readonly separates?: true;
  /** It runs in Node. If the project requires a Node version and the host has it, that version is used. */
  readonly runsInNode?: true;
  readonly runsInPython?: true;
  /** Why its results cannot be checked. Policy never approves such a change. Absent if canaries check them. */
  readonly unchecked?: string;
  /** How a case cleans up for the next one, in the terms of the runner: `in beforeEach`. */
  readonly cleansUp: string;
  /** Returns the file name for a test of `stem`. `extension` is the present extension of the file, with its dot. */
  fileName(stem: string, extension: string): string;
  /** Returns why a file of this name may still be left out of a run, and what to do. Absent if names alone decide. */
  readonly whyNotRun?: (path: string) => string | null;
  /**
   * Files that it loads before any test, as globs below any directory: settings, setup files and plugins. A change to
   * such a file changes what a test run does.
   */
  readonly loadsFirst: readonly string[];
  /**
   * Returns whether the runner itself writes this tracked file when it starts, such as a lock file or a cache. Such a
   * change is not a change by the tests.
   */
  readonly maintains?: (path: string) => boolean;
  /** Returns the job that runs the files, with two canaries in each file: one must pass and one must fail. */
  plan(input: PlanInput): TestJob;
  /** Returns the test command as the user types it, without any code of the kernel. */
  plain(command: TestCommand, project: PlainProject): PlainCommand;
  /** Exit codes of a valid run. The canaries fail in every run, so most runners can only end with 1. */
  readonly believableExitCodes: readonly number[];
  parse(input: PlanInput, result: Pick<TestSandboxResult, 'report' | 'output'>): ParsedReport;
}

/** Returns the path inside the sandbox of a runner's program. */
export function programPath(program: string): string {
  return `/opt/fluffy/tools/test-tool/${program}`;
}

/** Returns the path inside the sandbox of the report. */
export function reportPath({ canary }: PlanInput): string {
  return `${IN_L2.out}/${canary.reportName}`;
}

/** Returns the path inside the sandbox of the file that contains how many cases have ended. */
export function progressPath({ canary }: PlanInput): string {
  return `${IN_L2.out}/${canary.progressName}`;
}

/** Returns the absolute path of the directory in which the command starts. */
export function commandDirectory({ projectRoot, command }: PlanInput): string {
  return command.cwd === '' ? projectRoot : `${projectRoot}/${command.cwd}`;
}
