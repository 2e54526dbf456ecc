import type { ViewEntry } from '../../../contracts/ports/workspace.ts';
import type { Baseline } from '../../../contracts/session/session-facts.ts';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import type { TestCase, TestRun } from '../../../contracts/sandbox/test-run.ts';
import type { Services } from '../../services.ts';
import type { Observed } from '../observations/observe.ts';
import { unusableRun } from '../red.ts';
import { runTests } from '../run-tests.ts';
import type { TestSite } from '../run-tests.ts';
import { casesById, describeCase } from '../test-case-id.ts';
import type { TestCaseId } from '../test-case-id.ts';
import { standInsFor } from './stand-ins.ts';
import type { StandInForm } from './stand-ins.ts';
import { listFirst } from '../../../lib/text/list-first.ts';

/** Each run finds one module or export that a file lacks. */
const MAX_ROUNDS = 4;
const MAX_NAMED = 5;

export interface StandInRed extends Observed {
  /** Cases that failed against stand-ins, by names that the source does not make. */
  readonly cases: readonly string[];
  /** How many failed whose names may be made of what a silent stand-in gave: with the source they have other ones, and their whole file is new. */
  readonly unnamed: number;
  /** Cases that did not fail although nothing they import exists, skipped ones too: they assert nothing about it. */
  readonly empty: readonly string[];
  /** Files that load and register no case: the runner collects them, and the tests import them. */
  readonly helpers: readonly string[];
}

/** Test files, and the run in which they did not load. */
interface NotLoading {
  readonly files: readonly string[];
  readonly run: TestRun;
  readonly baseline: Baseline;
}

/**
 * Test files that could not be loaded are run again on stand-ins for what is missing, which throw when they are used: only now there are cases to be
 * seen failing. A file that uses one outside of its cases does not load even so, and a hook of the whole file fails every case, also those by which a runner is judged:
 * then each use is answered with what equals nothing instead.
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

/** Pure. Cases that were there before the session may pass as before: what they import exists. */
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
  // Only old cases, and none of them fails: what is missing is imported, and nothing asks for it.
  const empty = passing.length === 0 && failed.length === 0 ? cases.map(([id]) => id) : passing;
  if (empty.length > 0) {
    const named = listFirst(empty, { max: MAX_NAMED, separator: '; ', name: describe });
    const detail = `these do not fail, although nothing that they import exists yet: ${named}`;
    return { outcome: 'failed', detail, cases: [], unnamed: 0, empty, helpers };
  }
  const detail = `${failed.length} fail against stand-ins`;
  return { outcome: 'held', detail, cases: failed, unnamed: 0, empty, helpers };
}

function describe(id: string): string {
  return describeCase(id as TestCaseId);
}

/** A case that passed or was skipped before the session is not one of its new cases as long as it does not fail; one that failed is none at all. */
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
