import type { Baseline, Red } from '../../../contracts/session/session-facts.ts';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import type { TestCase, TestRun } from '../../../contracts/sandbox/test-run.ts';
import { listFirst } from '../../../lib/text/list-first.ts';
import { runnerFor } from '../../runners/command-parts.ts';
import type { SessionContext } from '../../services.ts';
import type { ChangedText } from '../findings/inspect-change.ts';
import { impossible } from '../observations/observe.ts';
import type { Observed } from '../observations/observe.ts';
import { unusableRun } from '../red.ts';
import { caseLimitMs } from '../run/time-limits.ts';
import { runTests } from '../run/run-tests.ts';
import { caseId, casesById, describeCase, splitCaseId } from '../test-case-id.ts';
import type { TestCaseId } from '../test-case-id.ts';
import { rewrittenSources } from '../views/rewritten-sources.ts';
import { stagedEntries, withEntries } from '../views/staged-entries.ts';
import { hollowSource } from './hollow/hollow-source.ts';

const MAX_NAMED = 5;

export interface HollowFacts {
  readonly command: TestCommand;
  readonly baseline: Baseline;
  /** The run of the whole suite at green. */
  readonly suite: TestRun;
  /** Test files that did not build without the source. */
  readonly files: readonly string[];
  readonly sources: readonly ChangedText[];
}

/** Returns the files of a red run that did not build. No case of them was seen to fail. */
export function unbuiltFiles(command: TestCommand, { files }: Red): string[] {
  return files.filter((file) => runnerFor(command, file).builds === true);
}

/**
 * Runs the new tests of a compiled language with the bodies of all changed functions replaced, so that a call ends the
 * case. Before the source exists, its types are unknown and no stand-in can be built, so the source at green is used.
 * Each new case has to fail. A case that passes asserts nothing about the new code.
 */
export async function observeHollow(context: SessionContext, facts: HollowFacts): Promise<Observed> {
  const { services, session, workspace, signal } = context;
  const { command, baseline, suite, files } = facts;
  const known = new Set<string>(baseline.kind === 'known' ? [...baseline.passed, ...baseline.failed] : []);
  const added = suite.cases
    .filter((each) => files.includes(each.file) && each.status === 'passed')
    .map(caseId)
    .filter((id) => !known.has(id));
  if (added.length === 0) return impossible('no file that did not compile has a new test');
  const hollow = await rewrittenSources(facts.sources, services.parseSyntax, hollowSource);
  if (hollow.length === 0) return impossible('no changed function can be emptied');
  const staged = await stagedEntries(workspace, await workspace.changes());
  if (staged.kind === 'failed') return impossible(`${staged.path} could not be read`);
  const view = await services.workspaces.scratch();
  try {
    const site = { ...view, session, caseMs: caseLimitMs(suite), overrides: withEntries(staged.entries, hollow) };
    return judgeHollow(await runTests(services, site, command, files, signal), added);
  } finally {
    await view.close();
  }
}

/** Pure: `added` are the ids of the new cases. */
export function judgeHollow(run: TestRun, added: readonly TestCaseId[]): Observed {
  const unusable = unusableRun(run);
  if (unusable !== null) return impossible(unusable.why);
  if (run.cases.some(({ failure }) => failure?.kind === 'load' || failure?.kind === 'crash'))
    return impossible('the tests do not load when the changed functions are emptied');
  const now = casesById(run.cases);
  const missed = added.filter((id) => !now.has(id) && endedBefore(id, now));
  const passing = added.filter((id) => now.get(id)?.status !== 'failed' && !missed.includes(id));
  if (passing.length === 0) {
    const unreached = missed.length === 0 ? '' : `, ${missed.length} of them because they are no longer reached`;
    return { outcome: 'held', detail: `${added.length} fail when the changed functions are emptied${unreached}` };
  }
  const named = listFirst(passing, { max: MAX_NAMED, separator: '; ', name: describeCase });
  return { outcome: 'failed', detail: `these do not fail, although the changed functions are empty: ${named}` };
}

/**
 * Whether a subtest did not start because a replaced function ended its parent test, in an earlier row of the table.
 * Another subtest must have failed there, so that the function is not only called by the code of the parent.
 */
function endedBefore(id: TestCaseId, now: ReadonlyMap<TestCaseId, TestCase>): boolean {
  const { file, name } = splitCaseId(id);
  const around = name.split(' > ').slice(0, -1).join(' > ');
  if (around === '' || now.get(caseId({ file, name: around }))?.status !== 'failed') return false;
  return [...now.values()].some(
    (each) => each.file === file && each.name.startsWith(`${around} > `) && each.status === 'failed',
  );
}
