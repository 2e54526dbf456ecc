import type { FluffyEvent } from '../../contracts/events.ts';
import type { SessionState } from '../../contracts/workflow-states.ts';
import { OBSERVATION_TITLES } from '../../contracts/proof.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { callWords } from '../../lib/call-words.ts';
import { collapseDiff, readDiff } from './diff-lines.ts';
import { finalLine } from './final-line.ts';
import { plural } from './format-amount.ts';
import { appendItem } from './item.ts';
import type { Denial, ItemBody } from './item.ts';
import { safeLine, safeLines } from './safe-text.ts';
import type { SafeText } from './safe-text.ts';
import { mixedAlphabets } from './mixed-alphabets.ts';
import { shortSummary } from './short-summary.ts';
import { STATE_WORDS } from './state-words.ts';
import { testReport } from './test-report.ts';
import { NO_TEXT, endText, takeDelta } from './text-stream.ts';
import type { StreamStep } from './text-stream.ts';
import type { Meter, ViewState } from './view-state.ts';

type EventOf<T extends FluffyEvent['type']> = Extract<FluffyEvent, { type: T }>;

/** Lines of a write's diff that stay on the screen. */
const MAX_DIFF_LINES = 12;

/** What the screen shows after an event. Pure: `atMs` is when it came in. All text of the event is escaped here, once. */
export function reduceEvent(view: ViewState, event: FluffyEvent, atMs: number): ViewState {
  switch (event.type) {
    case 'session.started':
      return started(view, event);
    case 'state.changed':
      return stateChanged(view, event);
    case 'mode.changed':
      return say({ ...view, mode: event.to }, note('info', `The mode is ${event.to} now.`));
    case 'message.user':
      return say(running(endOfText(view), atMs), { kind: 'user', lines: safeLines(event.text) });
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
      return view;
    case 'proof.finished':
      return event.ok ? view : say(view, note('info', `${OBSERVATION_TITLES[event.observation]}: ${event.detail}`));
    case 'review.requested':
      return reviewRequested(endOfText(view), event);
    case 'review.decided':
      return reviewDecided(view, event);
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
      return finished(view, event);
    default:
      return assertNever(event);
  }
}

export function say(view: ViewState, body: ItemBody): ViewState {
  return { ...view, items: appendItem(view.items, view.lastKind, body), lastKind: body.kind };
}

function note(level: 'info' | 'warn', text: string): ItemBody {
  return { kind: 'note', level, text: safeLine(text) };
}

function running(view: ViewState, atMs: number): ViewState {
  if (view.run.kind === 'running') return view;
  return { ...view, run: { kind: 'running', sinceMs: atMs, interrupting: false }, hint: null };
}

function withText(view: ViewState, { stream, lines }: StreamStep): ViewState {
  const next = { ...view, stream };
  return lines.length === 0 ? next : say(next, { kind: 'text', lines });
}

/** Incomplete text goes to the scrollback as it is. */
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
  return event.mode === view.mode ? next : say(next, note('info', `This session is in ${event.mode} mode.`));
}

/** States that last as long as one call, or as the commit: the prompt shows them while they do. */
const PASSING: readonly SessionState[] = ['idle', 'validating', 'committing'];

/** A call that changes the state is drawn first, then the state it led to. */
function stateChanged(view: ViewState, event: EventOf<'state.changed'>): ViewState {
  const cut = event.trigger === 'recovered' ? cutOff(endOfText(view)) : view;
  const next = { ...cut, state: event.to };
  if (PASSING.includes(event.to)) return next;
  const item = { kind: 'state', to: event.to, why: safeLine(STATE_WORDS[event.to]) } as const;
  return next.tools.length > 0 ? { ...next, heldState: item } : say(next, item);
}

function sayHeldState(view: ViewState): ViewState {
  return view.heldState === null || view.tools.length > 0 ? view : say({ ...view, heldState: null }, view.heldState);
}

function toolStarted(view: ViewState, event: EventOf<'tool.started'>, atMs: number): ViewState {
  const tool = {
    callId: event.call_id,
    tool: safeLine(event.tool),
    target: safeLine(callWords(event)),
    sinceMs: atMs,
  };
  return { ...view, tools: [...view.tools.filter((each) => each.callId !== event.call_id), tool] };
}

function toolFinished(view: ViewState, event: EventOf<'tool.finished'>): ViewState {
  const begun = view.tools.find((each) => each.callId === event.call_id);
  const { [event.call_id]: tests = null, ...testsByCall } = view.testsByCall;
  const { [event.call_id]: denied = null, ...denialsByCall } = view.denialsByCall;
  const next = {
    ...view,
    tools: view.tools.filter((each) => each.callId !== event.call_id),
    testsByCall,
    denialsByCall,
    shownReason: null,
  };
  const diff = event.diff === undefined ? null : readDiff(event.diff);
  const target = begun?.target ?? safeLine('');
  const said = say(next, {
    kind: 'tool',
    tool: safeLine(event.tool),
    target,
    ok: event.ok,
    summary: shortSummary({ event, target, diff, tested: tests !== null, shownReason: view.shownReason }),
    denial: denialOf(event, denied),
    durationMs: event.duration_ms,
    diff: diff === null ? null : collapseDiff(diff, MAX_DIFF_LINES),
    tests,
  });
  return sayHeldState(said);
}

/** Calls without an answer, because the run was interrupted or the kernel stopped. */
function cutOff(view: ViewState): ViewState {
  const cut = view.tools.reduce<ViewState>(
    (next, { tool, target }) =>
      say(next, {
        kind: 'tool',
        tool,
        target,
        ok: false,
        summary: safeLine('cut off'),
        denial: null,
        durationMs: null,
        diff: null,
        tests: null,
      }),
    { ...view, tools: [], testsByCall: {}, denialsByCall: {} },
  );
  return sayHeldState(cut);
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

/** Errors that are refusals; /why explains them. */
const REFUSALS: readonly string[] = ['policy_denied', 'path_refused', 'tool_unavailable', 'review_required'];

function denialOf({ error }: EventOf<'tool.finished'>, denied: Denial | null): Denial | null {
  if (error === undefined || !REFUSALS.includes(error.code)) return null;
  return denied ?? { rules: [], reason: safeLine('') };
}

function testFinished(view: ViewState, event: EventOf<'test.finished'>): ViewState {
  const report = testReport(event);
  if (event.call_id === undefined) return say(view, { kind: 'tests', tests: report });
  return { ...view, testsByCall: { ...view.testsByCall, [event.call_id]: report } };
}

function reviewRequested(view: ViewState, event: EventOf<'review.requested'>): ViewState {
  const message = event.message ?? '';
  const diff = readDiff(event.diff);
  if (event.reasons.length === 0) return say(view, { kind: 'proposal', message: withoutTrailers(message), diff });
  const shown = say(view, {
    kind: 'card',
    card: {
      reviewId: event.review_id,
      kind: event.kind,
      risk: event.risk,
      reasons: event.reasons.map(safeLine),
      message: safeLines(message),
      diff,
      warnings: mixedAlphabets(`${message}\n${event.diff}`),
    },
  });
  return {
    ...shown,
    card: {
      reviewId: event.review_id,
      kind: event.kind,
      message,
      diff: event.diff,
      sha256: event.sha256,
      drawnAtMs: null,
      deciding: false,
    },
  };
}

/** A message that needs no approval, without the trailers for verifiers. */
function withoutTrailers(message: string): SafeText[] {
  return safeLines(message.replace(/\n+(Fluffy-[A-Za-z]+: .*\n?)+$/, ''));
}

function reviewDecided(view: ViewState, event: EventOf<'review.decided'>): ViewState {
  const next = view.card?.reviewId === event.review_id ? { ...view, card: null } : view;
  const by = event.by === 'human' ? 'you' : 'policy';
  switch (event.decision) {
    case 'approved': {
      const why = event.by === 'policy' ? ': the tests pass, nothing sensitive changes, the diff is small' : '';
      return say(next, { kind: 'decided', good: true, text: safeLine(`Approved by ${by}${why}`) });
    }
    case 'rejected':
      return say(next, {
        kind: 'decided',
        good: false,
        text: safeLine(`Rejected by ${by}${event.reason === undefined ? '' : `: ${event.reason}`}`),
      });
    case 'expired':
      return say(next, { kind: 'decided', good: false, text: safeLine('Nobody decided in time: rejected') });
    default:
      return assertNever(event.decision);
  }
}

function notice(view: ViewState, event: EventOf<'notice'>): ViewState {
  // The request is sent again, so the answer begins anew.
  const base = event.code === 'provider_retry' ? endOfText(view) : view;
  const fix = event.level === 'warn' ? ` ${event.fix}.` : '';
  const text = `${event.what}: ${event.why}${event.why.endsWith('.') || fix === '' ? '' : '.'}${fix}`;
  return { ...say(base, note(event.level, text)), shownReason: event.why };
}

function finished(view: ViewState, event: EventOf<'session.finished'>): ViewState {
  const good = event.status === 'committed' || event.status === 'done';
  const ended = cutOff(endOfText(view));
  const said = say(ended, {
    kind: 'finished',
    good,
    line: finalLine(event),
    // Empty if an error has already shown it.
    reason: isReasonOpen(view, event) ? safeLines(event.summary) : [],
  });
  return {
    ...said,
    run: { kind: 'idle', last: event.status },
    meter: { ...view.meter, workedMs: view.meter.workedMs + event.duration_ms },
    hint: null,
  };
}

function isReasonOpen(view: ViewState, { status }: EventOf<'session.finished'>): boolean {
  return status === 'waiting' || (status === 'failed' && view.lastKind !== 'problem');
}

function addUsage(meter: Meter, event: EventOf<'usage'>): Meter {
  return {
    ...meter,
    inputTokens: meter.inputTokens + event.input_tokens,
    outputTokens: meter.outputTokens + event.output_tokens,
    costUsd: meter.costUsd === null || event.cost_usd === undefined ? null : meter.costUsd + event.cost_usd,
  };
}
