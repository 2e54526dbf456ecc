import type { EventOf, FluffyEvent } from '../../../contracts/session/events.ts';
import { limitWords } from '../../../lib/limit-words.ts';
import { OBSERVATION_TITLES } from '../../../contracts/review/proof.ts';
import type { SessionState } from '../../../contracts/session/workflow-states.ts';
import { assertNever } from '../../../lib/assert-never.ts';
import { modelWords } from '../../../lib/text/model-words.ts';
import { optionLines } from '../../../lib/text/question-words.ts';
import { todoLines } from '../../../lib/text/todo-words.ts';
import { finalLine } from './final-line.ts';
import { formatDuration } from '../format-amount.ts';
import { plural } from '../../../lib/text/plural.ts';
import { afterWaiting, reviewDecided, reviewRequested } from './reduce-review.ts';
import { cutOff, toolFinished, toolStarted, withCall } from './reduce-tool.ts';
import { safeLine, safeLines } from '../safe-text.ts';
import type { SafeText } from '../safe-text.ts';
import { endReads, note, say } from './say.ts';
import { STATE_WORDS } from './state-words.ts';
import { testReport } from './test-report.ts';
import { NO_TEXT, endText, takeDelta } from '../text-stream.ts';
import type { StreamStep } from '../text-stream.ts';
import type { Meter, RunStatus, RunningTool, ViewState } from '../view-state.ts';
import { provingAfter } from '../proving.ts';
import { withoutFirst } from './without-first.ts';

/**
 * The view after an event. Pure: `atMs` is the time of its arrival. All text of the event is escaped here, once; text of changes is escaped when it
 * is laid out (`spellOut`).
 */
export function reduceEvent(before: ViewState, event: FluffyEvent, atMs: number): ViewState {
  // After any further event, the provider is no longer awaited.
  const view = before.providerRow === null ? before : { ...before, providerRow: null };
  switch (event.type) {
    case 'session.started':
      return started(view, event);
    case 'state.changed':
      return stateChanged(view, event, atMs);
    case 'mode.changed':
      return say({ ...view, mode: event.to }, note('info', `The mode is ${event.to} now.`));
    case 'model.changed':
      return say({ ...view, model: safeLine(event.to) }, note('info', `The model is ${modelWords(event)} now.`));
    case 'message.user':
      return userSaid(view, event.text, atMs);
    case 'thinking.done':
      return thought(view, event);
    case 'text.delta':
      return withText(view, takeDelta(view.stream, event.text));
    case 'text.done':
      return withText(view, endText(view.stream, event.text));
    case 'tool.started':
      return toolStarted(endOfText(view), event, atMs);
    case 'tool.finished':
      return toolFinished(view, event);
    case 'policy.decision':
      return policyDecision(view, event);
    case 'test.finished':
      return testFinished(view, event);
    case 'proof.started':
      return { ...withoutCounts(view), proving: provingAfter(view.proving, event, atMs) };
    case 'proof.progress':
      return { ...view, proving: provingAfter(view.proving, event, atMs) };
    case 'test.progress':
      return withTool(view, event.call_id, { progress: safeLine(`of at most ${formatDuration(event.timeout_ms)}`) });
    case 'test.counts':
      return withTool(view, event.call_id, { counted: countedWords(event) });
    case 'packages.fetched':
      return withTool(view, event.call_id, { counted: fetchedWords(event) });
    case 'proof.finished':
      return say(
        { ...view, proving: provingAfter(view.proving, event, atMs) },
        note('info', `${OBSERVATION_TITLES[event.observation]}: ${event.detail}`),
      );
    case 'review.requested':
      return reviewRequested(endOfText(view), event, atMs);
    case 'review.decided':
      return reviewDecided(afterWaiting(view, atMs), event);
    case 'question.asked':
      return say(
        { ...endOfText(view), asks: true },
        {
          kind: 'answer',
          lines: [...safeLines(event.question), ...optionLines(event).map((line) => safeLine(`  ${line}`))],
        },
      );
    case 'todo.updated':
      return todoUpdated(view, event);
    case 'context.compacted':
      return say(
        view,
        note('info', `The conversation was shortened: ${event.before_tokens} to ${event.after_tokens} tokens.`),
      );
    case 'usage':
      return { ...view, meter: addUsage(view.meter, event) };
    case 'notice':
      return notice(view, event);
    case 'error':
      return say(endOfText(view), {
        kind: 'problem',
        what: safeLine(event.what),
        why: safeLine(event.why),
        fix: safeLine(event.fix),
      });
    case 'session.finished':
      return finished(afterWaiting(view, atMs), event);
    default:
      return assertNever(event);
  }
}

/** The list is printed if its steps have changed; progress alone is shown by the strip. */
function todoUpdated(view: ViewState, { items }: EventOf<'todo.updated'>): ViewState {
  const next = { ...view, todo: items };
  const isSame = items.length === view.todo.length && items.every(({ text }, index) => text === view.todo[index]?.text);
  if (isSame || items.length === 0) return next;
  return say(endOfText(next), { kind: 'answer', lines: todoLines(items).map((line) => safeLine(line)) });
}

const MAX_SAID = 200;

function userSaid(view: ViewState, text: string, atMs: number): ViewState {
  const joining = withoutFirst(view.joining, text);
  const heard = {
    ...view,
    asks: false,
    joining,
    // A hint about the waiting message is no longer needed.
    hint: joining.length < view.joining.length ? null : view.hint,
    said: [...view.said, text].slice(-MAX_SAID),
  };
  return say(running(endOfText(heard), atMs), { kind: 'user', lines: safeLines(text) });
}

/** A long run shows when it would be ended, and its progress. */
function withTool(
  view: ViewState,
  callId: string,
  news: Partial<Pick<RunningTool, 'progress' | 'counted'>>,
): ViewState {
  return { ...view, tools: view.tools.map((tool) => (tool.callId === callId ? { ...tool, ...news } : tool)) };
}

/** A run has ended, but not its call: other runs follow, and the counts were not of them. */
function withoutCounts(view: ViewState, callId?: string): ViewState {
  const tools = view.tools.map((tool) =>
    callId === undefined || tool.callId === callId ? { ...tool, progress: null, counted: null } : tool,
  );
  return { ...view, tools };
}

function countedWords({ done, failed }: EventOf<'test.counts'>): SafeText {
  return safeLine(`${plural(done, 'test')} done${failed === 0 ? '' : `, ${failed} failed`}`);
}

function fetchedWords({ done, total }: EventOf<'packages.fetched'>): SafeText {
  // A package can be fetched twice, for its facts too.
  return safeLine(
    total === null || done > total
      ? `${plural(done, 'package')} fetched`
      : `${done} of ${plural(total, 'package')} fetched`,
  );
}

function running(view: ViewState, atMs: number): ViewState {
  if (view.run.kind === 'running') return view;
  return { ...view, run: { kind: 'running', sinceMs: atMs, waitedMs: 0, interrupting: false }, hint: null, tip: null };
}

/** A shorter thought has no line of its own. */
const LONG_THOUGHT_MS = 1000;

function thought(view: ViewState, { text, duration_ms: durationMs }: EventOf<'thinking.done'>): ViewState {
  const next = { ...view, calls: withCall(view.calls, { thought: { raw: text }, durationMs }) };
  return durationMs < LONG_THOUGHT_MS ? next : say(endOfText(next), { kind: 'thought', durationMs });
}

function withText(view: ViewState, { stream, block }: StreamStep): ViewState {
  const next = { ...view, stream };
  return block === null ? next : say(next, { kind: 'text', block });
}

/** Incomplete text goes to the scrollback unchanged. */
function endOfText(view: ViewState): ViewState {
  return view.stream === NO_TEXT ? view : withText(view, endText(view.stream, view.stream.text));
}

function started(view: ViewState, event: EventOf<'session.started'>): ViewState {
  const next = {
    ...view,
    sessionId: event.session_id,
    model: safeLine(event.model),
    mode: event.mode,
  };
  const words = limitWords(event.limits);
  const limited = words === null ? next : say(next, note('info', `Each run ends after ${words}.`));
  return event.mode === view.mode ? limited : say(limited, note('info', `This session is in ${event.mode} mode.`));
}

/** They follow the writing of a change, exempt or not. */
const AFTER_WRITING: readonly SessionState[] = ['validating', 'reviewing', 'committing'];

/** States that last only for one call or for the commit: the prompt shows them meanwhile. */
const PASSING: readonly SessionState[] = ['idle', 'validating', 'committing'];

/** A run begins in a state other than `idle`; the state `idle` ends it. */
function runIn(state: SessionState, run: RunStatus): RunStatus {
  if (run.kind === 'idle' || run.command === true) return run;
  const { ending: _, ...begun } = run;
  return state === 'idle' ? { ...begun, ending: true } : begun;
}

/** A call that changes the state is drawn first, then the new state. */
function stateChanged(view: ViewState, event: EventOf<'state.changed'>, atMs: number): ViewState {
  const cut = event.trigger === 'recovered' ? cutOff(endOfText(view)) : view;
  const isExempt = event.to === 'exploring' || (cut.isExempt && AFTER_WRITING.includes(event.to));
  const next = { ...cut, state: event.to, stateSinceMs: atMs, isExempt, run: runIn(event.to, cut.run) };
  if (event.to === 'idle') return { ...next, todo: [] };
  if (PASSING.includes(event.to)) return next;
  const item = { kind: 'state', to: event.to, why: safeLine(STATE_WORDS[event.to]) } as const;
  return next.tools.length > 0 ? { ...next, heldState: item } : say(next, item);
}

/** A denied call has its own line with the rules. Other denied requests get a line here. A review shows its card. */
function policyDecision(view: ViewState, event: EventOf<'policy.decision'>): ViewState {
  if (event.decision !== 'denied') return view;
  const denial = { rules: (event.decided_by ?? event.rules).map(safeLine), reason: safeLine(event.reason) };
  if (event.call_id !== undefined) {
    return { ...view, denialsByCall: { ...view.denialsByCall, [event.call_id]: denial } };
  }
  const rules = event.rules.length === 0 ? '' : ` (${plural(event.rules.length, 'rule')}: ${event.rules.join(', ')})`;
  return say(view, note('warn', `Policy denies ${event.syscall} ${event.target ?? ''}${rules}`));
}

function testFinished(view: ViewState, event: EventOf<'test.finished'>): ViewState {
  const report = testReport(event);
  if (event.call_id === undefined) return say(view, { kind: 'tests', tests: report });
  return withoutCounts({ ...view, testsByCall: { ...view.testsByCall, [event.call_id]: report } }, event.call_id);
}

function notice(view: ViewState, event: EventOf<'notice'>): ViewState {
  // The answer starts again: a row below the text says so meanwhile, and the text of the last attempt is dropped.
  if (event.code === 'provider_retry')
    return { ...view, stream: NO_TEXT, providerRow: safeLine(`${event.fix}: ${event.why}`) };
  if (event.code === 'provider_silent') return { ...view, providerRow: safeLine(`${event.what}: ${event.why}`) };
  const fix = event.level === 'warn' ? ` ${event.fix}.` : '';
  const text = `${event.what}: ${event.why}${event.why.endsWith('.') || fix === '' ? '' : '.'}${fix}`;
  return { ...say(view, note(event.level, text)), shownReason: event.why };
}

function finished(view: ViewState, event: EventOf<'session.finished'>): ViewState {
  const good = event.status === 'committed' || event.status === 'done';
  const waitedMs = view.run.kind === 'running' ? view.run.waitedMs : 0;
  const workedMs = Math.max(0, event.duration_ms - waitedMs);
  const ended = endReads(cutOff(endOfText(view)));
  const said = say(ended, {
    kind: 'finished',
    good,
    line: finalLine(event, workedMs, view),
    // Empty if an error has already shown it.
    reason: isReasonOpen(view, event) ? safeLines(event.summary) : [],
  });
  return {
    ...said,
    run: { kind: 'idle', last: event.status },
    joining: [],
    proving: null,
    commits: event.commit === undefined ? view.commits : [...view.commits, event.commit],
    meter: { ...view.meter, workedMs: view.meter.workedMs + workedMs },
    // A hint about a waiting card, for example that it was decided too early, does not concern the run.
    hint: view.card === null ? null : view.hint,
  };
}

function isReasonOpen(view: ViewState, { status }: EventOf<'session.finished'>): boolean {
  // The card says what to type.
  return (
    (status === 'waiting' && !view.asks && view.card === null) || (status === 'failed' && view.lastKind !== 'problem')
  );
}

function freeShare({ used_tokens: used, window_tokens: window }: NonNullable<EventOf<'usage'>['context']>): number {
  return Math.max(0, 1 - used / window);
}

function addUsage(meter: Meter, event: EventOf<'usage'>): Meter {
  return {
    ...meter,
    inputTokens: meter.inputTokens + event.input_tokens,
    outputTokens: meter.outputTokens + event.output_tokens,
    costUsd: meter.costUsd === null || event.cost_usd === undefined ? null : meter.costUsd + event.cost_usd,
    contextLeft: event.context === undefined ? meter.contextLeft : freeShare(event.context),
  };
}
