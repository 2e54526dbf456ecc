/** What the programs for JavaScript runners share: the description of the run, and the report that the kernel reads. */
import { writeFileSync } from 'node:fs';
import { lcovOf } from './coverage/lcov.ts';
import { readJob } from './read-job.ts';

export interface Described {
  readonly cwd: string;
  readonly files: readonly string[];
  readonly canary: string;
  readonly report: string;
  /** File for the count of cases that have ended; null: none is kept. */
  readonly progress?: string | null;
  /** Sources of which the lines that run are reported. */
  readonly cover: readonly string[];
}

export interface Failure {
  readonly kind: 'assertion' | 'error' | 'timeout';
  readonly message: string;
}

export interface ReportedCase {
  readonly index: number;
  readonly names: readonly string[];
  readonly status: 'passed' | 'failed' | 'skipped' | 'todo';
  readonly durationMs: number;
  readonly failure?: Failure;
}

/** Exit code of every run that is not disturbed, since its canaries fail. */
export const CANARIES_FAILED = 1;
export const NOT_RUNNABLE = 2;
/** What the canaries of a file say where true assertions pass and false ones fail. */
export const SOUND = 'passed:failed';
/** A message keeps its expected and actual values whole up to this length. */
const MAX_TEXT = 8000;

/** Bound before any code of the project is loaded, which may replace these functions. */
const exit = process.exit.bind(process);
const writeFile = writeFileSync;
const stringify = JSON.stringify;

export function describedRun<Run extends Described>(): Run {
  return readJob() as Run;
}

/** The report, one JSON object a line. It is written whole at the end: until then there is none that code under test could find. */
export class Report {
  readonly #run: Described;
  readonly #lines: string[] = [];

  constructor(run: Described) {
    this.#run = run;
  }

  line(line: Readonly<Record<string, unknown>>): void {
    // Without a prototype, on which a `toJSON` could be put; and without `push`, which could be another one by now.
    this.#lines[this.#lines.length] = stringify({ __proto__: null, ...line });
  }

  end(): void {
    this.line({ event: 'end' });
    writeFile(this.#run.report, `${this.#lines.join('\n')}\n`, { flag: 'wx', mode: 0o600 });
  }

  case({ index, names, status, durationMs, failure }: ReportedCase): void {
    const why = failure ?? { kind: 'error', message: 'failed' };
    const name = names.join(' > ');
    const duration_ms = Math.max(0, durationMs);
    this.line({
      event: 'case',
      index,
      name,
      status,
      duration_ms,
      ...(status === 'failed' ? { failure: { ...why, message: text(why.message) } } : {}),
    });
  }

  /** `executed`: lines by place in `cover`. */
  coverage(index: number, executed: ReadonlyMap<number, readonly number[]>): void {
    if (executed.size > 0) this.line({ event: 'coverage', index, lcov: lcovOf(this.#run.cover, executed) });
  }

  /** `verdict`: outcome of the canary that must pass and of the one that must fail, `passed:failed` where nothing is stubbed. */
  canaries(index: number, verdict: string): void {
    const [truth = '', falsehoods = ''] = verdict.split(':');
    this.line({ event: 'canary', index, name: `${this.#run.canary}-${index}-pass`, status: truth });
    this.line({ event: 'canary', index, name: `${this.#run.canary}-${index}-fail`, status: falsehoods });
  }
}

/** Runs a program to its end. No exit hook of the project can change the exit code. */
export async function runToEnd(program: () => Promise<void>): Promise<void> {
  try {
    await program();
    exit(CANARIES_FAILED);
  } catch (error) {
    process.stderr.write(`fluffy: the tests could not be run: ${whole(error)}\n`);
    exit(NOT_RUNNABLE);
  }
}

/** The message with every cause below it, then the stack: loaders put their reason into the cause. */
function whole(error: unknown): string {
  const reasons: string[] = [];
  for (
    let each = error;
    each !== undefined && reasons.length < 8;
    each = each instanceof Error ? each.cause : undefined
  )
    reasons.push(text(each));
  const stack = error instanceof Error && error.stack !== undefined ? error.stack : '';
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
  return [reasons.join('\n  because '), ...frames].join('\n').slice(0, MAX_TEXT);
}

export function text(value: unknown): string {
  return String(value instanceof Error ? value.message : value).slice(0, MAX_TEXT);
}
