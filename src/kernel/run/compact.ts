import type { ModelMessage } from '../../contracts/model.ts';
import type { ContextFact } from '../../contracts/session-facts.ts';
import { cutPoint } from '../context/cut-point.ts';
import { headText } from '../context/head-text.ts';
import type { KernelRecord } from '../context/head-text.ts';
import { totalTokens } from '../context/parts.ts';
import { parseReference } from '../context/reference.ts';
import { sentMessages } from '../context/sent-messages.ts';
import { sessionUse, sessionWindow } from './request.ts';
import type { RunContext } from './run-context.ts';
import { summarise } from './summarise.ts';

/** Shares of the window: what stays of the conversation as it is, and the kernel's record. */
const KEPT_SHARE = 0.2;
const RECORD_SHARE = 0.15;

export const NO_CONTEXT: ContextFact = {
  start: 0,
  answers_before: 0,
  head: null,
  summary: '',
  cleared: [],
  said: [],
  window_tokens: null,
};

/**
 * Puts a summary and the kernel's record in place of the older part of the conversation, which stays in the store. The session goes on in its state. False:
 * there is nothing that could be left out.
 */
export async function compact(context: RunContext, keep: string): Promise<boolean> {
  const { services, session } = context;
  const before = totalTokens(sessionUse(services, session));
  const { tokens } = sessionWindow(session);
  const ratio = session.snapshot.bytes_per_token;
  const known = session.snapshot.context ?? NO_CONTEXT;
  const sent = sentMessages(session.messages, session.start, { ...known, head: null });
  const cut = cutPoint(sent, Math.floor(tokens * KEPT_SHARE * ratio));
  if (cut === 0) return false;
  const older = session.messages.slice(0, cut);
  const summary = await summarise(context, sent.slice(0, cut), keep);
  const start = session.start + cut;
  const said = [...known.said, ...saidIn(older, session.start)];
  const record = await kernelRecord(context, said);
  session.setContext({
    ...known,
    start,
    answers_before: known.answers_before + older.filter(({ role }) => role === 'assistant').length,
    summary,
    said,
    head: headText(summary, record, start, Math.floor(tokens * RECORD_SHARE * Math.min(ratio, 4))),
    cleared: known.cleared.filter((reference) => (parseReference(reference)?.position ?? -1) >= start),
  });
  // Notes that left with the older part are sent again; a note in what stays is not sent twice.
  const stays = (note: string | null): string | null =>
    session.messages.some((message) => message.role === 'user' && message.text === note) ? note : null;
  const { project, state } = session.snapshot.notes_sent;
  session.update({ notes_sent: { project: stays(project), state: stays(state) } });
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
