import type { ModelChoice } from '../../../contracts/model/model-choice.ts';
import type { ModelEvent, ModelMessage, ModelRequest } from '../../../contracts/model/model.ts';
import { SUMMARY_PROMPT, boundSummary, plainSummary, summaryTask } from '../../context/summary.ts';
import { transcriptOf } from '../../context/transcript.ts';
import { isLeftAlone, LEFT_ALONE_MS, leaveAlone, modelInUse } from '../../session/model-in-use.ts';
import type { Session } from '../../session/session.ts';
import { smallModelOf } from '../../session/small-model.ts';
import { askProvider } from './ask-provider.ts';
import { countUsage } from './count-usage.ts';
import { givenUpEarly } from './fall-back.ts';
import { whyNotAsked } from './may-ask-model.ts';
import { Reply } from './reply.ts';
import { sessionWindow, wireName } from './request.ts';
import type { RunContext } from '../run-context.ts';

const DEADLINE_MS = 180_000;
/** A model that thinks first needs room for that, and of a small model it is unknown. */
const MAX_OUTPUT_TOKENS = { plain: 4_000, small: 8_000, thinking: 16_000 } as const;
/** Maximum share of the window for the transcript. Characters count like bytes, to be safe. */
const TRANSCRIPT_SHARE = 0.4;

/**
 * A summary of messages that are about to be removed from the conversation, by the small model, the session's own or one
 * of its fallbacks. If no model can write one (a recording, a failing provider, policy), the kernel writes a plain summary: continuing with
 * less information is better than stopping.
 */
export async function summarise(context: RunContext, messages: readonly ModelMessage[], keep: string): Promise<string> {
  const { session } = context;
  const { clock } = context.services;
  const before = session.snapshot.context?.summary ?? '';
  const { usable: small, unpriced } = smallModelOf(session.snapshot.options);
  if (modelInUse(session).replay !== undefined) return plainSummary(before, messages);
  if (unpriced !== null) reportUnpriced(session, unpriced.model);
  if (small !== null && !isLeftAlone(session, small.model, clock.nowMs())) {
    const writer = { ...small, give_up: givenUpEarly(small), most: MAX_OUTPUT_TOKENS.small };
    const written = await write(context, writer, messages, keep);
    if (written.kind === 'written') return boundSummary(written.text);
    if (written.kind === 'failed') {
      leaveAlone(session, small.model, clock.nowMs());
      reportFailed(session, small.model, written.why);
    }
  }
  for (const writer of ownWriters(session, clock.nowMs())) {
    const written = await write(context, writer, messages, keep);
    if (written.kind === 'written') return boundSummary(written.text);
  }
  return plainSummary(before, messages);
}

/** The model in use, and its fallbacks: while one of them can answer, none is waited for long. */
function ownWriters(session: Session, nowMs: number): readonly Writer[] {
  const inUse = modelInUse(session);
  const others = (session.snapshot.options.fallback_models ?? []).filter(
    ({ model }) => model !== inUse.model && !isLeftAlone(session, model, nowMs),
  );
  return [inUse, ...others].map((choice, index) => ({
    model: choice.model,
    price: choice.price,
    window_tokens: choice.window_tokens,
    most: choice.reasoning === true ? MAX_OUTPUT_TOKENS.thinking : MAX_OUTPUT_TOKENS.plain,
    give_up: index < others.length ? givenUpEarly(choice) : undefined,
  }));
}

function reportFailed(session: Session, model: string, why: string): void {
  session.emit({
    type: 'notice',
    level: 'warn',
    what: `${model} wrote no summary`,
    why,
    fix: `Nothing: the session's own model writes it, and those of the next ${LEFT_ALONE_MS / 60_000} minutes; or set another model as models.small`,
    code: 'small_model_failed',
  });
}

function reportUnpriced(session: Session, model: string): void {
  session.emit({
    type: 'notice',
    level: 'warn',
    what: `${model} is not used for summaries`,
    why: 'its price is not known, so a limit in money would not count it',
    fix: `Nothing: the session's own model writes it; or set models.${model}.price in your config.yaml`,
    code: 'small_model_unpriced',
  });
}

type Writer = Pick<ModelChoice, 'model' | 'price' | 'window_tokens'> &
  Pick<ModelRequest, 'give_up'> & {
    /** Tokens of its answer. */
    readonly most: number;
  };

type Written =
  | { readonly kind: 'written'; readonly text: string }
  | { readonly kind: 'denied' }
  | { readonly kind: 'failed'; readonly why: string };

/** Throws only if the run is interrupted. */
async function write(
  context: RunContext,
  { give_up, most, window_tokens: ownWindow = Infinity, ...writer }: Writer,
  messages: readonly ModelMessage[],
  keep: string,
): Promise<Written> {
  const { services, session, signal } = context;
  if ((await whyNotAsked(services, session, writer.model)) !== null) return { kind: 'denied' };
  const { tokens: sessionTokens, output } = sessionWindow(session);
  const tokens = Math.min(sessionTokens, ownWindow);
  const { context: fact, bytes_per_token } = session.snapshot;
  const room = Math.floor(tokens * TRANSCRIPT_SHARE * Math.min(bytes_per_token, 4));
  const text = summaryTask(fact?.summary ?? '', transcriptOf(messages, session.start, room), keep);
  const reply = new Reply();
  const take = (event: ModelEvent): void => {
    reply.take(event);
    if (event.type === 'usage') {
      countUsage(session, { ...writer, price: writer.price, purpose: 'summary' }, event.usage);
    }
  };
  try {
    const request = {
      model: wireName(writer.model),
      system: SUMMARY_PROMPT,
      messages: [{ role: 'user' as const, text }],
      tools: [],
      max_output_tokens: Math.min(most, output, Math.floor(tokens / 4)),
      deadline_ms: DEADLINE_MS,
      ...(give_up === undefined ? {} : { give_up }),
    };
    await askProvider(context, context.providers, { model: writer.model, request, take, signal });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Error)) throw error;
    return { kind: 'failed', why: error.message };
  }
  signal.throwIfAborted();
  if (reply.failure !== null) return { kind: 'failed', why: `${reply.failure.code}: ${reply.failure.message}` };
  // The beginning of a summary says more than a plain one.
  if (reply.stop === 'refusal' || reply.stop === null || reply.text.trim() === '')
    return { kind: 'failed', why: 'it gave no complete answer' };
  return { kind: 'written', text: reply.text };
}
