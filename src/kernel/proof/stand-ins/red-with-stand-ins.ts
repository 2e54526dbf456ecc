import type { ViewEntry } from '../../../contracts/ports/workspace.ts';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import type { TestCase, TestRun } from '../../../contracts/sandbox/test-run.ts';
import type { Services } from '../../services.ts';
import type { Observed } from '../observations/observe.ts';
import { unusableRun } from '../red.ts';
import { runTests } from '../run-tests.ts';
import type { TestSite } from '../run-tests.ts';
import { caseId, describeCase } from '../test-case-id.ts';
import { standInsFor } from './stand-ins.ts';
import { listFirst } from '../../../lib/text/list-first.ts';

/** Each run finds at most one thing that a file lacks. */
const MAX_ROUNDS = 4;
const MAX_NAMED = 5;

export interface StandInRed extends Observed {
  /** Cases that failed against stand-ins. */
  readonly cases: readonly string[];
  /** Cases that did not fail although nothing they import exists, skipped ones too: they assert nothing about it. */
  readonly empty: readonly string[];
}

/** Test files, and the run in which they did not load. */
interface NotLoading {
  readonly files: readonly string[];
  readonly run: TestRun;
}

/**
 * Test files that could not be loaded are run again on stand-ins for what is missing, which throw when they are used: only now there are cases to be
 * seen failing.
 */
export async function redWithStandIns(
  services: Services,
  site: TestSite,
  command: TestCommand,
  notLoading: NotLoading,
  signal: AbortSignal,
): Promise<StandInRed> {
  const { files } = notLoading;
  const planted = new Map<string, ViewEntry>();
  let { run } = notLoading;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const before = planted.size;
    for (const failed of notLoaded(run, files)) {
      const found = await standInsFor(site.workspace, services.options.project_root, failed);
      for (const each of found) if (!planted.has(each.path)) planted.set(each.path, each);
    }
    if (planted.size === before) break;
    run = await runTests(services, { ...site, overrides: [...planted.values()] }, command, files, signal);
  }
  return judgeStandIns(run, files);
}

/** Pure. */
export function judgeStandIns(run: TestRun, files: readonly string[]): StandInRed {
  const unusable = unusableRun(run);
  if (unusable !== null) return impossible(unusable.why);
  const left = notLoaded(run, files);
  if (left.length > 0)
    return impossible(`${left.map(({ file }) => file).join(', ')} does not load with stand-ins either`);
  const cases = run.cases.filter(({ file }) => files.includes(file));
  if (files.some((file) => !cases.some((each) => each.file === file))) return impossible('a file has no case');
  const empty = cases.filter(({ status }) => status !== 'failed').map(caseId);
  if (empty.length > 0) {
    const named = listFirst(empty, { max: MAX_NAMED, separator: '; ', name: describeCase });
    return {
      outcome: 'failed',
      detail: `do not fail although nothing they import exists yet: ${named}`,
      cases: [],
      empty,
    };
  }
  // None is empty and each file has a case, so each file has one that failed.
  const failed = cases.map(caseId);
  return { outcome: 'held', detail: `${failed.length} fail against stand-ins`, cases: [...new Set(failed)], empty };
}

function impossible(detail: string): StandInRed {
  return { outcome: 'impossible', detail, cases: [], empty: [] };
}

function notLoaded(run: TestRun, files: readonly string[]): TestCase[] {
  return run.cases.filter(
    ({ file, failure }) => files.includes(file) && (failure?.kind === 'load' || failure?.kind === 'crash'),
  );
}
