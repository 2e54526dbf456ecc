import type { Baseline } from '../../contracts/session/session-facts.ts';
import type { TestRun } from '../../contracts/sandbox/test-run.ts';
import type { TestCommand } from '../../contracts/session/session-protocol.ts';
import { stagedWork } from './in-source/staged-work.ts';
import { baselineOf } from './baseline.ts';
import { judgeStaged, keptRun } from './green-run.ts';
import { splitCaseId } from './test-case-id.ts';
import type { GreenOutcome } from './green.ts';
import type { Session } from '../session/session.ts';
import { describeRun } from './run/describe-run.ts';
import { isOwnSetting } from './own-settings.ts';
import { runSuite } from './run/run-tests.ts';
import type { TestSite } from './run/run-tests.ts';
import { reportRun } from './run/report-run.ts';
import type { CommittableResult, SessionContext } from '../services.ts';
import { listFirst } from '../../lib/text/list-first.ts';

type Committable = Extract<CommittableResult, { kind: 'ok' }>;

const MAX_NAMED = 5;

/**
 * Runs the whole suite again if the user has uncommitted work, or had some when the session began: the tests may pass
 * only because of that work. This run uses exactly the tree to be committed, HEAD with the session's changes, and of
 * the other files only those that git ignores. Returns null if this run is green too (the session keeps the result),
 * otherwise the reason.
 */
export async function repeatGreen(context: SessionContext): Promise<string | null> {
  const { services, session, workspace, signal } = context;
  const found = await services.commits.committable(session, workspace, signal);
  if (found.kind === 'refused') return found.reason;
  const { green } = session.snapshot;
  const command = session.snapshot.options.test_command;
  if (green === null || command === null) throw new Error('a review without a green run');
  const clean = found.dirty.length === 0 && (session.snapshot.dirty_at_start ?? []).length === 0;
  if (clean || green.repeated?.view === found.digest) return null;

  const site: TestSite = { id: session.id, workspace, session, overrides: found.view.overrides };
  const run = await runSuite(services, site, command, signal);
  reportRun(services, session, run);
  const { verdict, onHead } = await judge(context, command, found, run);
  if (verdict.kind === 'not-green') return refuse(session, verdict, found, run);
  const repeated = {
    ...keptRun(services, run),
    tree: found.tree,
    view: found.digest,
    ...(onHead?.kind === 'known'
      ? { on_head: { failed: onHead.failed.map(splitCaseId), broken_files: onHead.broken_files } }
      : {}),
  };
  const uncommitted = [...found.dirty, ...(session.snapshot.dirty_at_start ?? [])];
  const said = uncommitted.every(isOwnSetting) ? [] : [REPEATED];
  const findings = [...session.snapshot.findings, ...verdict.findings, ...said];
  session.update({ green: { ...green, repeated }, findings: [...new Set(findings)] });
  session.save();
  return null;
}

const REPEATED = 'The whole suite ran again without your uncommitted work, on exactly what is committed.';

/**
 * Judges green with a baseline that excludes the user's work: cases in files that differ from HEAD are left out, and so
 * are all failures, which that work may have caused. If a case fails now, a run on HEAD alone shows whether it already
 * failed there.
 */
async function judge(
  { services, session, workspace, signal }: SessionContext,
  command: TestCommand,
  found: Committable,
  run: TestRun,
): Promise<{ readonly verdict: GreenOutcome; readonly onHead: Baseline | null }> {
  const { snapshot } = session;
  const work = await stagedWork({ services, workspace });
  const judgedWith = (baseline: Baseline) => judgeStaged(services, work, { run, baseline, red: snapshot.red });
  const known: Baseline = snapshot.baseline ?? { kind: 'unknown', why: 'not run' };
  const dirty = new Set([...found.dirty, ...found.view.onHead.map(({ path }) => path)]);
  const first = judgedWith(passedOutside(known, dirty));
  if (first.kind === 'green' || (first.code !== 'regression' && first.code !== 'tests_failed'))
    return { verdict: first, onHead: null };

  const scratch = await services.workspaces.scratch();
  try {
    const { id, workspace: untouched } = scratch;
    const site: TestSite = { id, workspace: untouched, session, overrides: found.view.onHead };
    const onHead = baselineOf(await runSuite(services, site, command, signal));
    return { verdict: judgedWith(onHead), onHead };
  } finally {
    await scratch.close();
  }
}

/** The cases of the baseline that passed, without those in `files`. */
function passedOutside(baseline: Baseline, files: ReadonlySet<string>): Baseline {
  if (baseline.kind === 'unknown') return baseline;
  const passed = baseline.passed.filter((id) => !files.has(splitCaseId(id).file));
  return { kind: 'known', passed, failed: [], broken_files: [] };
}

function refuse(
  session: Session,
  { code, why }: Extract<GreenOutcome, { kind: 'not-green' }>,
  { dirty }: Committable,
  run: TestRun,
): string {
  const work =
    dirty.length === 0
      ? 'the uncommitted work that was there at the start'
      : `uncommitted work of the user (${listFirst(dirty, { max: MAX_NAMED })})`;
  session.update({ refused: { ...session.snapshot.refused, gate: true } });
  session.emit({
    type: 'notice',
    level: 'info',
    what: 'The tests do not pass on exactly the tree to be committed',
    why: `they passed together with ${work}, which is not part of the commit; without it: ${why}`,
    fix: 'Commit that work first, or let the model work without it; the model was informed',
    code,
  });
  return `the tests pass only together with ${work}, which is not part of the commit. On exactly the tree to be committed: ${why} Do not use uncommitted files.\n\n${describeRun(run)}`;
}
