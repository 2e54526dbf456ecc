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
import { summarise } from './model/summarise.ts';

/**
 * Shares of the room for the conversation: what stays of it as it is, the kernel's record, and the summary. Together they are well below it, so that a
 * compaction is not followed by another one at once, however small the window.
 */
const KEPT_SHARE = 0.3;
const RECORD_SHARE = 0.2;
const SUMMARY_SHARE = 0.15;
/** Of the window: less than this is not worth a summary. */
const WORTHWHILE_SHARE = 0.1;
/** Of the window: there is always room for so much, even where system text and tools take nearly all. */
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

/** Why a conversation is compacted: it has grown, a person wants it, or it does not fit otherwise. */
export interface CompactionWish {
  /** What the summary must not lose, in the user's words. */
  readonly keep: string;
  /** Also where little would be saved. */
  readonly anyGain: boolean;
}

/**
 * Puts a summary and the kernel's record in place of the older part of the conversation, which stays in the store. The session goes on in its state. False:
 * there is nothing that could be left out, or too little.
 */
export async function compact(context: RunContext, { keep, anyGain }: CompactionWish): Promise<boolean> {
  const { services, session } = context;
  const use = sessionUse(services, session);
  const before = totalTokens(use);
  const { tokens, compactAt } = sessionWindow(session);
  const ratio = session.snapshot.bytes_per_token;
  const room = Math.max(compactAt - use.system - use.tools, tokens * LEAST_ROOM);
  const known = session.snapshot.context ?? NO_CONTEXT;
  const sent = sentMessages(session.messages, session.start, { ...known, head: null });
  const cut = cutPoint(sent, Math.floor(room * KEPT_SHARE * ratio));
  const leaving = tokensOf(conversationBytes(sent.slice(0, cut)), ratio);
  if (cut === 0 || (!anyGain && leaving < tokens * WORTHWHILE_SHARE)) return false;
  const older = session.messages.slice(0, cut);
  const charactersOf = (share: number): number => Math.floor(room * share * Math.min(ratio, 4));
  const summary = boundSummary(await summarise(context, sent.slice(0, cut), keep), charactersOf(SUMMARY_SHARE));
  const start = session.start + cut;
  const said = [...known.said, ...saidIn(older, session.start)];
  const record = await kernelRecord(context, said);
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
  // Notes that left with the older part are sent again; a note in what stays is not sent twice.
  const isThere = (note: string | null): string | null =>
    session.messages.some((message) => message.role === 'user' && message.text === note) ? note : null;
  const { environment, project, state } = session.snapshot.notes_sent;
  session.update({
    notes_sent: {
      environment: isThere(environment),
      project: isThere(project),
      state: isThere(state),
      // Notes of directories come back with the next call there.
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

async function kernelRecord({ session, workspace }: RunContext, said: ContextFact['said']): Promise<KernelRecord> {
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
    pins: snapshot.pins,
    staged: { paths: changes.map(({ path }) => path), diff: changes.length === 0 ? '' : await workspace.diff() },
  };
}
