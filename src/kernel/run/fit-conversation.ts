import { resultsToClear } from '../context/clear-results.ts';
import { totalTokens } from '../context/parts.ts';
import type { Window } from '../context/window.ts';
import { NO_CONTEXT, compact } from './compact.ts';
import { sessionUse, sessionWindow } from './request.ts';
import type { RunContext } from './run-context.ts';

/** Shares of the window: use is brought down to this by clearing, and less than this is not worth losing the vendor's cache for. */
const CLEARED_TO = 0.3;
const WORTHWHILE = 0.1;
/** What is left of a size that was refused as too long. */
const AFTER_REFUSAL = 0.9;
const SMALLEST_WINDOW = 4_000;

/** Before each request: from half of the window on old results become one line each, in batches; from three quarters on the conversation is compacted. */
export async function fitConversation(context: RunContext): Promise<void> {
  const { services, session } = context;
  const wish = session.snapshot.compact;
  if (wish !== null) {
    session.update({ compact: null });
    await compact(context, wish.keep);
  }
  const window = sessionWindow(session);
  const used = totalTokens(sessionUse(services, session));
  if (used < window.clearAt) return;
  clearResults(context, window, used);
  if (totalTokens(sessionUse(services, session)) >= window.compactAt) await compact(context, '');
}

/** After a request was refused as too long: what the model takes is less than was thought. False: nothing more can be left out. */
export async function fitAfterRefusal(context: RunContext): Promise<boolean> {
  const { services, session } = context;
  const used = totalTokens(sessionUse(services, session));
  const known = session.snapshot.context ?? NO_CONTEXT;
  const learned = Math.max(SMALLEST_WINDOW, Math.floor(Math.min(used, sessionWindow(session).tokens) * AFTER_REFUSAL));
  session.update({ context: { ...known, window_tokens: learned } });
  session.save();
  return compact(context, '');
}

function clearResults({ session }: RunContext, window: Window, used: number): void {
  const { context, pins, bytes_per_token: ratio } = session.snapshot;
  const known = context ?? NO_CONTEXT;
  const references = resultsToClear({
    messages: session.messages,
    start: session.start,
    cleared: known.cleared,
    pins,
    wantedBytes: (used - window.tokens * CLEARED_TO) * ratio,
    worthwhileBytes: window.tokens * WORTHWHILE * ratio,
  });
  if (references.length === 0) return;
  session.update({ context: { ...known, cleared: [...known.cleared, ...references] } });
  session.save();
}
