import type { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { escapeTerminal } from '../../lib/text/escape-terminal.ts';
import type { Painter } from '../../tui/text/paint.ts';
import type { Row } from '../../tui/text/span.ts';
import type { Output } from './output.ts';

type PerhapsTerminal = Writable & Partial<Pick<WriteStream, 'isTTY' | 'columns' | 'rows'>>;

/**
 * Standard output and standard error of a process. Every text for a terminal passes through here, and leaves without control, bidirectional or
 * invisible characters, except line feeds and tabs. JSON too: `escapeJsonForTerminal` has escaped such characters as JSON before.
 */
export class ProcessOutput implements Output {
  readonly #stdout: PerhapsTerminal;
  readonly #stderr: PerhapsTerminal;
  #failure: Error | null = null;

  constructor(stdout: Writable, stderr: Writable) {
    this.#stdout = stdout;
    this.#stderr = stderr;
    stdout.on('error', (error: Error) => (this.#failure ??= error));
    // An error of standard error cannot be reported anywhere.
    stderr.on('error', () => undefined);
  }

  stdout(text: string): void {
    if (this.#failure === null) this.#stdout.write(safe(text));
  }

  stderr(text: string): void {
    this.#stderr.write(safe(text));
  }

  get columns(): number | null {
    return columnsOf(this.#stdout);
  }

  get errorColumns(): number | null {
    return columnsOf(this.#stderr);
  }

  async rows(rows: readonly Row[], painter: Painter): Promise<void> {
    // Spans contain text that is already safe; only the painter adds sequences.
    const text = rows.map((row) => `${painter.row(row)}\n`).join('');
    const isLong = this.#stdout.isTTY === true && rows.length >= (this.#stdout.rows ?? Infinity);
    if (isLong && (await (await import('./pager.ts')).page(text, process.env))) return;
    if (this.#failure === null) this.#stdout.write(text);
  }

  async drained(): Promise<void> {
    if (this.#stdout.writableLength > 0) await flushed(this.#stdout);
    if (this.#failure !== null) throw outputLost(this.#failure);
  }

  /** Whether standard output failed because its reader has ended. */
  get readerLeft(): boolean {
    return this.#failure !== null && isClosed(this.#failure);
  }

  /**
   * Called at the end of the process: resolves when both streams have written everything, or cannot. The result is why standard output lost
   * something, or null.
   */
  async finish(): Promise<FluffyError | null> {
    await flushed(this.#stdout);
    await flushed(this.#stderr);
    // An error of the last write is reported in a later turn than its callback.
    await new Promise((resolve) => setImmediate(resolve));
    return this.#failure === null ? null : outputLost(this.#failure);
  }
}

function safe(text: string): string {
  return escapeTerminal(text, { multiline: true });
}

function flushed(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableLength === 0) resolve();
    else stream.write('', () => resolve());
  });
}

function isClosed({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED';
}

function outputLost(error: NodeJS.ErrnoException): FluffyError {
  const closed = isClosed(error);
  return new FluffyError({
    code: 'output_lost',
    what: 'The output could not be written completely',
    why: closed ? 'the reading program closed the pipe (EPIPE)' : (error.code ?? error.message),
    fix: closed
      ? 'Let it read to the end, or ask for less'
      : 'Free space where standard output goes to, then run the command again',
    exitCode: EXIT.failed,
    cause: error,
  });
}

function columnsOf({ isTTY, columns }: PerhapsTerminal): number | null {
  return isTTY === true ? (columns ?? null) : null;
}
