import type { ModelMessage } from '../../contracts/model/model.ts';
import type { ContextFact } from '../../contracts/session/session-facts.ts';
import { cutPoint } from '../context/cut-point.ts';
import { headText } from '../context/head-text.ts';
import type { KernelRecord } from '../context/head-text.ts';
import { totalTokens } from '../context/parts.ts';
import { parseReference } from '../context/reference.ts';
import { sentMessages } from '../context/sent-messages.ts';
import { boundSummary } from '../context/summary.ts';
import { conversationBytes, tokensOf } from '../context/token-estimate.ts';
import { sessionUse, sessionWindow } from './model/request.ts';
import type { RunContext } from './run-context.ts';
import { pinsWithReads } from './pinned-reads.ts';
import { summarise } from './model/summarise.ts';

/**
 * Shares of the room for the conversation: the part that is kept, the kernel's record, and the summary. Their sum is
 * well below 1, so that a compaction is not followed by another one at once, in any window.
 */
const KEPT_SHARE = 0.3;
/** Of the conversation itself, where the user wants it compacted. */
const KEPT_BY_WISH = 0.25;
const RECORD_SHARE = 0.2;
const SUMMARY_SHARE = 0.15;
/** Share of the window: a smaller saving does not justify a summary. */
const WORTHWHILE_SHARE = 0.1;
/**
 * Share of the window that always remains for the conversation, even if system text and tools take nearly everything.
 */
const LEAST_ROOM = 0.1;

export const NO_CONTEXT: ContextFact = {
  start: 0,
  answers_before: 0,
  head: null,
  summary: '',
  cleared: [],
  shortened: {},
  said: [],
  window_tokens: null,
};

/** How to compact a conversation that has grown, that a person wants shortened, or that no longer fits. */
export interface CompactionWish {
  /** What the summary must keep, in the user's words. */
  readonly keep: string;
  /** Compact even if little is saved. */
  readonly anyGain: boolean;
  /** The user wants it: most of the conversation is replaced even if it fits. */
  readonly byUser?: boolean;
  /** Not even the last answer is kept: the arguments of its calls can be larger than another model's window. */
  readonly whole?: boolean;
}

/**
 * Replaces the older part of the conversation by a summary and the kernel's record. The older part stays in the store,
 * and the session keeps its state. Returns false if nothing, or too little, could be left out.
 */
export async function compact(
  context: RunContext,
  { keep, anyGain, byUser = false, whole = false }: CompactionWish,
): Promise<boolean> {
  const { services, session } = context;
  const use = sessionUse(services, session);
  const before = totalTokens(use);
  const { tokens, compactAt } = sessionWindow(session);
  const ratio = session.snapshot.bytes_per_token;
  const room = Math.max(compactAt - use.system - use.tools, tokens * LEAST_ROOM);
  const known = session.snapshot.context ?? NO_CONTEXT;
  const sent = sentMessages(session.messages, session.start, { ...known, head: null });
  const kept = room * KEPT_SHARE * ratio;
  const keptBytes = byUser ? Math.min(kept, conversationBytes(sent) * KEPT_BY_WISH) : kept;
  const cut = whole ? sent.length : cutPoint(sent, Math.floor(keptBytes));
  const leaving = tokensOf(conversationBytes(sent.slice(0, cut)), ratio);
  if (cut === 0 || (!anyGain && leaving < tokens * WORTHWHILE_SHARE)) return false;
  const older = session.messages.slice(0, cut);
  const charactersOf = (share: number): number => Math.floor(room * share * Math.min(ratio, 4));
  const summary = boundSummary(await summarise(context, sent.slice(0, cut), keep), charactersOf(SUMMARY_SHARE));
  const start = session.start + cut;
  const said = [...known.said, ...saidIn(older, session.start)];
  const record = await kernelRecord(context, said, start);
  const stays = (reference: string): boolean => (parseReference(reference)?.position ?? -1) >= start;
  session.setContext({
    ...known,
    start,
    answers_before: known.answers_before + older.filter(({ role }) => role === 'assistant').length,
    summary,
    said,
    head: headText(summary, record, start, charactersOf(RECORD_SHARE)),
    cleared: known.cleared.filter(stays),
    shortened: Object.fromEntries(Object.entries(known.shortened).filter(([reference]) => stays(reference))),
  });
  // Notes in the removed part are sent again; notes in the remaining part are not sent twice.
  const isThere = (note: string | null): string | null =>
    session.messages.some((message) => message.role === 'user' && message.text === note) ? note : null;
  const { environment, project, state } = session.snapshot.notes_sent;
  session.update({
    notes_sent: {
      environment: isThere(environment),
      project: isThere(project),
      state: isThere(state),
      // Notes of directories are sent again at the next call there.
      folders: [],
    },
  });
  const after = totalTokens(sessionUse(services, session));
  session.emit({ type: 'context.compacted', before_tokens: before, after_tokens: after });
  return true;
}

function saidIn(messages: readonly ModelMessage[], start: number): ContextFact['said'] {
  return messages.flatMap((message, index) =>
    message.role === 'user' && message.author !== 'kernel' ? [{ position: start + index, text: message.text }] : [],
  );
}

async function kernelRecord(
  { session, workspace }: RunContext,
  said: ContextFact['said'],
  start: number,
): Promise<KernelRecord> {
  const { snapshot } = session;
  const changes = await workspace.changes();
  return {
    task: snapshot.task,
    said,
    plan: snapshot.plan,
    todo: snapshot.todo,
    mode: session.mode,
    state: session.state,
    exemption: snapshot.exemption,
    revisions: snapshot.revisions.map(({ reason }) => reason),
    red: (snapshot.red?.cases ?? []).map((id) => id.replace('\0', ' › ')),
    refusals: snapshot.refusals,
    pins: pinsWithReads(session, start),
    staged: { paths: changes.map(({ path }) => path), diff: changes.length === 0 ? '' : await workspace.diff() },
  };
}
