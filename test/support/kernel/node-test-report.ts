import { z } from 'zod';
import type { TestJob, TestSandboxResult } from '../../../src/contracts/ports/sandboxes.ts';
import type { TestRunOf } from './fake-sandboxes.ts';
import { lcovOf } from './ran-lines.ts';
import type { Lines } from './ran-lines.ts';

/** Whether each case of the one test file passes. */
export type Cases = Readonly<Record<string, boolean>>;
/** The cases of a test file by its path; null: it does not load. */
export type CasesOf = (path: string) => Cases | null;

const described = z.looseObject({ root: z.string(), canary: z.string(), files: z.array(z.string()) });

/** What our program for node:test reports of a run of one file with these cases, the kernel's own canaries included. */
export function nodeTestReport(
  run: TestRunOf,
  cases: Cases,
  ran?: Lines | ((path: string) => Lines),
): Partial<TestSandboxResult> {
  return nodeTestReports(run, () => cases, typeof ran === 'object' ? () => ran : ran);
}

/** The same of a run of several files. `casesOf` is asked for each, by its path. */
export function nodeTestReports(
  { operation, files }: TestRunOf,
  casesOf: CasesOf,
  linesOf?: (path: string) => Lines,
): Partial<TestSandboxResult> {
  // The project's own command: it has no report.
  if (operation.job.input === undefined) {
    const tests = [...files.keys()].filter((path) => path.endsWith('.test.js'));
    const passes = tests.flatMap((path) => Object.values(casesOf(path) ?? [false])).every(Boolean);
    return { exit: { kind: 'exited', code: passes ? 0 : 1 }, report: null };
  }
  return { exit: { kind: 'exited', code: 1 }, report: reportOfJob(operation.job, casesOf, linesOf) };
}

export function reportOfJob({ input }: TestJob, casesOf: CasesOf, linesOf?: (path: string) => Lines): Buffer {
  const { root, canary, files } = described.parse(JSON.parse(input ?? ''));
  const lines = files.flatMap((file, index) => [
    ...eventsOf(casesOf(file.slice(root.length + 1)), index),
    ...(linesOf === undefined
      ? []
      : [{ event: 'coverage', index, lcov: lcovOf(root, linesOf(file.slice(root.length + 1))) }]),
    { event: 'canary', index, name: `${canary}-${index}-pass`, status: 'passed' },
    { event: 'canary', index, name: `${canary}-${index}-fail`, status: 'failed' },
  ]);
  return Buffer.from([...lines, { event: 'end' }].map((line) => `${JSON.stringify(line)}\n`).join(''));
}

function eventsOf(cases: Cases | null, index: number): object[] {
  if (cases === null) return [{ event: 'load', index, type: 'Error', message: 'it throws' }];
  return Object.entries(cases).map(([name, passes]) => ({
    event: 'case',
    index,
    name,
    status: passes ? 'passed' : 'failed',
    duration_ms: 0,
  }));
}
