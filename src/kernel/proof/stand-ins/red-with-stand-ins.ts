import type { ViewEntry } from '../../../contracts/ports/workspace.ts';
import type { Baseline } from '../../../contracts/session/session-facts.ts';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import type { TestCase, TestRun } from '../../../contracts/sandbox/test-run.ts';
import type { Services } from '../../services.ts';
import type { Observed } from '../observations/observe.ts';
import { unusableRun } from '../red.ts';
import { runTests } from '../run/run-tests.ts';
import type { TestSite } from '../run/run-tests.ts';
import { casesById, describeCase } from '../test-case-id.ts';
import type { TestCaseId } from '../test-case-id.ts';
import { standInsFor } from './stand-ins.ts';
import type { StandInForm } from './stand-ins.ts';
import { listFirst } from '../../../lib/text/list-first.ts';

/** Maximum number of runs. Each run finds one missing module or export of a file. */
const MAX_ROUNDS = 4;
const MAX_NAMED = 5;

export interface StandInRed extends Observed {
  /** Ids of the cases that failed with stand-ins. Their names do not depend on the source. */
  readonly cases: readonly string[];
  /**
   * Number of cases that failed with silent stand-ins. Their names may contain values of a stand-in and be different
   * with the source, so all cases of their files count as new.
   */
  readonly unnamed: number;
  /**
   * Ids of cases that did not fail (skipped cases too) although nothing that they import exists. They assert nothing
   * about it.
   */
  readonly empty: readonly string[];
  /** Files that load and register no case: the runner collects them, and tests import them. */
  readonly helpers: readonly string[];
}

/** Test files, and the run in which they did not load. */
interface NotLoading {
  readonly files: readonly string[];
  readonly run: TestRun;
  readonly baseline: Baseline;
}

/**
 * Runs test files that did not load again, with stand-ins for the missing modules and exports, so that their cases can
 * be seen to fail. First, stand-ins throw when they are used. Some files still do not load, because they use a stand-in
 * outside of a case. In others, a hook fails every case, including the canaries. Then the run is repeated with silent
 * stand-ins: each use returns a value that equals nothing else.
 */
export async function redWithStandIns(
  services: Services,
  site: TestSite,
  command: TestCommand,
  notLoading: NotLoading,
  signal: AbortSignal,
): Promise<StandInRed> {
  const { files, baseline } = notLoading;
  const judged = judgeStandIns(await runOn('throwing'), files, baseline);
  if (judged.outcome !== 'impossible') return judged;
  const silent = judgeStandIns(await runOn('silent'), files, baseline);
  return silent.outcome === 'held' ? { ...silent, cases: [], unnamed: silent.cases.length } : judged;

  async function runOn(form: StandInForm): Promise<TestRun> {
    const { project_root: projectRoot } = services.options;
    const planted = new Map<string, ViewEntry>();
    let { run } = notLoading;
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      let isMore = false;
      for (const failed of notLoaded(run, files)) {
        for (const each of await standInsFor(site.workspace, { projectRoot, failed, form, planted })) {
          isMore ||= !isSame(each, planted.get(each.path));
          planted.set(each.path, each);
        }
      }
      if (!isMore) break;
      run = await runTests(services, { ...site, overrides: [...planted.values()] }, command, files, signal);
    }
    return run;
  }
}

function isSame({ entry }: ViewEntry, other: ViewEntry | undefined): boolean {
  const before = other?.entry;
  return entry.kind === 'file' && before?.kind === 'file' && Buffer.compare(entry.bytes, before.bytes) === 0;
}

/** Pure: judges the run. Cases that existed before the session may still pass, because what they import exists. */
export function judgeStandIns(run: TestRun, files: readonly string[], baseline: Baseline): StandInRed {
  const unusable = unusableRun(run);
  if (unusable !== null) return impossible(unusable.why);
  const broken = new Set(notLoaded(run, files).map(({ file }) => file));
  const cases = [...casesById(run.cases)].filter(([, { file }]) => files.includes(file) && !broken.has(file));
  const helpers = files.filter((path) => !broken.has(path) && !cases.some(([, { file }]) => file === path));
  if (broken.size > 0) return impossible(`${[...broken].join(', ')} does not load with stand-ins either`, helpers);
  if (cases.length === 0) return impossible('no file has a case', helpers);

  const isOld = oldCases(baseline);
  const failed = cases.filter(([id, { status }]) => status === 'failed' && !isOld.failing(id)).map(([id]) => id);
  const passing = cases.filter(([id, { status }]) => status !== 'failed' && !isOld.other(id)).map(([id]) => id);
  // The file has only old cases and none fails. So the missing name is imported, but no case uses it.
  const empty = passing.length === 0 && failed.length === 0 ? cases.map(([id]) => id) : passing;
  if (empty.length > 0) {
    const named = listFirst(empty, { max: MAX_NAMED, separator: '; ', name: describe });
    const detail = `these do not fail, although nothing that they import exists yet: ${named}`;
    return { outcome: 'failed', detail, cases: [], unnamed: 0, empty, helpers };
  }
  const detail = failOnStandIns(failed.length);
  return { outcome: 'held', detail, cases: failed, unnamed: 0, empty, helpers };
}

/** How many new tests fail against stand-ins, in words. */
export function failOnStandIns(count: number): string {
  return `${count} ${count === 1 ? 'fails' : 'fail'} against stand-ins`;
}

function describe(id: string): string {
  return describeCase(id as TestCaseId);
}

/**
 * A case that passed or was skipped before the session counts as new only if it fails now. A case that failed before
 * never counts.
 */
function oldCases(baseline: Baseline): Readonly<Record<'failing' | 'other', (id: string) => boolean>> {
  const { passed, failed, skipped = [] } = baseline.kind === 'known' ? baseline : { passed: [], failed: [] };
  const failing = new Set(failed);
  const other = new Set([...passed, ...skipped]);
  return { failing: (id) => failing.has(id), other: (id) => other.has(id) };
}

function impossible(detail: string, helpers: readonly string[] = []): StandInRed {
  return { outcome: 'impossible', detail, cases: [], unnamed: 0, empty: [], helpers };
}

function notLoaded(run: TestRun, files: readonly string[]): TestCase[] {
  return run.cases.filter(
    ({ file, failure }) => files.includes(file) && (failure?.kind === 'load' || failure?.kind === 'crash'),
  );
}
