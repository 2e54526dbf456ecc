import type { ModelChoice } from '../../../contracts/model/model-choice.ts';
import type { ModelRequest } from '../../../contracts/model/model.ts';
import type { ContextFact } from '../../../contracts/session/session-facts.ts';
import { withImages } from '../../context/images.ts';
import { contextUse } from '../../context/parts.ts';
import type { ContextUse } from '../../context/parts.ts';
import { sentMessages } from '../../context/sent-messages.ts';
import { thoughtsOf } from '../../context/thoughts-of.ts';
import { conversationBytes, bytesOf, toolsBytes } from '../../context/token-estimate.ts';
import { windowOf } from '../../context/window.ts';
import type { Window } from '../../context/window.ts';
import type { Services } from '../../services.ts';
import { modelInUse } from '../../session/model-in-use.ts';
import type { Session } from '../../session/session.ts';
import { refusedBy } from './refused-images.ts';
import { SYSTEM_PROMPT } from '../prompt/system-prompt.ts';

const REQUEST_DEADLINE_MS = 600_000;

/**
 * The next request of a session. System text and tools are the same in every request, and the conversation only grows
 * at its end unless it is shortened, because providers cache equal beginnings.
 */
export function buildRequest(
  { services, session }: { readonly services: Services; readonly session: Session },
  { model, replay, reasoning, effort, images }: ModelChoice,
  giveUp?: ModelRequest['give_up'],
): ModelRequest {
  const { snapshot } = session;
  const messages = sentMessages(session.messages, session.start, snapshot.context);
  // A replay file continues after the number of answers so far, also in a resumed session.
  const turn = replay?.[session.answers];
  const sight =
    images === true
      ? { read: (reference: string) => session.archive.output(reference), refused: refusedBy(session, model) }
      : null;
  return {
    model: wireName(model),
    system: SYSTEM_PROMPT,
    messages: [...withImages(thoughtsOf(model, messages), sight)],
    tools: [...services.tools().specs()],
    max_output_tokens: sessionWindow(session).output,
    deadline_ms: REQUEST_DEADLINE_MS,
    cache_key: session.id,
    ...(turn === undefined ? {} : { replay_turn: turn }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(effort === undefined ? {} : { effort }),
    ...(giveUp === undefined ? {} : { give_up: giveUp }),
  };
}

/** The part of `provider/model` that is sent to the provider. */
export function wireName(model: string): string {
  return model.slice(model.indexOf('/') + 1);
}

export function sessionWindow(session: Session): Window {
  return windowOf(modelInUse(session), session.snapshot.context?.window_tokens ?? null);
}

/** Estimated tokens of the next request, by part; `context` overrides what would be sent. */
export function sessionUse(
  services: Pick<Services, 'tools'>,
  session: Session,
  context: ContextFact | null = session.snapshot.context,
): ContextUse {
  const { bytes_per_token } = session.snapshot;
  const messages = sentMessages(session.messages, session.start, context);
  const hasHead = context?.head !== undefined && context.head !== null;
  return contextUse({ system: SYSTEM_PROMPT, tools: services.tools().specs(), messages, hasHead }, bytes_per_token);
}

export function requestBytes({ system, messages, tools }: ModelRequest): number {
  return bytesOf(system) + toolsBytes(tools) + conversationBytes(messages);
}
