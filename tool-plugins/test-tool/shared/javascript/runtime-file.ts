import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { eachLine } from '../../../sdk/each-line.ts';

/** How the process of one test file is started. */
export interface FileProcess {
  readonly program: string;
  /** It has to write its JUnit report to `REPORT_PATH`. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** For its standard input. */
  readonly secrets: unknown;
  /** Of this run's own, for what has to have a name for a moment. */
  readonly directory: string;
  /** Gets each line that the runner prints, to whichever of its two outputs, as it comes. */
  readonly onLine: (line: string) => void;
}

export interface EndedFile {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Its report; '' where it left none. */
  readonly junit: string;
}

/** A file without a name: code under test finds no path to write to, and what it writes before the report is overwritten. */
export const REPORT_PATH = '/dev/fd/3';
const OUTPUT_GRACE_MS = 200;

/** Runs the process of one test file to its end. */
export function runTestFile({ program, args, cwd, env, secrets, directory, onLine }: FileProcess): Promise<EndedFile> {
  const junit = openSync(join(directory, 'report.xml'), 'wx+', 0o600);
  unlinkSync(join(directory, 'report.xml'));
  const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe', junit] });
  const [stdout, stderr] = [child.stdout, child.stderr].map((each) => textOf(each as Readable, onLine)) as [
    () => string,
    () => string,
  ];
  const stdin = child.stdin as Writable;
  // One that ends at once reads nothing.
  stdin.on('error', () => undefined);
  stdin.end(JSON.stringify(secrets));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      // At once: what the tests left running could still write to it.
      const text = readFileSync(junit, 'utf8');
      closeSync(junit);
      const settle = (): void => resolve({ code, signal, stdout: stdout(), stderr: stderr(), junit: text });
      // A process that it started may hold its output open for longer.
      const timer = setTimeout(settle, OUTPUT_GRACE_MS);
      child.on('close', () => {
        clearTimeout(timer);
        settle();
      });
    });
  });
}

/** Whether a text is one whole report of JUnit, and nothing besides. */
export function isOneReport(junit: string): boolean {
  return junit.startsWith('<?xml ') && /<\/testsuites>\s*$/.test(junit) && junit.split('<testsuites').length === 2;
}

/** What a process that left no report means. */
export function lostReport({ code, signal, stderr }: EndedFile): Readonly<Record<string, unknown>> {
  if (code === 0)
    return {
      event: 'tampered',
      why: 'the process ended before its tests were through (process.exit in a test, a hook or the source)',
    };
  const how = signal ?? `exit code ${code ?? '?'}`;
  const message = `the process of the file ended with ${how} before its tests were through\n${stderr.slice(-4000)}`;
  return { event: 'crash', message };
}

function textOf(stream: Readable, onLine: (line: string) => void): () => string {
  const parts: Buffer[] = [];
  stream.on('data', eachLine(onLine));
  stream.on('data', (part: Buffer) => parts.push(part));
  return () => Buffer.concat(parts).toString('utf8');
}
