import { z } from 'zod';
import type { TestCase } from '../../contracts/sandbox/test-run.ts';
import type { Missing } from './missing-module.ts';
import { CountedLines } from './executed-lines.ts';
import { commandDirectory, progressPath, reportPath } from './runner.ts';
import type { FileReport, ParsedReport, PlanInput } from './runner.ts';
import { parseJson } from '../../lib/parse-json.ts';

/**
 * Returns the description of a run for the programs in `tool-plugins/test-tool/runtime/`, which read it on standard
 * input. Paths are absolute.
 */
export function runDescription(input: PlanInput, more: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({
    root: input.projectRoot,
    cwd: commandDirectory(input),
    files: input.files.map((file) => `${input.projectRoot}/${file}`),
    cover: (input.cover ?? []).map((file) => `${input.projectRoot}/${file}`),
    canary: input.canary.prefix,
    report: reportPath(input),
    progress: progressPath(input),
    ...more,
  });
}

const index = z.number().int().nonnegative();
const failureSchema = z.strictObject({ kind: z.enum(['assertion', 'error', 'timeout']), message: z.string() });

/**
 * A line of a report: a JSON object about the test file at `index` of the run. The last line shows that the report is
 * complete.
 */
const lineSchema = z.discriminatedUnion('event', [
  z.strictObject({ event: z.literal('begin'), index }),
  z.strictObject({
    event: z.literal('case'),
    index,
    name: z.string(),
    status: z.enum(['passed', 'failed', 'skipped', 'todo']),
    duration_ms: z.number().nonnegative(),
    failure: failureSchema.optional(),
  }),
  /** `place`: where the first part of a missing module's name was found. */
  z.strictObject({
    event: z.literal('load'),
    index,
    type: z.string(),
    message: z.string(),
    place: z.enum(['project', 'elsewhere', 'nowhere']).optional(),
  }),
  z.strictObject({ event: z.literal('crash'), index, message: z.string() }),
  z.strictObject({ event: z.literal('canary'), index, name: z.string(), status: z.string() }),
  z.strictObject({ event: z.literal('left_out'), index }),
  z.strictObject({ event: z.literal('tampered'), index, why: z.string() }),
  /** Executed lines, in the format of lcov. */
  z.strictObject({ event: z.literal('coverage'), index, lcov: z.string() }),
  z.strictObject({ event: z.literal('end') }),
]);

type Line = z.infer<typeof lineSchema>;
export type LoadLine = Extract<Line, { event: 'load' }>;

/** What the lines up to now say about one file. */
interface Reported {
  readonly cases: TestCase[];
  readonly canaries: Map<string, string[]>;
  begun: boolean;
  leftOut: boolean;
  broken: boolean;
  tampered: string | null;
}

/**
 * Pure: parses the report of one of Fluffy's programs and compares it with its plan. `missing` returns which module or
 * export a load failure names as missing. A file that loaded is valid only if both of its canaries are reported once,
 * with the expected result. `unchecked` is for a runner without canaries.
 */
export function parseCaseReport(
  plan: PlanInput,
  report: Buffer | null,
  missing: (line: LoadLine) => Missing | null,
  checks: 'canaries' | 'unchecked' = 'canaries',
): ParsedReport {
  const raw = (report?.toString('utf8') ?? '').split('\n').filter((line) => line !== '');
  const lines: Line[] = [];
  for (const [place, each] of raw.entries()) {
    const parsed = lineSchema.safeParse(parseJson(each));
    if (parsed.success) lines.push(parsed.data);
    else if (place < raw.length - 1) return invalid('The test report has a line that is not in its format.');
  }
  const counted = new CountedLines(plan);
  const files = plan.files.map<Reported>(() => ({
    cases: [],
    canaries: new Map(),
    begun: false,
    leftOut: false,
    broken: false,
    tampered: null,
  }));
  for (const line of lines) {
    if (line.event === 'end') continue;
    const target = files[line.index];
    if (target === undefined) return invalid('The test report names a file that was not requested.');
    if (line.event === 'coverage') counted.add(plan.files[line.index] as string, line.lcov);
    else addLine(target, plan.files[line.index] as string, line, missing);
  }
  const ends = lines.filter((line) => line.event === 'end').length;
  if (ends === 1 && lines.at(-1)?.event === 'end') return { ...assemble(plan, files, checks), ...counted.found() };
  const unfinished = files.findIndex((each) => each.begun && !each.broken && each.canaries.size < 2);
  const file = plan.files[unfinished];
  return invalid(
    file === undefined
      ? 'The test report breaks off before its end.'
      : `The test report breaks off in ${file}: something ended the process before its tests were through.`,
  );
}

function addLine(
  target: Reported,
  file: string,
  line: Exclude<Line, { event: 'end' | 'coverage' }>,
  missing: (line: LoadLine) => Missing | null,
): void {
  switch (line.event) {
    case 'begin':
      target.begun = true;
      break;
    case 'case':
      target.cases.push(caseOf(file, line));
      break;
    case 'load': {
      target.broken = true;
      const absent = missing(line);
      const failure = { kind: 'load' as const, message: line.message, ...(absent === null ? {} : { missing: absent }) };
      target.cases.push({ file, name: '(load)', status: 'failed', duration_ms: 0, failure });
      break;
    }
    case 'crash':
      target.broken = true;
      target.cases.push({
        file,
        name: '(file)',
        status: 'failed',
        duration_ms: 0,
        failure: { kind: 'crash', message: line.message },
      });
      break;
    case 'canary':
      target.canaries.set(line.name, [...(target.canaries.get(line.name) ?? []), line.status]);
      break;
    case 'left_out':
      target.leftOut = true;
      target.cases.push({ file, name: '(file)', status: 'skipped', duration_ms: 0 });
      break;
    case 'tampered':
      target.tampered = line.why;
      break;
  }
}

function caseOf(file: string, line: Extract<Line, { event: 'case' }>): TestCase {
  const { name, status, duration_ms, failure } = line;
  const why = failure ?? { kind: 'error' as const, message: 'failed' };
  return { file, name, status, duration_ms, ...(status === 'failed' ? { failure: why } : {}) };
}

function assemble(
  plan: PlanInput,
  reports: readonly Reported[],
  checks: 'canaries' | 'unchecked',
): Extract<ParsedReport, { kind: 'files' }> {
  const files = reports.map<FileReport>((report, place) => {
    const file = plan.files[place] as string;
    const statuses = (kind: 'pass' | 'fail') => report.canaries.get(canaryName(plan.canary.prefix, place, kind)) ?? [];
    const tampered = checks === 'unchecked' ? null : whyTampered(file, report, statuses('pass'), statuses('fail'));
    return { file, cases: report.cases, collected: !report.leftOut, tampered };
  });
  return { kind: 'files', files };
}

function whyTampered(
  file: string,
  report: Reported,
  passing: readonly string[],
  failing: readonly string[],
): string | null {
  if (report.tampered !== null) return `In ${file}: ${report.tampered}`;
  if (failing.includes('passed') || passing.includes('failed'))
    return `In ${file} assertions no longer fail on false values: something has replaced them.`;
  if (passing.length > 1 || failing.length > 1)
    return `${file} was reported more than once: something writes to the report.`;
  if (report.broken || report.leftOut) return null;
  return passing[0] === 'passed' && failing[0] === 'failed'
    ? null
    : `The kernel's own checks in ${file} did not run: a filter, an exit or a hook keeps tests from running.`;
}

/** Returns the name of one of the two canaries of the test file at `index`. */
export function canaryName(prefix: string, index: number, kind: 'pass' | 'fail'): string {
  return `${prefix}-${index}-${kind}`;
}

function invalid(why: string): ParsedReport {
  return { kind: 'invalid', why };
}
