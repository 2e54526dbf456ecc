import type { EventOf } from '../../../contracts/session/events.ts';
import { callWords } from '../../../lib/text/call-words.ts';
import { excerptOf } from '../../diff/diff-excerpt.ts';
import { readDiff } from '../../diff/read-diff.ts';
import type { Denial, ItemBody } from '../item.ts';
import { safeLine, safeLines } from '../safe-text.ts';
import { endReads, say } from './say.ts';
import { shortSummary } from './short-summary.ts';
import type { ViewState } from '../view-state.ts';

/** Read-only tools: their results are for the model, and consecutive calls become one line. */
const READS: readonly string[] = [
  'fs.read',
  'fs.list',
  'fs.exists',
  'search.grep',
  'search.glob',
  'git.log',
  'git.status',
];
const MAX_READS = 20;

/** Maximum number of calls that can be opened. */
const MAX_CALLS = 300;

/** Maximum lines of a write's diff on the screen. */
const MAX_DIFF_LINES = 12;

export function toolStarted(view: ViewState, event: EventOf<'tool.started'>, atMs: number): ViewState {
  const tool = {
    callId: event.call_id,
    tool: safeLine(event.tool),
    target: safeLine(callWords(event)),
    sinceMs: atMs,
    progress: null,
    counted: null,
  };
  const script = event.by === 'user' ? scriptOf(event.input) : '';
  const said = script === '' ? view : say(view, { kind: 'script', lines: safeLines(script) });
  return { ...said, tools: [...view.tools.filter((each) => each.callId !== event.call_id), tool] };
}

function scriptOf(input: unknown): string {
  return typeof input === 'object' && input !== null && 'script' in input ? String(input.script) : '';
}

/** Without the oldest ones. */
export function withCall(calls: ViewState['calls'], call: ViewState['calls'][number]): ViewState['calls'] {
  return [...calls, call].slice(-MAX_CALLS);
}

export function toolFinished(view: ViewState, event: EventOf<'tool.finished'>): ViewState {
  const begun = view.tools.find((each) => each.callId === event.call_id);
  const { [event.call_id]: tests = null, ...testsByCall } = view.testsByCall;
  const { [event.call_id]: denied = null, ...denialsByCall } = view.denialsByCall;
  const call = {
    callId: event.call_id,
    tool: safeLine(event.tool),
    target: begun?.target ?? safeLine(''),
    ok: event.ok && event.command_failed !== true,
    durationMs: event.duration_ms,
    tests,
  };
  const next = {
    ...view,
    tools: view.tools.filter((each) => each.callId !== event.call_id),
    proving: null,
    testsByCall,
    denialsByCall,
    shownReason: null,
    calls: withCall(view.calls, call),
  };
  if (event.output !== undefined) return say(next, printedItem(event, event.output));
  const diff = event.diff === undefined ? null : readDiff(event.diff);
  const target = begun?.target ?? safeLine('');
  const line: ItemBody = {
    kind: 'tool',
    tool: safeLine(event.tool),
    target,
    ok: event.ok,
    exit: event.command_failed === true ? safeLine(event.summary) : null,
    summary: shortSummary({ event, target, diff, tested: tests !== null, shownReason: view.shownReason }),
    denial: denialOf(event, denied),
    durationMs: event.duration_ms,
    diff: diff === null ? null : excerptOf(diff, MAX_DIFF_LINES),
    tests,
  };
  // The question itself is on the screen.
  if (event.tool === 'user.ask' && event.ok && view.asks) return sayHeldState(next);
  if (READS.includes(event.tool) && event.ok && view.heldState === null) {
    const name = safeLine(target === '' ? event.tool : target);
    const reads = [...view.reads, { name, durationMs: event.duration_ms, line }];
    return reads.length < MAX_READS ? { ...next, reads } : endReads({ ...next, reads });
  }
  return sayHeldState(say(next, line));
}

/** Maximum lines of a command's output on the screen: the last ones. */
const MAX_PRINTED_LINES = 200;

function printedItem(event: EventOf<'tool.finished'>, output: string): ItemBody {
  const lines = output === '' ? [] : safeLines(output.replace(/\n+$/, ''));
  return {
    kind: 'printed',
    lines: lines.slice(-MAX_PRINTED_LINES),
    hidden: Math.max(0, lines.length - MAX_PRINTED_LINES),
    good: event.command_failed !== true,
    end: safeLine(event.summary),
    durationMs: event.duration_ms,
  };
}

/** Calls without an answer, because the run was interrupted or the kernel stopped. */
export function cutOff(view: ViewState): ViewState {
  const cut = view.tools.reduce<ViewState>(
    (next, { tool, target }) =>
      say(next, {
        kind: 'tool',
        tool,
        target,
        ok: false,
        exit: null,
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

function sayHeldState(view: ViewState): ViewState {
  return view.heldState === null || view.tools.length > 0 ? view : say({ ...view, heldState: null }, view.heldState);
}

/** Errors that are refusals; /why explains them. */
const REFUSALS: readonly string[] = ['policy_denied', 'path_refused', 'tool_unavailable', 'review_required'];

function denialOf({ error }: EventOf<'tool.finished'>, denied: Denial | null): Denial | null {
  if (error === undefined || !REFUSALS.includes(error.code)) return null;
  return denied ?? { rules: [], reason: safeLine('') };
}
