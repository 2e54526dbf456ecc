import type { ContextFact } from '../../contracts/session/session-facts.ts';
import { KEPT_ANSWERS, resultsToClear } from '../context/clear-results.ts';
import { totalTokens } from '../context/parts.ts';
import { shortenedTexts } from '../context/shorten-texts.ts';
import { NO_CONTEXT, compact } from './compact.ts';
import { sessionUse, sessionWindow } from './model/request.ts';
import type { RunContext } from './run-context.ts';

/**
 * Shares of the window: clearing reduces the use to the first; a saving smaller than the second does not justify losing
 * the provider's cache.
 */
const CLEARED_TO = 0.2;
const WORTHWHILE = 0.2;
/** Factor for a size that was refused as too long. */
const AFTER_REFUSAL = 0.9;
const SMALLEST_WINDOW = 4_000;
/** Results that the model has not seen yet are shortened, and never replaced by a line. */
const LAST_ANSWER = 1;

/**
 * Called before each request. Above half of the window, old results are replaced by one line each, in batches. Above
 * three quarters, the conversation is compacted. If system text and tools alone take that much, a summary helps nothing.
 */
export async function fitConversation(context: RunContext): Promise<void> {
  const { session } = context;
  const wish = session.snapshot.compact;
  if (wish !== null) {
    session.update({ compact: null });
    await compact(context, { keep: wish.keep, anyGain: true, byUser: true });
  }
  const window = sessionWindow(session);
  const used = usedTokens(context);
  if (used < window.clearAt) return;
  clearResults(context, { to: CLEARED_TO, keptAnswers: KEPT_ANSWERS, worthwhile: WORTHWHILE });
  if (usedTokens(context) < window.compactAt) return;
  if (fixedTokens(context) >= window.compactAt) return;
  // So few answers fit that their results were all kept: shorter results are cheaper than a summary at each request.
  if (isYoung(session)) {
    clearResults(context, { to: CLEARED_TO, keptAnswers: LAST_ANSWER, worthwhile: 0 });
    if (usedTokens(context) < window.compactAt) return;
  }
  const most = window.tokens - window.output;
  await compact(context, { keep: '', anyGain: usedTokens(context) > most });
  if (usedTokens(context) > most) shrink(context);
  if (usedTokens(context) > most) await compactWhole(context);
}

/**
 * Called after a request was refused as too long: the model's window is smaller than assumed. Returns false if nothing
 * more can be left out.
 */
export async function fitAfterRefusal(context: RunContext): Promise<boolean> {
  const { session } = context;
  const known = session.snapshot.context ?? NO_CONTEXT;
  const before = sessionWindow(session);
  // Vendors count the requested answer too.
  const asked = Math.min(usedTokens(context) + before.output, before.tokens);
  const learned = Math.max(SMALLEST_WINDOW, Math.floor(asked * AFTER_REFUSAL));
  session.update({ context: { ...known, window_tokens: learned } });
  session.save();
  const fits = (): boolean => usedTokens(context) <= sessionWindow(session).compactAt;
  const asksForLess = sessionWindow(session).output < before.output;
  if (asksForLess && fits()) return true;
  const isCompacted = await compact(context, { keep: '', anyGain: true });
  if (isCompacted && fits()) return true;
  return shrink(context) || isCompacted || asksForLess || (await compactWhole(context));
}

function isYoung({ messages }: RunContext['session']): boolean {
  return messages.filter(({ role }) => role === 'assistant').length <= KEPT_ANSWERS;
}

/**
 * For a conversation whose last answers alone do not fit: their results, too, are replaced or shortened. Returns false
 * if that was already done.
 */
function shrink(context: RunContext): boolean {
  const { session } = context;
  const isCleared = clearResults(context, { to: CLEARED_TO, keptAnswers: LAST_ANSWER, worthwhile: 0 });
  const { compactAt } = sessionWindow(session);
  if (isCleared && usedTokens(context) <= compactAt) return true;
  const known = session.snapshot.context ?? NO_CONTEXT;
  const fits = (shortened: ContextFact['shortened']): boolean =>
    tokensWith(context, { ...known, shortened }) <= compactAt;
  const shortened = shortenedTexts(session, known, fits);
  if (shortened === null) return isCleared;
  session.update({ context: { ...known, shortened } });
  session.save();
  return true;
}

/** For a last answer whose calls alone do not fit. */
async function compactWhole(context: RunContext): Promise<boolean> {
  if (fixedTokens(context) >= sessionWindow(context.session).tokens) return false;
  return compact(context, { keep: '', anyGain: false, whole: true });
}

interface Clearing {
  /** Shares of the window. */
  readonly to: number;
  readonly worthwhile: number;
  readonly keptAnswers: number;
}

function clearResults(context: RunContext, { to, worthwhile, keptAnswers }: Clearing): boolean {
  const { session } = context;
  const { tokens } = sessionWindow(session);
  const { context: fact, pins, bytes_per_token: ratio } = session.snapshot;
  const known = fact ?? NO_CONTEXT;
  const references = resultsToClear({
    messages: session.messages,
    start: session.start,
    cleared: known.cleared,
    pins,
    keptAnswers,
    wantedBytes: (usedTokens(context) - tokens * to) * ratio,
    worthwhileBytes: tokens * worthwhile * ratio,
  });
  if (references.length === 0) return false;
  session.update({ context: { ...known, cleared: [...known.cleared, ...references] } });
  session.save();
  return true;
}

/** Whether a request of a new session would be about as long as the next one. */
export function isMostlyFixed(context: RunContext): boolean {
  return usedTokens(context) < 2 * fixedTokens(context);
}

/** System text and tools, which are in every request. */
function fixedTokens({ services, session }: RunContext): number {
  const { system, tools } = sessionUse(services, session);
  return system + tools;
}

function usedTokens({ services, session }: RunContext): number {
  return totalTokens(sessionUse(services, session));
}

function tokensWith({ services, session }: RunContext, context: ContextFact): number {
  return totalTokens(sessionUse(services, session, context));
}
