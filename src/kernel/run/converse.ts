import type { SpendingTotals } from '../../contracts/model/spending.ts';
import { boundTogether } from '../call/bound-result.ts';
import { receiveCalls, runCalls } from '../call/run-calls.ts';
import { proposeCommit } from '../commit/propose-commit.ts';
import { move } from '../record/fire-event.ts';
import type { RunEnd } from '../session/run-end.ts';
import type { Session } from '../session/session.ts';
import { deliverQueued, unreadMessages } from '../session/user-messages.ts';
import { afterAnswer, afterForm, CALLS_CUT_OFF } from './after-answer.ts';
import type { AfterAnswer } from './after-answer.ts';
import { Fallbacks } from './model/fall-back.ts';
import { fitAfterRefusal, isMostlyFixed } from './fit-conversation.ts';
import { limitReached, nearLimits, spentBy } from './limits.ts';
import { providersFailed } from './model/model-errors.ts';
import type { FailedModel } from './model/model-errors.ts';
import { modelTurn } from './model/model-turn.ts';
import type { ModelTurn } from './model/model-turn.ts';
import { MISSING, whyRefused } from './missing-step.ts';
import { ProgressWatch } from './progress-watch.ts';
import { sessionWindow } from './model/request.ts';
import { withoutRefusedImages } from './model/refused-images.ts';
import type { RunContext } from './run-context.ts';
import { StandingWatch } from './standing.ts';
import type { Standing } from './standing.ts';

type Answered = Extract<ModelTurn, { kind: 'reply' }>;

type Next =
  | { readonly kind: 'again' }
  | { readonly kind: 'end'; readonly end: RunEnd }
  | { readonly kind: 'propose'; readonly message: string };

/**
 * Counts of consecutive messages that were cut off or empty, and of consecutive requests that were too long or refused
 * for their images.
 */
interface InARow {
  cutOff: number;
  empty: number;
  tooLong: number;
  images: number;
}

const MAX_TOO_LONG = 4;
const NOT_SHOWN =
  'Your question was not shown: the user wrote the next message before. If it does not answer the question, ask again.';

/** The loop of a run: a message of the model, its calls, then what follows from them, until the run ends. */
export async function converse(context: RunContext): Promise<RunEnd> {
  const { services, session, signal } = context;
  const inARow: InARow = { cutOff: 0, empty: 0, tooLong: 0, images: 0 };
  const watch = new ProgressWatch();
  const standing = new StandingWatch();
  const warned = new Set<string>();
  const fallbacks = new Fallbacks(context);
  if (session.state === 'idle') move(services, session, 'user_message');
  for (;;) {
    signal.throwIfAborted();
    const sums = await context.spending.totalsForLimits();
    const limit =
      sums.kind === 'unknown'
        ? `the sums of all sessions, which the host does not know (${sums.why})`
        : checkLimits(session, sums.totals, warned);
    if (limit !== null) return { kind: 'limit', limit };
    if (deliverQueued(session)) watch.reset();
    const turn = await inTime(context, (timed) => modelTurn(timed, (choice) => fallbacks.giveUp(choice)));
    // `checkLimits` at the next turn finds the limit.
    if (turn === null) continue;
    if (isTooLong(turn) && inARow.tooLong < MAX_TOO_LONG && (await fitAfterRefusal(context))) {
      inARow.tooLong += 1;
      continue;
    }
    if (
      turn.kind === 'failed' &&
      withoutRefusedImages(session, turn, inARow.images === 0 ? 'of the newest message' : 'all')
    ) {
      inARow.images += 1;
      continue;
    }
    if (turn.kind === 'failed' && (await fallbacks.next(turn))) continue;
    if (turn.kind !== 'reply') return withoutReply(context, turn, fallbacks.failed);
    inARow.tooLong = 0;
    inARow.images = 0;
    context.titles.begin();
    const next = withProgress(session, await take(context, turn, inARow), watch, await standing.afterMessage(context));
    switch (next.kind) {
      case 'again':
        break;
      case 'end':
        // The user has sent another message before the model ended.
        if (next.end.kind === 'asked' && unreadMessages(session).length > 0) {
          session.update({ question: null });
          remind(session, NOT_SHOWN);
        }
        if (deliverQueued(session)) {
          session.update({ gave_up: null, idle_answers: 0 });
          watch.reset();
          break;
        }
        session.endReading();
        if (next.end.kind === 'answered' && session.state === 'planning') move(services, session, 'turn_answered');
        return next.end;
      case 'propose': {
        const result = await proposeCommit(context, next.message);
        if (result.kind === 'end') return result.end;
        remind(session, result.message);
      }
    }
  }
}

/** Sends a request to the model. Returns null if the run's time limit aborts it. Throws what the request throws. */
async function inTime(context: RunContext, ask: (timed: RunContext) => Promise<ModelTurn>): Promise<ModelTurn | null> {
  const { services, session, signal } = context;
  const { max_duration_ms: limit } = session.snapshot.options.limits;
  if (limit === undefined) return ask(context);
  const timeUp = new AbortController();
  const answered = new AbortController();
  services.clock.sleep(Math.max(0, limit - session.runElapsedMs), answered.signal).then(
    () => timeUp.abort(new Error('the run has taken as long as it may')),
    () => undefined,
  );
  try {
    return await ask({ ...context, signal: AbortSignal.any([signal, timeUp.signal]) });
  } catch (error) {
    if (signal.aborted || !timeUp.signal.aborted) throw error;
    return null;
  } finally {
    answered.abort();
  }
}

/** The limit that was reached, or null. People are warned once before each limit. */
function checkLimits(session: Session, totals: SpendingTotals | null, warned: Set<string>): string | null {
  const { limits } = session.snapshot.options;
  const spent = spentBy(session, totals);
  for (const words of nearLimits(limits, spent)) {
    if (warned.has(words)) continue;
    warned.add(words);
    session.emit({
      type: 'notice',
      level: 'warn',
      what: 'A limit is near',
      why: `four fifths of ${words} are used`,
      fix: 'Nothing; the run ends at the limit, and the session is kept',
      code: 'limit_near',
    });
  }
  return limitReached(limits, spent);
}

/** The results of one message may take a quarter of the window. */
function maxResultCharacters(session: Session): number {
  return Math.floor(sessionWindow(session).tokens * 0.25 * Math.min(4, session.snapshot.bytes_per_token));
}

function isTooLong(turn: ModelTurn): boolean {
  return turn.kind === 'failed' && turn.code === 'context_too_long';
}

function withoutReply(context: RunContext, turn: Exclude<ModelTurn, Answered>, failed: readonly FailedModel[]): RunEnd {
  const { session } = context;
  if (turn.kind === 'failed') {
    const { model } = session.snapshot.options;
    return { kind: 'failed', error: providersFailed(failed, model, isMostlyFixed(context)) };
  }
  session.update({ refused: { ...session.snapshot.refused, policy: true } });
  return { kind: 'stuck', reason: `Policy denies the request to the model: ${turn.reason}` };
}

/** What follows from a message without progress, given the messages before it. */
function withProgress(session: Session, next: Next, watch: ProgressWatch, standing: Standing): Next {
  const [asked, answered] = session.messages.slice(-2);
  if (next.kind !== 'again' || asked?.role !== 'assistant' || answered?.role !== 'tool') return next;
  const warning = watch.after({
    calls: asked.calls.map(({ tool, arguments: given }) => `${tool} ${given}`),
    results: answered.results.map(({ ok, content }) => `${ok ? 'ok' : 'failed'} ${content}`),
    standing: standing.whole,
  });
  if (warning === null) return next;
  const { state } = session;
  const circle = `${warning.what.charAt(0).toLowerCase()}${warning.what.slice(1)}`;
  const missing = MISSING[state];
  switch (warning.kind) {
    case 'model':
      remind(session, `${warning.what}, so the work is where it was. ${missing}`);
      return next;
    case 'user':
      session.emit({
        type: 'notice',
        level: 'warn',
        what: `The model makes no progress: ${circle}`,
        why: `it was informed once and did not change (state ${state})`,
        fix: 'Tell it what to do instead, or interrupt it; the run is ended if this continues',
        code: 'no_progress',
      });
      remind(session, `${warning.what}. ${missing} The run is ended if this continues.`);
      return next;
    case 'end': {
      session.update({ refused: { ...session.snapshot.refused, gate: true } });
      const ids = answered.results.map(({ call_id }) => call_id);
      const why = whyRefused(session, ids, standing.staging) ?? missing;
      return { kind: 'end', end: { kind: 'stuck', reason: `No progress in state ${state}: ${circle}. ${why}` } };
    }
  }
}

/** Stores the message, runs its calls, and returns what follows. */
async function take(context: RunContext, turn: Answered, inARow: InARow): Promise<Next> {
  const { services, session } = context;
  // Calls in a message that the model refused to finish do not count.
  const calls = receiveCalls(services.tools(), turn.stop === 'refusal' ? [] : turn.calls);
  const isEmpty = calls.length === 0 && turn.text.trim() === '';
  inARow.cutOff = turn.stop === 'cut-off' ? inARow.cutOff + 1 : 0;
  inARow.empty = isEmpty ? inARow.empty + 1 : 0;
  session.push({
    role: 'assistant',
    text: turn.text,
    calls: calls.map(({ call }) => call.received),
    ...(turn.thoughts === null ? {} : { thoughts: { model: turn.model, data: turn.thoughts } }),
  });
  session.update({
    model_turns: session.snapshot.model_turns + 1,
    answered_by: [...session.snapshot.answered_by.filter((model) => model !== turn.model), turn.model],
    ...(turn.text === '' ? {} : { answer: turn.text }),
  });
  // One write to disk: the answer, its cost, and the event that shows it.
  if (turn.text === '') session.save();
  else session.emit({ type: 'text.done', text: turn.text });

  if (calls.length > 0) {
    const results = boundTogether(context, await runCalls(context, calls), maxResultCharacters(session));
    session.push({ role: 'tool', results });
    session.update({ idle_answers: 0 });
    session.save();
  }
  const byForm = afterForm({
    text: turn.text,
    stop: turn.stop,
    hasCalls: calls.length > 0,
    hasOutput: turn.hasOutput,
    cutOffInARow: inARow.cutOff,
    emptyInARow: inARow.empty,
  });
  if (byForm !== null) return nextOf(session, byForm);
  if (turn.stop === 'cut-off') remind(session, CALLS_CUT_OFF);
  return calls.length > 0 ? afterCalls(session) : afterText(context);
}

function afterCalls(session: Session): Next {
  const { gave_up, question, commit_message } = session.snapshot;
  if (gave_up !== null) return { kind: 'end', end: { kind: 'gave-up', reason: gave_up } };
  if (question !== null) return { kind: 'end', end: { kind: 'asked', question, answerWith: howToAnswer(session) } };
  if (session.state === 'reviewing' && commit_message !== null) return { kind: 'propose', message: commit_message };
  return { kind: 'again' };
}

function howToAnswer({ id, snapshot }: Session): string {
  return snapshot.options.interactive
    ? 'Your next message answers it.'
    : `Answer it: fluffy -p "your answer" --resume ${id}`;
}

async function afterText({ session, workspace }: RunContext): Promise<Next> {
  const idleAnswers = session.snapshot.idle_answers + 1;
  session.update({ idle_answers: idleAnswers });
  const next = afterAnswer({
    state: session.state,
    idleAnswers,
    planSummary: session.snapshot.plan?.summary ?? null,
    hasStaged: (await workspace.changes()).length > 0,
  });
  return nextOf(session, next);
}

function nextOf(session: Session, next: AfterAnswer): Next {
  switch (next.kind) {
    case 'done':
      return { kind: 'end', end: { kind: 'answered' } };
    case 'propose':
      return next;
    case 'stuck':
    case 'failed':
      return { kind: 'end', end: next };
    case 'nudge':
      remind(session, next.text);
      return { kind: 'again' };
  }
}

/** A message to the model from the kernel. */
function remind(session: Session, text: string): void {
  session.push({ role: 'user', text, author: 'kernel' });
  session.save();
}
