import type { ModelMessage } from '../../../contracts/model/model.ts';
import { findInMessage, readFromMessage } from '../../context/find-in-messages.ts';
import type { HistoryHit } from '../../context/find-in-messages.ts';
import { parseReference } from '../../context/reference.ts';
import type { Session } from '../../session/session.ts';
import type { SessionHistory } from '../../tools/tool-context.ts';

/** What a tool may read of its own session. All of it was already shown to the model, without secrets. */
export function sessionHistory(session: Session): SessionHistory {
  return {
    search: (query, limit) => {
      const hits: HistoryHit[] = [];
      for (const { position, message } of session.archive.search(query)) {
        const asked = message.role === 'tool' ? session.archive.message(position - 1) : message;
        hits.push(...findInMessage(message, position, query, searchesIn(asked)));
        if (hits.length >= limit) break;
      }
      return hits.slice(0, limit);
    },
    read: (reference) => {
      const { archive } = session;
      const parsed = parseReference(reference);
      if (parsed === null) return archive.output(reference);
      const message = archive.message(parsed.position);
      return message === null ? null : readFromMessage(message, reference);
    },
  };
}

/** Calls of history.search: otherwise a search would find itself and the results of earlier searches. */
function searchesIn(message: ModelMessage | null): ReadonlySet<string> {
  const calls = message?.role === 'assistant' ? message.calls : [];
  return new Set(calls.flatMap(({ tool, call_id }) => (tool === 'history.search' ? [call_id] : [])));
}
