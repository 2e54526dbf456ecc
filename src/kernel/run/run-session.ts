import { providerAdvice } from '../../lib/provider-advice.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { ProviderSandbox } from '../../contracts/ports/sandboxes.ts';
import type { Workspace } from '../../contracts/ports/workspace.ts';
import { finishOf } from './finish.ts';
import type { RunEnd } from '../session/run-end.ts';
import { limitReached } from './limits.ts';
import type { Session } from '../session/session.ts';
import { deliverQueued } from '../session/user-messages.ts';
import { afterAnswer } from './after-answer.ts';
import { BaselineRun } from '../proof/baseline-run.ts';
import { modelTurn } from './model-turn.ts';
import { move } from '../record/fire-event.ts';
import { openSession } from './open-session.ts';
import { projectNotes } from './project-notes.ts';
import { proposeCommit } from '../commit/propose-commit.ts';
import { runCalls } from '../call/run-calls.ts';
import type { Services } from '../services.ts';

/**
 * The data's way, once round per message of the model:
 *
 *   model turn -> calls -> (parse -> resolve -> state -> policy -> human -> audit intent -> sandbox -> staging -> audit outcome) -> replies
 *   ... until a review -> decision -> audit intent -> merge and commit -> audit outcome
 *
 * Each run ends with exactly one `session.finished`. `signal` interrupts it between steps and inside of them; what is staged stays.
 */
export async function runSession(services: Services, session: Session, signal: AbortSignal): Promise<void> {
  session.update({ running: true, run_started_ms: services.clock.nowMs() });
  session.updateRow({ status: 'active' });
  session.save();
  let provider: ProviderSandbox | null = null;
  let end: RunEnd;
  try {
    const name = providerName(session);
    const opening = openSession(services, session, signal);
    services.sandboxes.warm(session.id, name);
    provider = await services.sandboxes.provider(session.id, name);
    const workspace = await opening;
    end = await converse(services, session, workspace, provider, signal);
  } catch (error) {
    end = endOf(error, signal);
  }
  tidyUp(services, session, provider);
  await services.anchor();
  finish(services, session, end);
}

/** In the background: nobody waits for a container to go. A run that nobody continues keeps nothing ready for the next. */
function tidyUp(services: Services, session: Session, provider: ProviderSandbox | null): void {
  if (!session.snapshot.options.interactive) services.sandboxes.cool(session.id);
  void provider?.close();
}

async function converse(
  services: Services,
  session: Session,
  workspace: Workspace,
  provider: ProviderSandbox,
  signal: AbortSignal,
): Promise<RunEnd> {
  const baseline = new BaselineRun();
  const context = { services, session, workspace, baseline, signal };
  const notes = await projectNotes(services, session, workspace);
  if (session.state === 'idle') move(services, session, 'user_message');

  for (;;) {
    signal.throwIfAborted();
    const limit = limitReached(session.snapshot.options.limits, spent(services, session));
    if (limit !== null) return { kind: 'limit', limit };

    deliverQueued(session);
    const turn = await modelTurn(services, session, provider, notes, signal);
    if (turn.kind === 'denied') {
      session.update({ refused: { ...session.snapshot.refused, policy: true } });
      return { kind: 'stuck', reason: `Policy denies the request to the model: ${turn.reason}` };
    }
    if (turn.kind === 'failed')
      return {
        kind: 'provider-failed',
        reason: `The model provider failed (${turn.code}): ${turn.message}. ${providerAdvice(turn.code, session.snapshot.options.model)}.`,
      };
    session.push({ role: 'assistant', text: turn.text, calls: [...turn.calls] });
    session.update({
      model_turns: session.snapshot.model_turns + 1,
      ...(turn.text === '' ? {} : { answer: turn.text }),
    });
    session.save();

    if (turn.calls.length > 0) {
      const results = await runCalls(context, turn.calls);
      session.push({ role: 'tool', results });
      session.update({ idle_answers: 0 });
      session.save();
    }
    const next = turn.calls.length > 0 ? afterCalls(session) : await afterText(session, workspace, turn.cutShort);
    switch (next.kind) {
      case 'again':
        break;
      case 'end':
        // The user had more to say before the model came to its end.
        if (deliverQueued(session)) {
          session.update({ gave_up: null, idle_answers: 0 });
          break;
        }
        if (next.end.kind === 'answered' && session.state === 'planning') move(services, session, 'turn_answered');
        return next.end;
      case 'propose': {
        const result = await proposeCommit(services, session, workspace, next.message, signal);
        if (result.kind === 'end') return result.end;
        session.push({ role: 'user', text: result.tell });
        session.save();
      }
    }
  }
}

type Next =
  | { readonly kind: 'again' }
  | { readonly kind: 'end'; readonly end: RunEnd }
  | { readonly kind: 'propose'; readonly message: string };

function afterCalls(session: Session): Next {
  const { gave_up, commit_message, review } = session.snapshot;
  if (gave_up !== null) return { kind: 'end', end: { kind: 'gave-up', reason: gave_up } };
  if (session.state === 'reviewing' && commit_message !== null && review === null) {
    return { kind: 'propose', message: commit_message };
  }
  return { kind: 'again' };
}

async function afterText(session: Session, workspace: Workspace, cutShort: boolean): Promise<Next> {
  const idleAnswers = session.snapshot.idle_answers + 1;
  session.update({ idle_answers: idleAnswers });
  const next = cutShort
    ? ({ kind: 'nudge', text: 'Your message was cut off at the length limit. Go on, in smaller steps.' } as const)
    : afterAnswer({
        state: session.state,
        idleAnswers,
        planSummary: session.snapshot.plan?.summary ?? null,
        hasStaged: (await workspace.changes()).length > 0,
      });
  switch (next.kind) {
    case 'done':
      return { kind: 'end', end: { kind: 'answered' } };
    case 'propose':
      return next;
    case 'stuck':
      return { kind: 'end', end: next };
    case 'nudge':
      session.push({ role: 'user', text: next.text });
      session.save();
      return { kind: 'again' };
  }
}

/** The last event of a run, on disk with the row before anybody sees it. */
export function finish(services: Services, session: Session, end: RunEnd): void {
  if (deliverQueued(session)) session.emit(NOT_READ);
  const { snapshot } = session;
  const { status, exitCode, summary } = finishOf(end, snapshot.refused, snapshot.answer);
  session.update({ running: false, gave_up: null });
  session.updateRow({ status });
  services.audit.flush();
  session.emit({
    type: 'session.finished',
    status,
    exit_code: exitCode,
    ...(end.kind === 'committed' ? { commit: end.commit } : {}),
    files_changed: snapshot.files_changed,
    summary,
    duration_ms: services.clock.nowMs() - snapshot.run_started_ms,
    usage: { ...snapshot.usage, ...(snapshot.options.price === undefined ? {} : { cost_usd: snapshot.cost_usd }) },
    audit_head: services.audit.head().hash,
  });
}

const NOT_READ = {
  type: 'notice',
  level: 'warn',
  what: 'Your last message came too late for this run',
  why: 'the run ended before the model could read it; it is kept in the conversation',
  fix: 'Take the session up again with fluffy --continue if it still matters',
  code: 'message_not_read',
} as const;

function endOf(error: unknown, signal: AbortSignal): RunEnd {
  if (signal.aborted) {
    if (signal.reason === 'unattended') return { kind: 'waiting' };
    return { kind: 'interrupted', signal: signal.reason === 'terminate' ? 'terminate' : 'interrupt' };
  }
  if (error instanceof FluffyError) {
    const reason = `${error.what}: ${error.why}. ${error.fix}`;
    return error.exitCode === 6 ? { kind: 'provider-failed', reason } : { kind: 'sandbox-failed', reason };
  }
  throw error;
}

function providerName(session: Session): string {
  return session.snapshot.options.model.split('/')[0] ?? '';
}

function spent(services: Services, session: Session) {
  const { snapshot } = session;
  return {
    turns: snapshot.model_turns,
    usage: snapshot.usage,
    costUsd: snapshot.cost_usd,
    elapsedMs: services.clock.nowMs() - snapshot.run_started_ms,
  };
}
