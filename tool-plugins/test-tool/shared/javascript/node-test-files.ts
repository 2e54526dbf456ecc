import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { CaseCounter } from '../case-counter.ts';
import { lookOrdinary } from '../look-ordinary.ts';
import { REPORT_DESCRIPTOR } from './node-test-file.ts';
import type { FileJob } from './node-test-file.ts';
import { fileOptions, runsInProcess } from './node-test-harness.ts';

/** A run as the kernel described it. */
export interface FilesJob {
  readonly cover: readonly string[];
  readonly kind?: never;
  readonly files: readonly string[];
  readonly canary: string;
  readonly report: string;
  readonly progress?: string | null;
  /** Options of `node` from the project's own command. */
  readonly options: readonly string[];
  /** Time limit of a case that sets none. */
  readonly caseMs?: number;
}

const MAX_STDERR = 4000;
const STDERR_GRACE_MS = 200;

/**
 * Runs each file in a process of its own, as many at a time as `node --test` does, and leaves the whole report once the last one has ended: until then
 * there is none that code under test could find.
 */
export async function runFiles(program: string, job: FilesJob): Promise<void> {
  lookOrdinary(['--test', ...job.options], job.files);
  const counter = new CaseCounter(job);
  const waiting = [...job.files.entries()];
  const lines: string[][] = job.files.map(() => []);
  const worker = async (id: number): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, file] = next;
      lines[index] = await runFile(program, job, { file, index, worker: String(id + 1), counter });
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, availableParallelism() - 1) }, (_, id) => worker(id)));
  writeFileSync(job.report, `${[...lines.flat(), JSON.stringify({ event: 'end' })].join('\n')}\n`, {
    flag: 'wx',
    mode: 0o600,
  });
}

async function runFile(
  program: string,
  job: FilesJob,
  {
    file,
    index,
    worker,
    counter,
  }: { readonly file: string; readonly index: number; readonly worker: string; readonly counter: CaseCounter },
): Promise<string[]> {
  const token = `${randomBytes(16).toString('hex')} `;
  const valueOf = (name: string) =>
    job.options.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
  const timeoutMs = Math.min(Number(valueOf('--test-timeout') ?? Infinity), job.caseMs ?? Infinity);
  const described: FileJob = {
    kind: 'file',
    file,
    index,
    canary: job.canary,
    token,
    options: job.options,
    timeoutMs: Number.isFinite(timeoutMs) ? timeoutMs : null,
    globalSetup: valueOf('--test-global-setup'),
    worker,
    cover: job.cover,
  };
  const child = spawn(process.execPath, [...fileOptions(job.options), program], {
    // As a test of `node --test` has it. With it, an older Node would print all results, and run nothing.
    env: { ...process.env, ...(runsInProcess ? { NODE_TEST_CONTEXT: 'child-v8' } : {}) },
    stdio: ['pipe', 'inherit', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const input = child.stdin as Writable;
  input.on('error', () => undefined);
  input.end(JSON.stringify(described));
  const stderr = collect(child.stderr as Readable, (part) => process.stderr.write(part));
  const report = collect(child.stdio[REPORT_DESCRIPTOR] as Readable, (part) => countCases(part, counter));
  const [code, signal] = await ended;
  // A process that it started may hold its stderr open for longer.
  await Promise.race([stderr.ended, new Promise((resolve) => setTimeout(resolve, STDERR_GRACE_MS).unref())]);
  await report.ended;
  const raw = report
    .text()
    .split('\n')
    .filter((line) => line !== '');
  return believed(index, token, raw, { code, signal, stderr: stderr.text().slice(-MAX_STDERR).trim() });
}

/** A line that comes in two parts may be missed: it is a count for people who wait. */
function countCases(part: Buffer, counter: CaseCounter): void {
  for (const line of part.toString('latin1').split('\n')) {
    if (line.includes('{"event":"case",')) counter.ended(line.includes('"status":"failed"'));
  }
}

function believed(
  index: number,
  token: string,
  raw: readonly string[],
  { code, signal, stderr }: { readonly code: number | null; readonly signal: string | null; readonly stderr: string },
): string[] {
  const line = (fields: object) => JSON.stringify({ ...fields, index });
  if (raw.some((each) => !each.startsWith(token)))
    return [line({ event: 'tampered', why: 'something else than the runner writes to the report' })];
  const lines = raw.map((each) => each.slice(token.length));
  if (lines.at(-1) === '{"event":"end"}') return lines.slice(0, -1);
  if (code === 0) {
    const why = 'the process ended before its tests were through (process.exit in a test, a hook or the source)';
    return [line({ event: 'tampered', why })];
  }
  const how = signal === null ? `exit code ${code}` : signal;
  const message = stderr === '' ? `the process of the file ended with ${how} before its tests were through` : stderr;
  return [...lines, line({ event: 'crash', message })];
}

function collect(
  stream: Readable,
  also?: (part: Buffer) => void,
): { text(): string; readonly ended: Promise<unknown> } {
  const parts: Buffer[] = [];
  stream.on('data', (part: Buffer) => {
    parts.push(part);
    also?.(part);
  });
  return { text: () => Buffer.concat(parts).toString('utf8'), ended: once(stream, 'end') };
}
