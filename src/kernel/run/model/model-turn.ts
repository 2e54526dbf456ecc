import type { ModelChoice } from '../../../contracts/model/model-choice.ts';
import type { ModelCall, ModelEvent, ModelRequest, Usage } from '../../../contracts/model/model.ts';
import { assertNever } from '../../../lib/assert-never.ts';
import { correctedRatio } from '../../context/token-estimate.ts';
import { modelInUse } from '../../session/model-in-use.ts';
import type { Session } from '../../session/session.ts';
import { askProvider } from './ask-provider.ts';
import { countAnswer } from './count-usage.ts';
import { fitConversation } from '../fit-conversation.ts';
import { whyNotAsked } from './may-ask-model.ts';
import { Reply } from './reply.ts';
import type { ReplyFailure } from './reply.ts';
import { buildRequest, requestBytes, sessionWindow } from './request.ts';
import type { RunContext } from '../run-context.ts';
import { sendNotes } from '../send-notes.ts';

export type ModelTurn =
  | {
      readonly kind: 'reply';
      /** `provider/model` that answered. */
      readonly model: string;
      readonly text: string;
      readonly calls: readonly ModelCall[];
      /** Opaque data that the model wants back with its answer; null if there is none. */
      readonly thoughts: string | null;
      readonly stop: 'end' | 'cut-off' | 'refusal';
      /** The provider counted output tokens. */
      readonly hasOutput: boolean;
    }
  | ({ readonly kind: 'failed' } & ReplyFailure)
  | { readonly kind: 'denied'; readonly reason: string };

/**
 * Sends one request to the model: streams text, collects calls, counts usage. What the model does not know yet is
 * appended to the conversation before.
 */
export async function modelTurn(
  context: RunContext,
  giveUp: (choice: ModelChoice) => ModelRequest['give_up'],
): Promise<ModelTurn> {
  const { services, session, providers, signal } = context;
  // The user may choose another model at any moment; policy decides about the one that is asked now.
  const choice = modelInUse(session);
  const denied = await whyNotAsked(services, session, choice.model);
  if (denied !== null) return { kind: 'denied', reason: denied };
  await fitConversation(context);
  await sendNotes(context);
  const request = buildRequest(context, choice, giveUp(choice));
  const sentBytes = requestBytes(request);
  const reply = new Reply();
  const tooLarge = new AbortController();
  const outputBefore = session.snapshot.usage.output_tokens;
  let thinkingSinceMs: number | null = null;
  const take = (event: ModelEvent): void => {
    if (event.type === 'thought_delta') thinkingSinceMs ??= services.clock.nowMs();
    else if (thinkingSinceMs !== null) {
      reportThought(session, reply.takeThought(), services.clock.nowMs() - thinkingSinceMs);
      thinkingSinceMs = null;
    }
    if (reply.take(event)) report(session, choice, event, sentBytes);
    else tooLarge.abort(new Error('the answer is too large'));
  };
  try {
    const asked = { model: choice.model, request, take, signal: AbortSignal.any([signal, tooLarge.signal]) };
    await askProvider(context, providers, asked);
  } catch (error) {
    if (signal.aborted || !tooLarge.signal.aborted) throw error;
  }
  if (reply.failure !== null) return { kind: 'failed', ...reply.failure };
  if (reply.stop === null)
    return { kind: 'failed', code: 'protocol', message: 'The provider ended without an answer.' };
  const hasOutput = session.snapshot.usage.output_tokens > outputBefore;
  const { text, thoughts, stop } = reply;
  return { kind: 'reply', model: choice.model, text, calls: reply.calls(), thoughts, stop, hasOutput };
}

/** Emitted as soon as the model continues with something else. */
function reportThought(session: Session, text: string, durationMs: number): void {
  if (text !== '') session.emit({ type: 'thinking.done', text, duration_ms: durationMs });
}

/** Shows an answer to people while it arrives. */
function report(session: Session, choice: ModelChoice, event: ModelEvent, sentBytes: number): void {
  switch (event.type) {
    case 'text_delta':
      session.stream({ type: 'text.delta', text: event.text });
      return;
    case 'usage':
      count(session, choice, event.usage, sentBytes);
      return;
    case 'restart':
      session.emit({
        type: 'notice',
        level: 'warn',
        what: 'The model provider was asked again',
        why: `${event.code}: ${event.message}`,
        fix: `Attempt ${event.attempt} follows after ${(event.after_ms / 1000).toFixed(1)} s`,
        code: 'provider_retry',
      });
      return;
    case 'thought_delta':
    case 'thoughts':
    case 'call_start':
    case 'call_delta':
    case 'call_end':
    case 'done':
    case 'failed':
      return;
    default:
      assertNever(event);
  }
}

/** Counts the use that the provider reports. The same numbers correct the size estimate of the next request. */
function count(session: Session, { model, price }: ModelChoice, usage: Usage, sentBytes: number): void {
  const input = usage.input_tokens + usage.cache_read_tokens;
  session.update({ bytes_per_token: correctedRatio(session.snapshot.bytes_per_token, sentBytes, input) });
  countAnswer(session, { model, price }, usage, {
    used_tokens: input + usage.output_tokens,
    window_tokens: sessionWindow(session).tokens,
  });
}
