import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { IN_L2 } from '../../../src/contracts/sandbox/container-paths.ts';
import type { TestCommand } from '../../../src/contracts/session/session-protocol.ts';
import type { TestRun } from '../../../src/contracts/sandbox/test-run.ts';
import type { TestSandboxResult } from '../../../src/contracts/ports/sandboxes.ts';
import { linesOf } from '../../../src/kernel/runners/executed-lines.ts';
import { executedLines, judgeRun, outcomeOf } from '../../../src/kernel/runners/judge-run.ts';
import { programPath } from '../../../src/kernel/runners/runner.ts';
import type { PlanInput, Runner } from '../../../src/kernel/runners/runner.ts';
import { runProcess } from './run-process.ts';
import type { Ended, HostProcess } from './run-process.ts';

export type Files = Readonly<Record<string, string>>;

export interface HostRunOptions {
  readonly cwd?: string;
  readonly args?: readonly string[];
  /** Further fields of the command. */
  readonly command?: Partial<TestCommand>;
  /** Test files to run in place of all that the runner collects. */
  readonly only?: readonly string[];
  /** Sources of which the lines that run are counted. */
  readonly cover?: readonly string[];
  readonly caseMs?: number;
  /** A project without installed packages. */
  readonly bare?: boolean;
  /** How the process is started in place of the usual way. */
  readonly start?: (process: HostProcess) => Promise<Ended>;
}

export interface RunnerOnHostOptions {
  /** Program to start in place of the image's. */
  readonly program?: string;
  readonly start?: (process: HostProcess) => Promise<Ended>;
  /** What the host's toolchains add to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Gives each project the packages of this repository, vitest among them, and these files. */
  readonly packages?: Files;
  readonly deadlineMs: number;
}

type Lines = Readonly<Record<string, readonly number[]>>;

interface Played {
  readonly plan: PlanInput;
  readonly result: TestSandboxResult;
  /** What the program said of its progress, at the end. */
  readonly counts: string;
}

const RUNTIME = resolve('tool-plugins/test-tool/runtime');

/**
 * Plays a test sandbox on the host with the real runner: the plan of the kernel and the program that the image has, with temporary directories in place
 * of the container's. What a sandbox adds is tested with real containers.
 */
export class RunnerOnHost {
  readonly #runner: Runner;
  readonly #options: RunnerOnHostOptions;
  readonly #home = realpathSync(mkdtempSync(join(tmpdir(), 'runner-')));
  readonly #programs: string;
  readonly #together: [string, string][][] = [];
  #playedTogether: Promise<Played> | null = null;
  #count = 0;

  constructor(runner: Runner, options: RunnerOnHostOptions) {
    this.#runner = runner;
    this.#options = options;
    this.#programs = /\.(?:py|rb|php)$/.test(runner.program) ? RUNTIME : buildProgram(runner.program, this.#home);
  }

  /** One project, whose test files are those that the runner collects. */
  async run(files: Files, options: HostRunOptions = {}): Promise<TestRun> {
    const { plan, result } = await this.#play(files, options);
    return judgeRun(this.#runner, plan, result);
  }

  /** The cases of a run that have ended, and those of them that failed, as its program counts them for people who wait. */
  async counts(files: Files, options: HostRunOptions = {}): Promise<string> {
    return (await this.#play(files, options)).counts;
  }

  /** The run, and the lines that it ran of `cover`. */
  async counted(
    files: Files,
    cover: readonly string[],
  ): Promise<{ readonly run: TestRun; readonly lines: Lines | null }> {
    const { plan, result } = await this.#play(files, { cover });
    const lines = executedLines(this.#runner, plan, result);
    const loaded = lines === null ? [] : cover.map((path) => [path, linesOf(lines, path)] as const);
    const sorted = loaded.flatMap(([path, each]) => (each === null ? [] : [[path, [...each].sort((a, b) => a - b)]]));
    return {
      run: judgeRun(this.#runner, plan, result),
      lines: lines === null ? null : (Object.fromEntries(sorted) as Lines),
    };
  }

  /**
   * One of many small projects that are run together, as directories of one, by a runner that gives every test file a process of its own. Answers how to
   * get its result, which is judged by the part of the report that is about its files. All have to be added before the first result is taken.
   */
  together(files: Files): () => Promise<TestRun> {
    const directory = `p${String(this.#together.length).padStart(3, '0')}/`;
    this.#together.push(Object.entries(files).map(([path, content]) => [`${directory}${path}`, content]));
    return async () => {
      const { plan, result } = await this.playTogether();
      return this.#part(plan, result, directory);
    };
  }

  /** The body of a test about the run of some files, together with those of other tests. */
  on(files: Files, check: (run: TestRun) => void): () => Promise<void> {
    const run = this.together(files);
    return async () => {
      check(await run());
    };
  }

  /** Runs all projects that were added, once. It takes as long as many tests, so it belongs into a hook with a time limit of its own. */
  playTogether(): Promise<Played> {
    return (this.#playedTogether ??= this.#play(Object.fromEntries(this.#together.flat()) as Files, {}));
  }

  close(): void {
    rmSync(this.#home, { recursive: true, force: true });
  }

  #part(plan: PlanInput, result: TestSandboxResult, directory: string): TestRun {
    const parsed = this.#runner.parse(plan, result);
    if (parsed.kind === 'invalid' || result.exit.kind !== 'exited') {
      throw new Error(`${JSON.stringify(result.exit)} ${JSON.stringify(parsed)}\n${result.output}`);
    }
    const inside = (file: string) => file.slice(directory.length);
    const reports = parsed.files
      .filter(({ file }) => file.startsWith(directory))
      .map((each) => ({
        ...each,
        file: inside(each.file),
        cases: each.cases.map((one) => ({ ...one, file: inside(one.file) })),
      }));
    return {
      ...outcomeOf(this.#runner, reports, result.exit.code),
      requested: reports.map(({ file }) => file),
      exit: result.exit,
      duration_ms: result.durationMs,
      output: result.output,
    };
  }

  async #play(
    files: Files,
    { cwd = '', args = [], bare = false, command: more = {}, only, cover = [], caseMs, start }: HostRunOptions,
  ): Promise<Played> {
    const base = join(this.#home, String((this.#count += 1)));
    const project = join(base, 'project');
    const { packages } = this.#options;
    writeAll(project, { ...packages, ...files });
    if (packages !== undefined && !bare) symlinkSync(resolve('node_modules'), join(project, 'node_modules'));
    const command = { runner: this.#runner.name, cwd, args: [...args], ...more };
    const below = cwd === '' ? '' : `${cwd}/`;
    const wanted =
      only ??
      Object.keys(files)
        .filter((path) => path.startsWith(below) && this.#runner.collects(path.slice(below.length), command))
        .sort();
    const plan = {
      command,
      projectRoot: project,
      files: wanted,
      canary: { prefix: 'c4n4ry', reportName: 'r3p0rt', progressName: 'pr0gress' },
      cover,
      ...(caseMs === undefined ? {} : { caseMs }),
    };
    const job = this.#runner.plan(plan);
    const here = (text: string) =>
      text.replaceAll(`${IN_L2.out}/`, `${base}/`).replaceAll(programPath(''), `${this.#programs}/`);
    const [program = '', ...rest] = job.argv;
    const ended = await (start ?? this.#options.start ?? runProcess)({
      program: this.#options.program ?? program,
      args: rest.map(here),
      cwd: join(project, job.cwd),
      // Nothing of the vitest that runs this test reaches the runner under test.
      env: {
        NODE_COMPILE_CACHE: join(this.#home, 'cache'),
        PATH: process.env['PATH'] ?? '',
        HOME: base,
        TMPDIR: base,
        LANG: 'C.UTF-8',
        CI: '1',
        ...this.#options.env,
        ...job.env,
      },
      input: here(job.input ?? ''),
      deadlineMs: this.#options.deadlineMs,
    });
    const report = readReport(join(base, plan.canary.reportName));
    const counts = readReport(join(base, plan.canary.progressName))?.toString() ?? '';
    rmSync(base, { recursive: true, force: true });
    const result = { ...ended, sandbox: 'x_host' as never, report, reportTruncated: false, durationMs: 1 };
    return { plan, result, counts };
  }
}

/** As bin/bundle.mjs builds it. */
function buildProgram(program: string, directory: string): string {
  buildSync({
    entryPoints: [join(RUNTIME, program.replace(/\.mjs$/, '.ts'))],
    outfile: join(directory, program),
    bundle: true,
    platform: 'node',
    format: 'esm',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  return directory;
}

function writeAll(directory: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
}

function readReport(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
