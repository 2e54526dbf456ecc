import type { ProjectPath, SessionId } from '../../../contracts/ids.ts';
import type { ChangeSet } from '../../../contracts/change-set.ts';
import type { Baseline, Red } from '../../../contracts/session-facts.ts';
import type { TestRun } from '../../../contracts/test-run.ts';
import type { EvidenceReason, ToolErrorCode } from '../../../contracts/tool-errors.ts';
import type { TestCommand } from '../../../contracts/session-protocol.ts';
import type { Workspace } from '../../../contracts/ports/workspace.ts';
import { classifyPath } from '../../policy/index.ts';
import type { PathClass } from '../../policy/index.ts';
import { countCases } from '../../runners/count-cases.ts';
import { explainNotCollected } from '../../runners/collected-name.ts';
import { resolvesInside } from '../../runners/missing-module.ts';
import { describeCase } from '../../proof/test-case-id.ts';
import { judgeStaged, keptRun } from '../../proof/green-run.ts';
import { judgeRed } from '../../proof/red.ts';
import type { TestCaseId } from '../../proof/test-case-id.ts';
import type { Session } from '../../session/session.ts';
import { record } from '../../record/audit-trail.ts';
import { hashesOf, isChange, isTest, sensitiveTo } from '../../proof/changed-files.ts';
import { move } from '../../record/fire-event.ts';
import { describeRun, saidBy } from '../../proof/describe-run.ts';
import { namedIn } from '../../access/hidden-note.ts';
import { asObservation, observe } from '../../proof/observations/observe.ts';
import { prove, reasonsOf } from '../../proof/observations/prove.ts';
import { redWithStandIns } from '../../proof/stand-ins/red-with-stand-ins.ts';
import { collectTestFiles, runTests } from '../../proof/run-tests.ts';
import { redStillHolds } from '../../proof/red-still-holds.ts';
import { exemptAsTypeOnly, whyNotTypeOnly } from '../../proof/type-only/type-only-change.ts';
import { reportRun } from '../../proof/report-run.ts';
import { withoutSource } from '../../proof/without-source.ts';
import { failure } from '../../tools/tool-answer.ts';
import type { ToolAnswer } from '../../tools/tool-answer.ts';
import type { AuthorisedCall, CallContext } from '../call.ts';

const WITHOUT_SOURCE =
  'These tests ran without the source that is staged already: they have to be seen to fail because it is missing. The source comes back after this.';

/**
 * `test.run`: what it means depends on the state. In test_writing it is judged for red; with changes in code_writing, exploring and
 * retroactive_testing it enters validating by itself and the whole suite is judged for green; otherwise it only informs.
 */
export async function runTestTool(
  call: CallContext,
  { targets, received }: Pick<AuthorisedCall, 'targets' | 'received'>,
): Promise<ToolAnswer> {
  const { services, session, workspace } = call;
  const command = session.snapshot.options.test_command;
  if (command === null) return failure('not_found', 'No test command is known for this project.');
  const context: GateContext = { ...call, callId: received.call_id, command };
  const paths = targets.named;

  switch (session.state) {
    case 'test_writing':
      return redGate(context, paths);
    case 'code_writing':
    case 'exploring':
    case 'retroactive_testing': {
      const changes = await workspace.changes();
      const changed = Object.keys(
        hashesOf(changes, services.policy(), session.state === 'code_writing' ? isChange : () => true),
      );
      return changed.length > 0 ? greenGate(context) : inform(context, paths);
    }
    case 'idle':
    case 'planning':
    case 'validating':
    case 'reviewing':
    case 'committing':
      return inform(context, paths);
  }
}

interface GateContext extends CallContext {
  readonly callId: string;
  readonly command: TestCommand;
}

/** The view of the project that a run is of: the session's own, or a second one. */
interface View {
  readonly id: SessionId;
  readonly workspace: Workspace;
}

async function runAndTell(context: GateContext, paths: readonly ProjectPath[], view?: View): Promise<TestRun> {
  const { services, session, command, signal } = context;
  const { id, workspace } = view ?? { id: session.id, workspace: context.workspace };
  const all = await collectTestFiles(workspace, command);
  const wanted =
    paths.length === 0 || all === null
      ? all
      : all.filter((file) => paths.some((path) => file === path || file.startsWith(`${path}/`)));
  const run = await runTests(services, { id, workspace, session }, command, wanted, signal);
  reportRun(services, session, run, context.callId);
  tellMissed(session, run);
  return run;
}

/** A notice where a failing test names a file that policy hides from it: nothing else would show people why it fails here and not for them. */
function tellMissed(session: Session, run: TestRun): void {
  const missed = run.outcome === 'passed' ? [] : namedIn(run.hidden ?? [], saidBy(run));
  if (missed.length === 0) return;
  session.emit({
    type: 'notice',
    level: 'info',
    what: `Tests ask for files that policy hides from them: ${missed.map(({ path }) => path).join(', ')}`,
    why: `what the model may not read, code that it writes cannot print (rule ${[...new Set(missed.map(({ rule }) => rule))].join(', ')})`,
    fix: 'Nothing, if they failed before; to open such a file to tests and model: fluffy config policy edit',
    code: 'hidden_by_policy',
  });
}

async function inform(context: GateContext, paths: readonly ProjectPath[]): Promise<ToolAnswer> {
  const run = await runAndTell(context, paths);
  if (paths.length > 0 && run.outcome === 'passed' && run.requested.length === 0) {
    const why = `No test file is at ${paths.join(', ')}. ${explainNotCollected(context.command, paths)}`;
    return failure('not_found', why);
  }
  return { ok: true, text: describeRun(run), summary: shortly(run) };
}

async function redGate(context: GateContext, paths: readonly ProjectPath[]): Promise<ToolAnswer> {
  const { services, session, workspace } = context;
  const before = await context.baseline.get(services, session, context.signal);
  const changes = await workspace.changes();
  const isSensitive = sensitiveTo(context.command, services.options.project_root);
  const isSource = (kind: PathClass, path: string) => isChange(kind) && !isSensitive(kind, path);
  const hasSource = Object.keys(hashesOf(changes, services.policy(), isSource)).length > 0;
  // Source from before a revision of the tests: red is to be seen without it.
  const kept = hasSource
    ? changes.filter(
        ({ path, after }) => after.kind === 'file' && !isSource(classifyPath(services.policy(), path), path),
      )
    : changes;
  const view = hasSource ? await withoutSource(services, workspace, kept) : null;
  if (view?.kind === 'failed')
    return failure('conflict', `${view.path} could not be set up to see the tests fail without the source.`);
  try {
    return await redIn(context, paths, { changes, kept, baseline: before, view });
  } finally {
    await view?.close();
  }
}

interface RedView {
  readonly changes: ChangeSet;
  /** The changes that the run sees. */
  readonly kept: ChangeSet;
  readonly baseline: Baseline;
  /** null: what is staged has no source in it. */
  readonly view: View | null;
}

async function redIn(context: GateContext, paths: readonly ProjectPath[], seen: RedView): Promise<ToolAnswer> {
  const { services, session, workspace } = context;
  const { changes, kept, baseline, view } = seen;
  const run = await runAndTell(context, paths, view ?? undefined);
  const note = view === null ? '' : `${WITHOUT_SOURCE}\n`;
  const frozen = hashesOf(changes, services.policy(), isTest);
  const written = Object.keys(frozen).filter((path) => frozen[path] !== 'deleted');
  const outcome = judgeRed({
    run,
    baseline,
    changedTests: new Set(written),
    resolvesInside: (file, specifier) => resolvesInside(services.options.project_root, file, specifier),
    explainNotCollected: (files) => explainNotCollected(context.command, files),
  });
  if (outcome.kind === 'not-red') return refuse(context, outcome.code, `${note}${outcome.why}`, run);

  const { files } = outcome;
  const site = { id: view?.id ?? session.id, workspace: view?.workspace ?? workspace, session };
  const stood =
    files.length === 0
      ? null
      : await observe(services, session, 'stand_ins', () =>
          redWithStandIns(services, site, context.command, { files, run }, context.signal),
        );
  if (stood?.outcome === 'failed') return refuse(context, 'empty_case', whyEmpty(stood.empty), run);

  const red: Red = {
    run_id: services.random.id('t', 16),
    cases: [...new Set([...outcome.cases, ...(stood?.cases ?? [])])],
    files: [...files],
    frozen,
    sensitive: hashesOf(kept, services.policy(), sensitiveTo(context.command, services.options.project_root)),
    staging_digest: await workspace.stagingDigest(),
    at_ms: services.clock.nowMs(),
    ...(stood === null ? {} : { stand_ins: asObservation(stood) }),
  };
  session.update({ red });
  move(services, session, 'red_confirmed', describeRed(red));
  const text = `${note}${describeRun(run)}\n\nThe new tests fail, as they should: ${describeRed(red)}. The source can be written now; the tests are frozen.`;
  return { ok: true, text, summary: `${shortly(run)} (red, as it should be)` };
}

function whyEmpty(cases: readonly string[]): string {
  const named = cases.slice(0, 5).map((id) => describeCase(id as TestCaseId));
  return `Passes although nothing that it imports exists yet: ${named.join('; ')}. Each new case has to assert what the new code answers. Where it expects an error, name its class or message; where it asks only whether something exists, call it.`;
}

async function greenGate(context: GateContext): Promise<ToolAnswer> {
  const { services, session, workspace } = context;
  const strict = session.state === 'code_writing';
  if (exemptAsTypeOnly(services, session)) {
    const reasons = await whyNotTypeOnly(services, workspace, context.signal);
    if (reasons.length > 0) return notTypeOnly(context, reasons);
  }
  const before = await context.baseline.get(services, session, context.signal);
  const red = strict ? redOf(session) : null;
  move(services, session, 'validation_started');
  const run = await runAndTell(context, []);
  const outcome = judgeStaged(services, await workspace.changes(), { run, baseline: before, red });
  if (outcome.kind === 'not-green') {
    move(services, session, 'green_failed', outcome.code);
    return refuse(context, outcome.code, outcome.why, run);
  }
  const findings = [...outcome.findings];
  if (red !== null) {
    const again = await redStillHolds(
      services,
      { session, workspace },
      context.command,
      { red, baseline: before },
      context.signal,
    );
    if (again.kind === 'refused') {
      move(services, session, 'green_failed', 'sensitive_changed');
      return refuse(context, 'sensitive_changed', again.why, run);
    }
    if (again.kind === 'rerun') findings.push(again.finding);
    const proven = await prove(context, context.command, red);
    if (proven.flaky.length > 0) {
      move(services, session, 'green_failed', 'flaky');
      return refuse(context, 'flaky', whyFlaky(proven.flaky), run);
    }
    const { observations } = proven;
    findings.push(...reasonsOf(proven));
    session.update({
      proof: {
        staging_digest: await workspace.stagingDigest(),
        observations: [...observations],
        findings: [...proven.findings],
      },
    });
  }
  session.update({ findings, green: { ...keptRun(services, run), staging_digest: await workspace.stagingDigest() } });
  move(services, session, 'green_confirmed');
  const text = `${describeRun(run)}\n\nThe whole suite passes. Call git.commit with the commit message.`;
  return { ok: true, text, summary: shortly(run) };
}

function whyFlaky(cases: readonly string[]): string {
  const named = cases.slice(0, 5).map((id) => describeCase(id as TestCaseId));
  return `Not the same in two runs of the same files: ${named.join('; ')}. A new test has to fail each time without the new source, and pass each time with it. Go back with workflow.revise_tests and take out what changes between runs: clock, chance, files left behind, order, state kept between cases.`;
}

/** The exemption was for types, and this is more: the change stays where it is until it is one of types again, or is taken back. */
function notTypeOnly({ services, session, callId }: GateContext, reasons: readonly string[]): ToolAnswer {
  const message = `The exemption is for a change of types alone, and this is not known to be one: ${reasons.join('; ')}. Take that part back, or drop the task and write a failing test first.`;
  session.update({ refused: { ...session.snapshot.refused, gate: true } });
  record(services, session, 'syscall', {
    tool_name: 'test.run',
    policy_decision: 'denied',
    deny_reason: message,
    metadata: { call_id: callId },
  });
  return failure('policy_denied', message);
}

/** A gate that stays shut: the model gets the reason and what to do, people get a notice, the session remembers it for the exit code. */
function refuse(context: GateContext, code: EvidenceReason, why: string, run: TestRun): ToolAnswer {
  const { session } = context;
  session.update({ refused: { ...session.snapshot.refused, gate: true } });
  session.emit({
    type: 'notice',
    level: 'info',
    what: session.state === 'test_writing' ? 'The source stays shut' : 'The change is not ready for review',
    why,
    fix: 'Nothing: the model has this message too',
    code,
  });
  return {
    ok: false,
    error: { code: code as ToolErrorCode, message: why, retryable: true },
    text: `${why}\n\n${describeRun(run)}`,
  };
}

function redOf(session: Session): Red {
  const { red } = session.snapshot;
  if (red === null) throw new Error('code is written without red');
  return red;
}

function describeRed(red: Red): string {
  return [
    ...red.cases.map((id) => describeCase(id as TestCaseId)),
    ...red.files.map((file) => `${file} (does not load yet)`),
  ]
    .slice(0, 10)
    .join('; ');
}

function shortly(run: TestRun): string {
  const { failed, passed } = countCases(run.cases);
  if (run.outcome !== 'passed' && run.outcome !== 'failed') return run.outcome;
  return failed === 0 ? `${passed} passed` : `${failed} failed, ${passed} passed`;
}
