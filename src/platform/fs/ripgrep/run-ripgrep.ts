import { spawn } from 'node:child_process';
import { Buffer } from 'node:buffer';
import { throughFd } from '../descriptors.ts';

export interface RipgrepRun {
  readonly program: string;
  /** Everything after the fixed options. Values from outside must come after `-e`, `-g=` or `--`. */
  readonly args: readonly string[];
  /** Pinned directory to run in. */
  readonly directory: number;
  /** Open file to search instead of the directory. */
  readonly stdin?: number;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** Called with output as it arrives; returns whether more is wanted. */
  readonly onOutput: (chunk: Buffer) => 'more' | 'enough';
}

export type RipgrepEnd =
  | { readonly kind: 'ended' }
  | { readonly kind: 'enough' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'cancelled' };

const MAX_ERROR_BYTES = 4096;
/** Exit code 1: nothing matched. */
const NO_MATCH = 1;

/**
 * Runs ripgrep with its own environment and configuration, so that neither user settings nor a file of the project has
 * an effect. Killed at the deadline, at the signal, and as soon as its reader has enough.
 */
export async function runRipgrep(run: RipgrepRun): Promise<RipgrepEnd> {
  if (run.signal.aborted) return { kind: 'cancelled' };
  const child = spawn(run.program, ['--no-config', '--color=never', '--no-messages', ...run.args], {
    cwd: throughFd(run.directory),
    env: {},
    stdio: [run.stdin ?? 'ignore', 'pipe', 'pipe'],
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.on('error', reject);
  child.on('close', resolve);

  let end: RipgrepEnd | null = null;
  const stop = (reason: RipgrepEnd): void => {
    end ??= reason;
    child.kill('SIGKILL');
  };
  const cancel = (): void => stop({ kind: 'cancelled' });
  run.signal.addEventListener('abort', cancel, { once: true });
  const timer = setTimeout(() => stop({ kind: 'timed-out' }), run.deadlineMs);

  const errors: Buffer[] = [];
  let errorBytes = 0;
  child.stderr?.on('data', (chunk: Buffer) => {
    if (errorBytes < MAX_ERROR_BYTES) errors.push(chunk);
    errorBytes += chunk.length;
  });
  child.stdout?.on('data', (chunk: Buffer) => {
    if (end === null && run.onOutput(chunk) === 'enough') stop({ kind: 'enough' });
  });

  try {
    const code = await promise;
    if (end !== null) return end;
    const message = Buffer.concat(errors).toString('utf8').slice(0, MAX_ERROR_BYTES).trim();
    return code === 0 || code === NO_MATCH || message === '' ? { kind: 'ended' } : { kind: 'failed', message };
  } finally {
    clearTimeout(timer);
    run.signal.removeEventListener('abort', cancel);
  }
}
