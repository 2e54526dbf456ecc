import type { Red } from '../../../contracts/session/session-facts.ts';
import type { TestCase, TestRun } from '../../../contracts/sandbox/test-run.ts';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import type { ExecutedLines } from '../../runners/executed-lines.ts';
import type { SessionContext } from '../../services.ts';
import { unusableRun } from '../red.ts';
import { countedSources } from '../executed/counted-sources.ts';
import { caseLimitMs } from '../run/time-limits.ts';
import { attemptTests, runTests } from '../run/run-tests.ts';
import { casesById, describeCase, outcomeOf, splitCaseId } from '../test-case-id.ts';
import type { TestCaseId } from '../test-case-id.ts';
import { entriesWithoutSource, stagedWork } from '../in-source/staged-work.ts';
import { splitChanges } from '../views/split-changes.ts';
import { stagedEntries } from '../views/staged-entries.ts';
import type { Observed } from './observe.ts';
import { listFirst } from '../../../lib/text/list-first.ts';

const MAX_NAMED = 5;

export interface Removal extends Observed {
  /** Cases, or files that did not load, whose results differ between two runs of the same tree. */
  readonly flaky: readonly string[];
  /** Lines of the changed sources that the new cases executed; null if lines were not counted. */
  readonly executed: ExecutedLines | null;
}

export type JudgedRemoval = Omit<Removal, 'executed'>;

export interface RemovalFacts {
  readonly command: TestCommand;
  readonly red: Red;
  /** The run of the whole suite at green. */
  readonly suite: TestRun;
}

/** Runs the new cases once more without the new source and once more with it. */
export async function observeRemoval(context: SessionContext, { command, red, suite }: RemovalFacts): Promise<Removal> {
  const { services, session, workspace, signal } = context;
  const work = await stagedWork(context);
  const { rest } = splitChanges(services, command, work.changes);
  const staged = await stagedEntries(workspace, rest);
  if (staged.kind === 'failed')
    return { outcome: 'impossible', detail: `${staged.path} could not be read`, flaky: [], executed: null };
  const files = redFiles(red);
  const cover = await countedSources(context, command);
  const view = await services.workspaces.scratch();
  try {
    const without = {
      id: view.id,
      workspace: view.workspace,
      session,
      caseMs: caseLimitMs(suite),
      overrides: [...staged.entries, ...entriesWithoutSource(work)],
    };
    const [first, second] = await Promise.all([
      runTests(services, without, command, files, signal),
      attemptTests(services, { id: session.id, workspace, session, cover }, command, files, signal),
    ]);
    return { ...judgeRemoval(red, first, second.run), executed: second.executed };
  } finally {
    await view.close();
  }
}

export function redFiles(red: Red): string[] {
  return [...new Set([...red.cases.map((id) => splitCaseId(id).file), ...red.files])].sort();
}

/**
 * Pure: checks that the red cases fail again without the source and pass again with it. Together with the runs that
 * decided red and green, each case is seen twice with the source and twice without. So time, chance, order or a file
 * left behind is not the reason why it passes.
 */
export function judgeRemoval(red: Red, without: TestRun, again: TestRun): JudgedRemoval {
  const unusable = unusableRun(without) ?? unusableRun(again);
  if (unusable !== null) return { outcome: 'impossible', detail: unusable.why, flaky: [] };
  const flaky = [
    ...red.cases.filter((id) => !failsWithout(id, without) || !passes(id, again)),
    ...filesWithoutCases(red).filter((file) => !allFail(file, without) || !allPass(file, again)),
  ];
  if (flaky.length === 0) {
    return { outcome: 'held', detail: 'they fail without it and pass with it', flaky };
  }
  const named = listFirst(flaky, { max: MAX_NAMED, separator: '; ', name: (id) => describeCase(id as TestCaseId) });
  return {
    outcome: 'failed',
    detail: `two runs of the same files gave different results: ${named}`,
    flaky,
  };
}

/** Files that did not load and have no red case. All of their cases must fail without the source and pass with it. */
function filesWithoutCases({ cases, files }: Red): string[] {
  const known = new Set(cases.map((id) => splitCaseId(id).file));
  return files.filter((file) => !known.has(file));
}

function failsWithout(id: string, run: TestRun): boolean {
  const found = casesById(run.cases).get(id as TestCaseId);
  if (found !== undefined) return found.status === 'failed';
  return casesOf(splitCaseId(id).file, run).some(failedToLoad);
}

function passes(id: string, run: TestRun): boolean {
  return outcomeOf(id, run.cases)?.status === 'passed';
}

/** Whether a file fails without the source: it does not load, or each of its cases fails. */
function allFail(file: string, run: TestRun): boolean {
  const cases = casesOf(file, run);
  return cases.length > 0 && (cases.some(failedToLoad) || cases.every(({ status }) => status === 'failed'));
}

function allPass(file: string, run: TestRun): boolean {
  const cases = casesOf(file, run);
  return cases.some(({ status }) => status === 'passed') && cases.every(({ status }) => status !== 'failed');
}

function casesOf(file: string, run: TestRun): TestCase[] {
  return run.cases.filter((each) => each.file === file);
}

function failedToLoad({ failure }: TestCase): boolean {
  return failure?.kind === 'load' || failure?.kind === 'crash';
}
