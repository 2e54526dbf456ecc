import type { PlannedKind } from '../../../contracts/review/change-kinds.ts';
import type { ExemptionCategory } from '../../../contracts/review/exemption-categories.ts';
import type { ProjectPath } from '../../../contracts/ids.ts';
import type { Workspace } from '../../../contracts/ports/workspace.ts';
import type { TodoItem } from '../../../contracts/session/todo.ts';
import { pathsOutsideExemption } from '../../policy/index.ts';
import { testsToCompare } from '../../proof/additions/revised-tests.ts';
import { stagedWork, testHashes } from '../../proof/in-source/staged-work.ts';
import { codeFromTypes } from '../../proof/type-only/type-only-change.ts';
import { whyNoTypes } from '../../proof/type-only/type-only-file.ts';
import { leftBehind } from '../../proof/variants/left-behind.ts';
import { move } from '../../record/fire-event.ts';
import type { TestRevision } from '../../../contracts/session/session-snapshot.ts';
import type { Session } from '../../session/session.ts';
import { answer, failure } from '../../tools/tool-answer.ts';
import type { ToolAnswer } from '../../tools/tool-answer.ts';
import type { WorkflowSteps } from '../../tools/tool-context.ts';
import type { AuthorisedCall, CallContext } from '../call.ts';

/** The steps of the workflow that the tool of a call can take. */
export function workflowSteps(context: CallContext, call: AuthorisedCall): WorkflowSteps {
  const { session } = context;
  return {
    completePlan: (plan) => completePlan(context, plan),
    requestExemption: (category, reason) => requestExemption(context, call.targets.named, { category, reason }),
    reviseTests: (reason) => reviseTests(context, reason),
    proposeCommit: (message) => session.update({ commit_message: message }),
    giveUp: (reason) => session.update({ gave_up: reason }),
    ask: (question) => {
      if (session.snapshot.question !== null) return 'another-waits';
      session.update({ question });
      session.emit({ type: 'question.asked', ...question });
      return 'asked';
    },
    updateTodo: (items) => updateTodo(session, items),
  };
}

const NEXT_STEP: Readonly<Record<PlannedKind, string>> = {
  feature: 'Now write tests that fail because the behaviour is missing, and run them with test.run.',
  fix: 'Now write a test that fails because of the bug, and run it with test.run.',
  refactor:
    'Now call test.run: the source opens when the suite passes. If no test covers the lines that you will change, first write tests of their present behaviour.',
  deletion:
    'First delete the tests of the code that you will delete. Then call test.run: the source opens when the suite passes. After that, only delete.',
  tests: 'Now write the tests. They must pass on the present source. Then call test.run.',
};

const WITHOUT_TESTS =
  'Strict mode proves a change by its tests, and no way to run the tests of this project was found. Answer the question without a change, or ask the user to set ' +
  'test.runner in .fluffy/config.yaml and start a new session, or to continue with /explore.';

function completePlan(
  { services, session, baseline, signal }: CallContext,
  { summary, steps, kind = 'feature' }: Parameters<WorkflowSteps['completePlan']>[0],
): ToolAnswer {
  if (session.mode === 'strict' && session.snapshot.options.test_command === null) {
    return failure('no_test_command', WITHOUT_TESTS);
  }
  session.update({ plan: { summary, steps: [...steps] }, plan_commit: null, kind, opened: null, proof: null });
  // The steps of an earlier plan are none of this one.
  if (steps.length > 0 || session.snapshot.todo.length > 0)
    updateTodo(
      session,
      steps.map((text) => ({ text, state: 'open' })),
    );
  move(services, session, 'plan_completed');
  baseline.begin(services, session, signal);
  const next =
    session.state === 'test_writing' ? NEXT_STEP[kind] : 'Tests and source can be written now; end with test.run.';
  return answer(`Plan accepted. State: ${session.state}. ${next}`, 'plan accepted');
}

function updateTodo(session: Session, items: readonly TodoItem[]): void {
  session.update({ todo: [...items] });
  session.emit({ type: 'todo.updated', items: [...items] });
}

const NOTHING_TO_REVISE =
  'The whole suite passes, and test.run has reported no case that leaves state behind: call git.commit. Everything else is a new task.';

async function reviseTests(context: CallContext, reason: string): Promise<ToolAnswer> {
  const { services, session } = context;
  const { revisions, proof } = session.snapshot;
  const isGreen = session.state === 'reviewing';
  if (isGreen && (proof === null || leftBehind(proof.observations) === null))
    return failure('tool_unavailable', NOTHING_TO_REVISE);
  const tests = testHashes(await stagedWork(context), services.policy());
  const texts = await testsToCompare(context, tests);
  const revision: TestRevision = {
    reason,
    at_ms: services.clock.nowMs(),
    tests,
    ...(texts === null ? {} : { texts }),
    ...(isGreen ? { at_green: true } : {}),
  };
  // The failing run no longer counts.
  session.update({
    revisions: [...revisions, revision],
    red: null,
    opened: null,
    green: null,
    proof: null,
    findings: [],
  });
  move(services, session, 'tests_revised', reason);
  return answer(
    'Back in test_writing; the failing run no longer counts. Correct the test and run it. The review shows what you change or remove.',
    'back to the tests',
  );
}

/** Granted only before anything else is staged: either the whole change is exempt, or nothing of it. */
async function requestExemption(
  context: CallContext,
  paths: readonly ProjectPath[],
  { category, reason }: { readonly category: ExemptionCategory; readonly reason: string },
): Promise<ToolAnswer> {
  const { services, session, workspace, signal } = context;
  const isTypeOnly = services.policy().tddExemptions.get(category)?.typeOnlyChange === true;
  const uncheckable = isTypeOnly ? await whyUncheckable(workspace, paths, signal) : null;
  if (uncheckable !== null) {
    return failure('policy_denied', `${category} cannot be granted: ${uncheckable}. Write a failing test first.`);
  }
  const outside = pathsOutsideExemption(services.policy(), category, paths);
  if (outside.length > 0) {
    const names = outside.join(', ');
    return failure(
      'policy_denied',
      `${names} is not covered by the exemption ${category}. Write a failing test first.`,
    );
  }
  const changed = (await workspace.changes()).map((change) => change.path);
  const staged = changed.filter((path) => !paths.includes(path as ProjectPath));
  if (staged.length > 0) {
    const names = staged.slice(0, 5).join(', ');
    const message = `${names} has changed in this session and is not one of the paths of the exemption. First commit that work or revert it, then request the exemption again.`;
    return failure('policy_denied', message);
  }
  session.update({ exemption: { category, paths: [...paths], reason } });
  moveUnderExemption(context, reason);
  const note = isTypeOnly
    ? ' Only types may change: the kernel removes the types from each file and compares the rest.'
    : '';
  return answer(`Granted for ${paths.join(', ')}. Write them, then test.run.${note}`, 'exemption granted');
}

/**
 * Why no change of these paths could be shown to affect types only; null if it could. It is better to say so before the
 * change is made.
 */
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

/** The exemption changes the flow. So the event is fired in the flow that the session comes from. */
function moveUnderExemption({ services, session }: CallContext, reason: string): void {
  const { exemption } = session.snapshot;
  session.update({ exemption: null });
  const from = session.state;
  move(services, session, 'exemption_granted', reason);
  session.update({ exemption });
  if (session.state === from) throw new Error('an exemption that leads nowhere');
}
