import type { Workspace } from '../../../contracts/ports/workspace.ts';
import type { ChangeSet, FileChange } from '../../../contracts/review/change-set.ts';
import type { Baseline } from '../../../contracts/session/session-facts.ts';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import { PACKAGE_MANAGERS, PACKAGE_MANAGER_NAMES } from '../../../contracts/sandbox/package-managers.ts';
import type { TestRun } from '../../../contracts/sandbox/test-run.ts';
import { MANAGERS } from '../../packages/registry.ts';
import { collectsInProject, runnerFor } from '../../runners/command-parts.ts';
import type { SessionContext } from '../../services.ts';
import { impossible } from '../observations/observe.ts';
import type { Observed } from '../observations/observe.ts';
import { textAt } from '../read-text.ts';
import { unusableRun } from '../red.ts';
import { runSuite } from '../run/run-tests.ts';
import { casesById, describeCase } from '../test-case-id.ts';
import type { TestCaseId } from '../test-case-id.ts';
import { entriesWithoutTests, stagedWork } from '../in-source/staged-work.ts';
import { splitChanges } from '../views/split-changes.ts';
import { stagedEntries, withEntries } from '../views/staged-entries.ts';
import { listFirst } from '../../../lib/text/list-first.ts';

const MAX_NAMED = 5;

/** The suite before the session and at green. */
export interface OldTests {
  readonly command: TestCommand;
  readonly baseline: Baseline;
  readonly suite: TestRun;
}

/**
 * Runs the tests that existed before the session on the new source. Every file that they need is as in HEAD, except for
 * files that list packages of the source. The run is left out if nothing changed but new test files that run in
 * processes of their own: then the suite at green has the same result.
 */
export async function observeOldTests(
  context: SessionContext,
  { command, baseline, suite }: OldTests,
): Promise<Observed> {
  const { services, session, workspace, signal } = context;
  if (baseline.kind === 'unknown')
    return impossible(`the suite could not be run before this session (${baseline.why})`);
  if (baseline.passed.length === 0) return held('no test passed before this session');
  const work = await stagedWork(context);
  const { source, rest } = splitChanges(services, command, work.changes);
  const files = rest.filter(({ after }) => after.kind !== 'directory');
  const isMixed = [...work.mixed.values()].some(({ testsChanged }) => testsChanged);
  if (!isMixed && files.every((change) => isNewAlone(command, change))) {
    const atGreen = judgeOldTests(baseline.passed, suite);
    return atGreen.outcome === 'held' ? held('they pass, and no file that they use has changed') : atGreen;
  }
  // The new source may need packages that were added with it. A lockfile lists packages, but does not decide how tests
  // run.
  const lockfiles = rest.filter(({ path }) => isLockfile(path));
  const view = await services.workspaces.scratch();
  try {
    const manifests = await listingManifests(rest, view.workspace, workspace);
    const staged = await stagedEntries(workspace, [...source, ...lockfiles, ...manifests]);
    if (staged.kind === 'failed') return impossible(`${staged.path} could not be read`);
    const site = {
      id: view.id,
      workspace: view.workspace,
      session,
      overrides: withEntries(staged.entries, entriesWithoutTests(work)),
    };
    return judgeOldTests(baseline.passed, await runSuite(services, site, command, signal));
  } finally {
    await view.close();
  }
}

/** Whether a path is only a lockfile. A manifest that is its own lockfile may also decide how tests run. */
function isLockfile(path: string): boolean {
  return PACKAGE_MANAGER_NAMES.some((name) => {
    const { manifest, lockfile } = PACKAGE_MANAGERS[name];
    return path === lockfile && !(path === manifest && MANAGERS[name].onlyListsChanged !== undefined);
  });
}

/** Changed manifests that only list other packages. The new source cannot be built without them. */
async function listingManifests(changes: ChangeSet, before: Workspace, after: Workspace): Promise<ChangeSet> {
  const found: FileChange[] = [];
  for (const name of PACKAGE_MANAGER_NAMES) {
    const { onlyListsChanged } = MANAGERS[name];
    const change = changes.find(({ path }) => path === PACKAGE_MANAGERS[name].manifest);
    if (change === undefined || onlyListsChanged === undefined) continue;
    const [old, now] = await Promise.all([textAt(before, change.path), textAt(after, change.path)]);
    if (old !== null && now !== null && onlyListsChanged(old, now)) found.push(change);
  }
  return found;
}

/**
 * Whether a file is a new test file that runs in a process of its own. In the same process, it could change what other
 * tests test.
 */
function isNewAlone(command: TestCommand, { path, before }: FileChange): boolean {
  const isNewTest = before.kind === 'absent' && collectsInProject(command, path);
  return isNewTest && runnerFor(command, path).separates === true;
}

/** Pure: `passed` are the ids of the cases that passed before the session. */
export function judgeOldTests(passed: readonly string[], run: TestRun): Observed {
  const unusable = unusableRun(run);
  if (unusable !== null) return impossible(unusable.why);
  const now = casesById(run.cases);
  const differing = passed.filter((id) => now.get(id as TestCaseId)?.status !== 'passed');
  if (differing.length === 0) return held(`all ${passed.length} pass unchanged`);
  const name = (id: string) => describeCase(id as TestCaseId);
  return {
    outcome: 'failed',
    detail: `unchanged, these do not pass on the new source: ${listFirst(differing, { max: MAX_NAMED, separator: '; ', name })}`,
  };
}

function held(detail: string): Observed {
  return { outcome: 'held', detail };
}
