import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProcessExit } from '../../../src/contracts/sandbox/test-run.ts';

export interface HostProcess {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What it reads on its standard input. */
  readonly input: string;
  readonly deadlineMs: number;
}

export interface Ended {
  readonly exit: ProcessExit;
  /** stdout, then stderr. */
  readonly output: string;
}

/** Runs a process of its own to its end. Its output goes to files: what it leaves running may hold them open. */
export async function runProcess({ program, args, cwd, env, input, deadlineMs }: HostProcess): Promise<Ended> {
  const directory = mkdtempSync(join(tmpdir(), 'fluffy-output-'));
  const files = [join(directory, 'stdout'), join(directory, 'stderr')];
  const [stdout = 0, stderr = 0] = files.map((file) => openSync(file, 'w'));
  writeFileSync(join(directory, 'stdin'), input);
  const stdin = openSync(join(directory, 'stdin'), 'r');
  try {
    const { promise, resolve, reject } = Promise.withResolvers<ProcessExit>();
    const child = spawn(program, args, {
      cwd,
      env,
      timeout: deadlineMs,
      killSignal: 'SIGKILL',
      stdio: [stdin, stdout, stderr],
    });
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (code !== null) resolve({ kind: 'exited', code });
      else if (child.killed) resolve({ kind: 'timed-out', after_ms: deadlineMs });
      else resolve({ kind: 'signalled', signal: signal ?? '' });
    });
    const exit = await promise;
    return { exit, output: files.map((file) => readFileSync(file, 'utf8')).join('') };
  } finally {
    closeSync(stdin);
    closeSync(stdout);
    closeSync(stderr);
    rmSync(directory, { recursive: true });
  }
}
