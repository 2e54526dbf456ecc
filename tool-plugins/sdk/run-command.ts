import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { HeadTail } from '../../src/lib/text/head-tail.ts';

export interface RunOptions {
  readonly cwd?: string;
  /** The whole environment of the command. */
  readonly env?: Readonly<Record<string, string>>;
  /** Given to the command and closed; absent: there is no input at all (/dev/null). */
  readonly stdin?: string | Uint8Array;
  readonly timeoutMs?: number;
  /** Kept of stdout and of stderr each, half of it from the beginning and half from the end. Default 1 MiB. */
  readonly maxOutputBytes?: number;
  readonly signal?: AbortSignal;
}

export type CommandExit =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: string }
  | { readonly kind: 'timed-out'; readonly afterMs: number }
  | { readonly kind: 'cancelled' }
  /** The program does not exist or may not be run. */
  | { readonly kind: 'not-started'; readonly reason: string };

export interface RunResult {
  readonly exit: CommandExit;
  readonly stdout: string;
  readonly stderr: string;
  /** The raw bytes, without the mark for omitted output. */
  readonly stdoutBytes: Buffer;
  readonly truncated: boolean;
  readonly durationMs: number;
}

const DEFAULT_MAX_OUTPUT_BYTES = 1024 * 1024;
/** How long output of other processes of the group is read after the command has ended. */
const DRAIN_MS = 200;

/**
 * Runs a program with exactly these arguments; no shell reads them. It leads its own process group, which is killed as
 * soon as the program has ended or timed out, so that no process is left running. Never rejects.
 */
export async function runCommand(command: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const [program, ...args] = command;
  const started = performance.now();
  const keep = (options.maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES) / 2;
  const stdout = new HeadTail(Math.ceil(keep), Math.floor(keep));
  const stderr = new HeadTail(Math.ceil(keep), Math.floor(keep));
  const finish = (exit: CommandExit): RunResult => ({
    exit,
    stdout: stdout.text(),
    stderr: stderr.text(),
    stdoutBytes: stdout.bytes(),
    truncated: stdout.omitted > 0 || stderr.omitted > 0,
    durationMs: performance.now() - started,
  });
  if (program === undefined || program === '') return finish({ kind: 'not-started', reason: 'the command is empty' });
  if (options.signal?.aborted === true) return finish({ kind: 'cancelled' });

  let child: ChildProcess;
  try {
    child = spawn(program, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: [options.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      detached: true,
      shell: false,
    });
  } catch (error) {
    return finish({ kind: 'not-started', reason: messageOf(error) });
  }
  const outputEnded = Promise.all([collect(child.stdout, stdout), collect(child.stderr, stderr)]);
  if (options.stdin !== undefined) {
    // The program may end without reading its input.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(options.stdin);
  }

  const exit = await waitFor(child, options);
  killGroup(child);
  await Promise.race([outputEnded, delay(DRAIN_MS)]);
  child.stdout?.destroy();
  child.stderr?.destroy();
  return finish(exit);
}

function waitFor(child: ChildProcess, options: RunOptions): Promise<CommandExit> {
  const { promise, resolve } = Promise.withResolvers<CommandExit>();
  const { timeoutMs, signal } = options;
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => resolve({ kind: 'timed-out', afterMs: timeoutMs }), timeoutMs);
  const onAbort = (): void => resolve({ kind: 'cancelled' });
  signal?.addEventListener('abort', onAbort, { once: true });
  child.once('error', (error) => resolve({ kind: 'not-started', reason: messageOf(error) }));
  child.once('exit', (code, killedBy) =>
    resolve(killedBy === null ? { kind: 'exited', code: code ?? -1 } : { kind: 'signalled', signal: killedBy }),
  );
  return promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  });
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group is empty already.
  }
}

async function collect(stream: Readable | null, into: HeadTail): Promise<void> {
  if (stream === null) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  stream.on('data', (chunk: Buffer) => into.push(chunk));
  stream.once('close', resolve);
  stream.once('error', () => resolve());
  await promise;
}

function delay(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, ms).unref();
  return promise;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
