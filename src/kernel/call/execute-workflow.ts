import type { ProjectPath } from '../../contracts/ids.ts';
import type { ToolInput } from '../../contracts/tools.ts';
import type { Workspace } from '../../contracts/ports/workspace.ts';
import { pathsOutsideExemption } from '../policy/index.ts';
import type { Session } from '../session/session.ts';
import { whyNoTypes } from '../proof/type-only/type-only-file.ts';
import type { BaselineRun } from '../proof/baseline-run.ts';
import { hashesOf, isTest } from '../proof/changed-files.ts';
import { move } from '../record/fire-event.ts';
import { codeFromTypes } from '../proof/type-only/type-only-change.ts';
import type { ToolAnswer, Services } from '../services.ts';

export function completePlan(
  services: Services,
  session: Session,
  baseline: BaselineRun,
  input: ToolInput<'plan.complete'>,
  signal: AbortSignal,
): ToolAnswer {
  session.update({ plan: { summary: input.summary, steps: input.steps } });
  move(services, session, 'plan_completed');
  baseline.begin(services, session, signal);
  const next =
    session.state === 'test_writing'
      ? 'Now write tests that fail because the behaviour is missing, and run them with test.run.'
      : 'Tests and source can be written now; end with test.run.';
  return { ok: true, text: `Plan noted. State: ${session.state}. ${next}`, summary: 'plan noted' };
}

export async function reviseTests(
  services: Services,
  session: Session,
  workspace: Workspace,
  input: ToolInput<'workflow.revise_tests'>,
): Promise<ToolAnswer> {
  const tests = hashesOf(await workspace.changes(), services.policy(), isTest);
  const revision = { reason: input.reason, at_ms: services.clock.nowMs(), tests };
  // The failing run no longer counts.
  session.update({ revisions: [...session.snapshot.revisions, revision], red: null, green: null, findings: [] });
  move(services, session, 'tests_revised', input.reason);
  return {
    ok: true,
    text: 'Back in test_writing; the failing run no longer counts. Correct the test and run it. The revision is shown at review.',
    summary: 'back to the tests',
  };
}

/** Granted before anything else is staged: what is exempt is the whole of a change, or nothing of it. */
export async function requestExemption(
  services: Services,
  session: Session,
  workspace: Workspace,
  input: ToolInput<'workflow.request_exemption'>,
  paths: readonly ProjectPath[],
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const typeOnly = services.policy().tddExemptions.get(input.category)?.typeOnlyChange === true;
  const uncheckable = typeOnly ? await whyUncheckable(workspace, paths, signal) : null;
  if (uncheckable !== null) {
    const message = `${input.category} cannot be granted: ${uncheckable}. Write a failing test first.`;
    return { ok: false, error: { code: 'policy_denied', message, retryable: false } };
  }
  const outside = pathsOutsideExemption(services.policy(), input.category, paths);
  if (outside.length > 0) {
    const message = `${outside.join(', ')} is not covered by the exemption ${input.category}. Write a failing test first.`;
    return { ok: false, error: { code: 'policy_denied', message, retryable: false } };
  }
  const changed = (await workspace.changes()).map((change) => change.path);
  const staged = changed.filter((path) => !paths.includes(path as ProjectPath));
  if (staged.length > 0) {
    const message = `${staged.slice(0, 5).join(', ')} has changed in this session and is not among the paths of the exemption. Finish that work and its commit first, or take it back, then ask again.`;
    return { ok: false, error: { code: 'policy_denied', message, retryable: false } };
  }
  session.update({ exemption: { category: input.category, paths: [...paths], reason: input.reason } });
  moveUnderExemption(services, session, input.reason);
  return {
    ok: true,
    text: `Granted for ${paths.join(', ')}. Write them, then test.run.${typeOnly ? ' Types alone may change: the kernel compares what is left of each file without its types.' : ''}`,
    summary: 'exemption granted',
  };
}

/** Why no change of these paths could be shown to be of types alone, which is better said before it is made; null: it may be. */
async function whyUncheckable(
  workspace: Workspace,
  paths: readonly ProjectPath[],
  signal: AbortSignal,
): Promise<string | null> {
  for (const path of paths) {
    const why = whyNoTypes(path);
    if (why !== null) return `${path}: ${why}`;
  }
  return codeFromTypes(workspace, signal);
}

/** The exemption changes the flow, so the event is fired in the flow that the session comes from. */
function moveUnderExemption(services: Services, session: Session, reason: string): void {
  const { exemption } = session.snapshot;
  session.update({ exemption: null });
  const from = session.state;
  move(services, session, 'exemption_granted', reason);
  session.update({ exemption });
  if (session.state === from) throw new Error('an exemption that leads nowhere');
}
