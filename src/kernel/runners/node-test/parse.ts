import { z } from 'zod';
import { IN_L2 } from '../../../contracts/container-paths.ts';
import type { TestCase } from '../../../contracts/test-run.ts';
import { missingNodeModule } from '../javascript/missing-node-module.ts';
import type { FileReport, ParsedReport, PlanInput } from '../runner.ts';
import { canaryName, wrapperName } from './wrapper.ts';

const causeSchema = z.looseObject({
  name: z.string().optional(),
  code: z.string().optional(),
  message: z.string(),
  stack: z.string().optional(),
});

const lineSchema = z.discriminatedUnion('event', [
  z.looseObject({ event: z.literal('start'), name: z.string(), nesting: z.number().int().nonnegative() }),
  z.looseObject({ event: z.literal('stderr'), file: z.string().optional(), text: z.string() }),
  z.looseObject({ event: z.literal('end') }),
  z.looseObject({
    event: z.enum(['pass', 'fail']),
    name: z.string(),
    nesting: z.number().int().nonnegative(),
    file: z.string().optional(),
    type: z.string().optional(),
    duration_ms: z.number().optional(),
    skip: z.boolean().optional(),
    todo: z.boolean().optional(),
    failure_type: z.string().optional(),
    cause: causeSchema.optional(),
  }),
]);

type Line = z.infer<typeof lineSchema>;
type Verdict = Extract<Line, { event: 'pass' | 'fail' }>;

/** What the lines so far say of one file. */
interface Reported {
  readonly cases: TestCase[];
  canary: { pass: boolean | null; fail: boolean | null };
  load: Verdict | null;
  whole: Verdict | null;
  stderr: string;
}

const SUITE_OWN_FAILURES = new Set(['hookFailed', 'testCodeFailure', 'testTimeoutFailure', 'cancelledByParent']);

/** Pure: the NDJSON report of node-test-reporter.ts, compared with its plan. */
export function parseNodeTestReport(plan: PlanInput, report: Buffer | null): ParsedReport {
  const lines = readLines(report);
  if (typeof lines === 'string') return { kind: 'invalid', why: lines };

  const reports = plan.files.map<Reported>(() => ({
    cases: [],
    canary: { pass: null, fail: null },
    load: null,
    whole: null,
    stderr: '',
  }));
  const fileOf = indexByFile(plan);
  const names: string[] = [];
  /** Cases whose call site is not a test file wait for the canary that closes their file's group. */
  let unplaced: TestCase[] = [];

  for (const line of lines) {
    switch (line.event) {
      case 'start':
        names.length = line.nesting;
        names[line.nesting] = line.name;
        break;
      case 'stderr': {
        const target = reports[fileOf(line.file) ?? -1];
        if (target !== undefined) target.stderr = `${target.stderr}${line.text}`.slice(-4000);
        break;
      }
      case 'end':
        break;
      case 'pass':
      case 'fail': {
        const canary = canaryOf(line, plan);
        if (canary !== null) {
          const target = reports[canary.index] as Reported;
          if (canary.kind === 'load') target.load = line;
          else target.canary[canary.kind] = line.event === 'pass';
          target.cases.push(...unplaced.map((each) => ({ ...each, file: plan.files[canary.index] as string })));
          unplaced = [];
          break;
        }
        const whole = wholeFileOf(line, plan);
        if (whole !== null) {
          (reports[whole] as Reported).whole = line;
          break;
        }
        const place = fileOf(line.file);
        const testCase = toCase(line, names, place === undefined ? '' : (plan.files[place] as string));
        if (testCase === null) break;
        if (place === undefined) unplaced.push(testCase);
        else (reports[place] as Reported).cases.push(testCase);
        break;
      }
    }
  }
  if (unplaced.length > 0)
    return { kind: 'invalid', why: 'The report has test cases that belong to no test file of this run.' };
  return assemble(plan, reports);
}

function readLines(report: Buffer | null): Line[] | string {
  const text = report?.toString('utf8') ?? '';
  const raw = text.split('\n').filter((line) => line !== '');
  if (raw.at(-1) !== '{"event":"end"}') return 'The test report breaks off before its end.';
  const lines: Line[] = [];
  for (const each of raw) {
    const parsed = lineSchema.safeParse(parseJson(each));
    if (!parsed.success) return 'The test report has a line that is not in its format.';
    lines.push(parsed.data);
  }
  return lines;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** Maps an absolute path, of a test file or of its wrapper, to the file's place in the plan. */
function indexByFile(plan: PlanInput): (file: string | undefined) => number | undefined {
  const places = new Map<string, number>();
  plan.files.forEach((file, index) => {
    places.set(`${plan.projectRoot}/${file}`, index);
    places.set(`${IN_L2.job}/${wrapperName(index)}`, index);
  });
  return (file) => (file === undefined ? undefined : places.get(file));
}

function canaryOf(line: Verdict, plan: PlanInput): { index: number; kind: 'pass' | 'fail' | 'load' } | null {
  if (line.nesting !== 0 || !line.name.startsWith(`${plan.canary.prefix}-`)) return null;
  const [index, kind] = line.name.slice(plan.canary.prefix.length + 1).split('-');
  const place = Number(index);
  if (plan.files[place] === undefined) return null;
  if (kind !== 'pass' && kind !== 'fail' && kind !== 'load') return null;
  return canaryName(plan.canary.prefix, place, kind) === line.name ? { index: place, kind } : null;
}

/** node:test reports a file as a test when no test was reported from it, or when its process failed. */
function wholeFileOf(line: Verdict, plan: PlanInput): number | null {
  if (line.nesting !== 0) return null;
  const index = plan.files.findIndex((_, place) => line.name.endsWith(`/${wrapperName(place)}`));
  return index === -1 ? null : index;
}

function toCase(line: Verdict, names: readonly string[], file: string): TestCase | null {
  const suite = line.type === 'suite';
  if (suite && (line.event === 'pass' || !SUITE_OWN_FAILURES.has(line.failure_type ?? ''))) return null;
  const status =
    line.skip === true ? 'skipped' : line.todo === true ? 'todo' : line.event === 'pass' ? 'passed' : 'failed';
  return {
    file,
    name: [...names.slice(0, line.nesting), line.name].join(' > '),
    status,
    duration_ms: Math.max(0, line.duration_ms ?? 0),
    ...(status === 'failed' ? { failure: { kind: failureKind(line), message: line.cause?.message ?? 'failed' } } : {}),
  };
}

function failureKind(line: Verdict): 'assertion' | 'error' | 'timeout' {
  if (line.failure_type === 'testTimeoutFailure') return 'timeout';
  return line.cause?.code === 'ERR_ASSERTION' || line.cause?.name === 'AssertionError' ? 'assertion' : 'error';
}

function assemble(plan: PlanInput, reports: readonly Reported[]): ParsedReport {
  const files = reports.map((report, index) => fileReport(plan.files[index] as string, report));
  return { kind: 'files', files };
}

function fileReport(file: string, report: Reported): FileReport {
  const { pass, fail } = report.canary;
  const base = { file, collected: true };
  if (fail === true || pass === false) {
    const why = `In ${file} assertions no longer fail on what is false: something stubs them.`;
    return { ...base, cases: report.cases, tampered: why };
  }
  if (report.load !== null)
    return { ...base, cases: [...report.cases, loadFailure(file, report.load)], tampered: null };
  if (pass !== null && fail !== null) return { ...base, cases: report.cases, tampered: null };
  if (report.whole?.event !== 'fail') {
    const why = `${file} ended its process before its tests were through (process.exit in a test, a hook or the source).`;
    return { ...base, cases: report.cases, tampered: why };
  }
  const message = report.stderr.trim() === '' ? 'the process failed' : report.stderr.trim();
  const crash: TestCase = {
    file,
    name: '(file)',
    status: 'failed',
    duration_ms: 0,
    failure: { kind: 'crash', message },
  };
  return { ...base, cases: [...report.cases, crash], tampered: null };
}

function loadFailure(file: string, line: Verdict): TestCase {
  const message = line.cause?.message ?? 'the file did not load';
  const missing = missingNodeModule(message);
  return {
    file,
    name: '(load)',
    status: 'failed',
    duration_ms: 0,
    failure: { kind: 'load', message, ...(missing === null ? {} : { missing }) },
  };
}
