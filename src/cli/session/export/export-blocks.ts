import type { FluffyEvent } from '../../../contracts/session/events.ts';
import { OBSERVATION_TITLES } from '../../../contracts/review/proof.ts';
import { modelWords } from '../../../lib/text/model-words.ts';
import { decidedAs } from '../../../lib/text/review-words.ts';
import { callWords, outcomeWords } from '../../../lib/text/call-words.ts';
import type { SessionDetails } from '../read-sessions.ts';

/** A session as the parts of a document. Texts are untrusted and unchanged. */
export type ExportBlock =
  | { readonly kind: 'user' | 'model'; readonly text: string }
  | {
      readonly kind: 'call';
      readonly ok: boolean;
      readonly title: string;
      readonly outcome: string;
      readonly diff: string | null;
    }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'review'; readonly title: string; readonly message: string; readonly diff: string };

export function exportBlocks({ events }: Pick<SessionDetails, 'events'>): readonly ExportBlock[] {
  const started = new Map<string, string>();
  return events.flatMap((event) => {
    if (event.type === 'tool.started') started.set(event.call_id, callWords(event));
    const block = blockOf(event, started);
    return block === null ? [] : [block];
  });
}

function blockOf(event: FluffyEvent, started: ReadonlyMap<string, string>): ExportBlock | null {
  const note = (text: string): ExportBlock => ({ kind: 'note', text });
  switch (event.type) {
    case 'message.user':
      return { kind: 'user', text: event.text };
    case 'text.done':
      return event.text.trim() === '' ? null : { kind: 'model', text: event.text };
    case 'tool.finished': {
      const title = `${event.tool} ${started.get(event.call_id) ?? ''}`.trim();
      return { kind: 'call', ok: event.ok, title, outcome: outcomeWords(event), diff: event.diff ?? null };
    }
    case 'state.changed':
      return note(`State ${event.to}`);
    case 'mode.changed':
      return note(`Mode ${event.to}, by ${event.by}`);
    case 'model.changed':
      return note(`Model ${modelWords(event)}, by ${event.by}`);
    case 'test.finished':
      return note(`Tests ${event.outcome}: ${event.passed} passed, ${event.failed} failed, ${event.skipped} skipped`);
    case 'proof.finished':
      return note(`${OBSERVATION_TITLES[event.observation]}: ${event.detail}`);
    case 'review.requested': {
      const title = `Review, ${event.risk} risk${event.reasons.length === 0 ? '' : `: ${event.reasons.join(' ')}`}`;
      return { kind: 'review', title, message: event.message ?? '', diff: event.diff };
    }
    case 'review.decided':
      return note(`Review ${decidedAs(event)} by ${event.by}${event.reason === undefined ? '' : `: ${event.reason}`}`);
    case 'notice':
    case 'error':
      return note(`${event.what}: ${event.why}`);
    case 'session.finished': {
      const head = event.audit_head === null ? '' : `; head of the audit log ${event.audit_head}`;
      return note(`Ended: ${event.status}. ${event.summary}${head}`);
    }
    case 'question.asked':
      return note(`Question: ${event.question}`);
    case 'session.started':
    case 'thinking.done':
    case 'text.delta':
    case 'tool.started':
    case 'policy.decision':
    case 'test.progress':
    case 'test.counts':
    case 'packages.fetched':
    case 'proof.started':
    case 'proof.progress':
    case 'todo.updated':
    case 'context.compacted':
    case 'usage':
      return null;
  }
}
