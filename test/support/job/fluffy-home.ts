import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, symlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { userDirs } from '../../../src/contracts/host-layout.ts';
import type { FluffyEvent } from '../../../src/contracts/session/events.ts';

export interface RunResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Lines of `--output-format stream-json`. */
  readonly events: readonly FluffyEvent[];
}

export interface FluffyHome {
  readonly env: Readonly<Record<string, string>>;
  /** Runs the bundled CLI to its end. `onEvent` sees each event as it is printed and may kill the process. */
  run(args: readonly string[], options?: RunOptions): Promise<RunResult>;
  /** Ends supervisors that the runs started, and removes the home. */
  remove(projects: readonly string[]): Promise<void>;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly onEvent?: (event: FluffyEvent, kill: (signal: NodeJS.Signals) => void) => void;
  readonly timeoutMs?: number;
  readonly onStart?: (pid: number) => void;
}

const CLI = resolve('dist/cli.mjs');

/**
 * A home of its own for a test, in which the images that set-up built are known. Never the developer's. `config` is the text of the user's
 * config.yaml.
 */
export function makeFluffyHome(extra: Readonly<Record<string, string>> = {}, config?: string): FluffyHome {
  const home = mkdtempSync(join(tmpdir(), 'fluffy-home-'));
  const env: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    LANG: 'C.UTF-8',
    ...extra,
  };
  const built = userDirs(process.env).stateHome;
  const own = userDirs(env).stateHome;
  mkdirSync(own, { recursive: true, mode: 0o700 });
  copyFileSync(join(built, 'images.json'), join(own, 'images.json'));
  // What is compiled once for a toolchain is compiled once for all tests.
  mkdirSync(join(built, 'toolchains'), { recursive: true });
  symlinkSync(join(built, 'toolchains'), join(own, 'toolchains'));
  if (config !== undefined) {
    mkdirSync(userDirs(env).config, { recursive: true, mode: 0o700 });
    writeFileSync(userDirs(env).configFile, config);
  }

  const run = (args: readonly string[], options: RunOptions = {}): Promise<RunResult> =>
    new Promise((done) => {
      const child = spawn(process.execPath, [CLI, ...args], {
        cwd: options.cwd ?? home,
        env: { ...env, ...options.env },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      if (child.pid !== undefined) options.onStart?.(child.pid);
      const timer = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs ?? 300_000);
      let stdout = '';
      let stderr = '';
      let rest = '';
      const events: FluffyEvent[] = [];
      child.stdout.on('data', (chunk: Buffer) => {
        stdout += chunk.toString();
        rest += chunk.toString();
        const lines = rest.split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          if (!line.startsWith('{"')) continue;
          const event = JSON.parse(line) as FluffyEvent;
          events.push(event);
          options.onEvent?.(event, (signal) => child.kill(signal));
        }
      });
      child.stderr.on('data', (chunk: Buffer) => {
        stderr += chunk.toString();
      });
      child.stdin.on('error', () => undefined);
      child.stdin.end(options.stdin ?? '');
      child.on('close', (code) => {
        clearTimeout(timer);
        done({ code, stdout, stderr, events });
      });
    });

  return {
    env,
    run,
    remove: async (projects) => {
      const { stopSupervisor } = await import('../../../src/cli/supervisor/client/stop-supervisor.ts');
      const { projectDirs } = await import('../../../src/contracts/host-layout.ts');
      const { projectIdOf } = await import('../../../src/cli/supervisor/instance.ts');
      for (const root of projects) await stopSupervisor(projectDirs(userDirs(env), root, projectIdOf(root)));
      rmSync(home, { recursive: true, force: true });
    },
  };
}
