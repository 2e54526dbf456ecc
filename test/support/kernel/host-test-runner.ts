import type { SpawnSyncReturns } from 'node:child_process';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { makeFastDirectory } from '../fast-directory.ts';
import { IN_L2 } from '../../../src/contracts/sandbox/container-paths.ts';
import type { ProcessExit } from '../../../src/contracts/sandbox/test-run.ts';
import { programPath } from '../../../src/kernel/runners/runner.ts';
import type { FakeTestRunner } from './fake-sandboxes.ts';

const RUNTIME = resolve('tool-plugins/test-tool/runtime');
const DEADLINE_MS = 60_000;

/**
 * A fake sandbox that runs the project's real test runner on the host: the job of the kernel as it is, on the files of the overlay, in temporary
 * directories in place of the container's. What a container adds is tested with real containers.
 */
export class HostTestRunner {
  /** The project's directory, as the kernel has to name it. */
  readonly project: string;
  readonly #home = makeFastDirectory('fluffy-cheat-');
  readonly #programs: ReadonlyMap<string, string>;

  readonly #path: readonly string[];

  /** `path`: directories of the host's toolchains, as the kernel's options name them. */
  constructor(programs: ReadonlyMap<string, string>, path: readonly string[] = []) {
    this.#path = path;
    this.project = join(this.#home, 'project');
    this.#programs = programs;
  }

  readonly run: FakeTestRunner = ({ operation: { job, deadlineMs }, files }) => {
    const out = join(this.#home, 'out');
    for (const directory of [this.project, out]) {
      rmSync(directory, { recursive: true, force: true });
      mkdirSync(directory, { recursive: true });
    }
    for (const [path, { text }] of files) write(join(this.project, path), text);
    symlinkSync(resolve('node_modules'), join(this.project, 'node_modules'));
    const [program = '', ...args] = job.argv;
    const options = {
      cwd: join(this.project, job.cwd),
      env: { ...job.env, PATH: this.#pathOf(job.env['PATH'] ?? ''), HOME: this.#home, TMPDIR: out },
      input: this.#here(job.input ?? ''),
      timeout: Math.min(deadlineMs, DEADLINE_MS),
      killSignal: 'SIGKILL',
      // A process group of its own, so that what the tests started ends with them, as it does with a container.
      detached: true,
    } as const;
    const ran = spawnSync(
      basename(program) === 'node' ? process.execPath : program,
      args.map((each) => this.#here(each)),
      options,
    );
    killGroup(ran.pid);
    return {
      exit: exitOf(ran, options.timeout),
      report: readOrNull(join(out, job.reportName)),
      output: `${ran.stdout.toString()}${ran.stderr.toString()}`,
    };
  };

  /** The host's programs come before the system's, and the project's before both. */
  #pathOf(path: string): string {
    const own = path.split(':').filter((each) => each.startsWith(this.project) || this.#path.includes(each));
    return [...own, process.env['PATH'] ?? ''].join(':');
  }

  close(): void {
    rmSync(this.#home, { recursive: true, force: true });
  }

  #here(text: string): string {
    // A sandbox has a /tmp of its own, and so does each run here: what one leaves there is not for the next.
    let here = text.replaceAll('/tmp/go-plain', join(this.#home, 'out/go-plain'));
    here = here.replaceAll(`${IN_L2.out}/`, `${this.#home}/out/`);
    for (const [name, path] of this.#programs) here = here.replaceAll(programPath(name), path);
    return here.replaceAll(programPath(''), `${RUNTIME}/`);
  }
}

/** The programs that run inside of JavaScript runners, as bin/bundle.mjs builds them: name -> path. Whoever calls it removes the directory. */
export function buildRunnerPrograms(directory: string, names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    names.map((name) => {
      const outfile = join(directory, name);
      buildSync({
        entryPoints: [join(RUNTIME, name.replace(/\.mjs$/, '.ts'))],
        outfile,
        bundle: true,
        platform: 'node',
        format: 'esm',
        define: { 'process.env.NODE_ENV': '"production"' },
        logLevel: 'error',
      });
      return [name, outfile];
    }),
  );
}

function exitOf({ error, status, signal }: SpawnSyncReturns<Buffer>, deadlineMs: number): ProcessExit {
  if (error !== undefined) {
    if ('code' in error && error.code === 'ETIMEDOUT') return { kind: 'timed-out', after_ms: deadlineMs };
    throw error;
  }
  return status === null ? { kind: 'signalled', signal: signal ?? 'none' } : { kind: 'exited', code: status };
}

/** Of a program that could not be started the number is 0, which would be this process's own group. */
function killGroup(leader: number): void {
  if (leader <= 1) return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
}

function readOrNull(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
