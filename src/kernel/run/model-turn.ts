import { CORE_TAGS } from '../../contracts/policy.ts';
import type { PolicyRequest } from '../../contracts/policy.ts';
import { assertNever } from '../../lib/assert-never.ts';
import type { ModelCall, ModelEvent, ModelRequest, Usage } from '../../contracts/model.ts';
import { costOf } from './limits.ts';
import type { Session } from '../session/session.ts';
import { SYSTEM_PROMPT } from './prompt/system-prompt.ts';
import { heldTo, requestMetadata } from '../policy/index.ts';
import { askPolicy } from '../access/ask-policy.ts';
import { record } from '../record/audit-trail.ts';
import type { Services } from '../services.ts';
import { Reply } from './reply.ts';
import type { ReplyFailure } from './reply.ts';
import type { RunContext } from './run-context.ts';
import { sendNotes } from './send-notes.ts';

export type ModelTurn =
  | {
      readonly kind: 'reply';
      readonly text: string;
      readonly calls: readonly ModelCall[];
      readonly stop: 'end' | 'cut-off' | 'refusal';
      /** The provider counted output tokens. */
      readonly hasOutput: boolean;
    }
  | ({ readonly kind: 'failed' } & ReplyFailure)
  | { readonly kind: 'denied'; readonly reason: string };

const REQUEST_DEADLINE_MS = 600_000;
/** More than any one message needs; a model with a small limit gets that. */
const MAX_OUTPUT_TOKENS = 16_000;

/** One request to the model: streams text out, gathers calls, counts usage. What the model does not know yet is added to the end of the conversation. */
export async function modelTurn(context: RunContext): Promise<ModelTurn> {
  const { services, session, provider, signal } = context;
  const denied = await deniedByPolicy(services, session);
  if (denied !== null) return { kind: 'denied', reason: denied };
  sendNotes(context);
  const reply = new Reply();
  const tooLarge = new AbortController();
  const outputBefore = session.snapshot.usage.output_tokens;
  const take = (event: ModelEvent): void => {
    if (reply.take(event)) report(session, event);
    else tooLarge.abort(new Error('the answer is too large'));
  };
  try {
    await provider.chat(buildRequest(context), take, AbortSignal.any([signal, tooLarge.signal]));
  } catch (error) {
    if (signal.aborted || !tooLarge.signal.aborted) throw error;
  }
  if (reply.failure !== null) return { kind: 'failed', ...reply.failure };
  if (reply.stop === null)
    return { kind: 'failed', code: 'protocol', message: 'The provider ended without an answer.' };
  if (reply.text !== '') session.emit({ type: 'text.done', text: reply.text });
  const hasOutput = session.snapshot.usage.output_tokens > outputBefore;
  return { kind: 'reply', text: reply.text, calls: reply.calls(), stop: reply.stop, hasOutput };
}

/** System text and tools are the same in every request of a session, and the conversation only grows at its end: vendors cache what begins alike. */
function buildRequest({ services, session }: RunContext): ModelRequest {
  const { snapshot } = session;
  // A replay file goes on from the number of answers so far, also in a resumed session.
  const turn = snapshot.options.replay?.[session.messages.filter((message) => message.role === 'assistant').length];
  return {
    model: snapshot.options.model.slice(snapshot.options.model.indexOf('/') + 1),
    system: SYSTEM_PROMPT,
    messages: [...session.messages],
    tools: [...services.tools().specs()],
    max_output_tokens: Math.min(MAX_OUTPUT_TOKENS, snapshot.options.max_output_tokens ?? MAX_OUTPUT_TOKENS),
    deadline_ms: REQUEST_DEADLINE_MS,
    cache_key: session.id,
    ...(turn === undefined ? {} : { replay_turn: turn }),
  };
}

/** What people see of an answer while it comes in. */
function report(session: Session, event: ModelEvent): void {
  switch (event.type) {
    case 'text_delta':
      session.stream({ type: 'text.delta', text: event.text });
      return;
    case 'usage':
      count(session, event.usage);
      return;
    case 'restart':
      session.emit({
        type: 'notice',
        level: 'warn',
        what: 'The model provider was asked again',
        why: `${event.code}: ${event.message}`,
        fix: `Nothing to do: attempt ${event.attempt} follows after ${event.after_ms} ms`,
        code: 'provider_retry',
      });
      return;
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

function count(session: Session, usage: Usage): void {
  const { snapshot } = session;
  const cost = costOf(usage, snapshot.options.price);
  session.update({
    usage: {
      input_tokens: snapshot.usage.input_tokens + usage.input_tokens,
      output_tokens: snapshot.usage.output_tokens + usage.output_tokens,
      cache_read_tokens: snapshot.usage.cache_read_tokens + usage.cache_read_tokens,
      cache_write_tokens: (snapshot.usage.cache_write_tokens ?? 0) + (usage.cache_write_tokens ?? 0),
    },
    cost_usd: snapshot.cost_usd + cost,
  });
  session.emit({ type: 'usage', ...usage, ...(snapshot.options.price === undefined ? {} : { cost_usd: cost }) });
}

/**
 * The request leaves the machine, so policy is asked about the host it goes to. The host's side chose it, from the user's own configuration or the
 * built-in list, never from the project's: the tag says so.
 */
async function deniedByPolicy(services: Services, session: Session): Promise<string | null> {
  const name = session.snapshot.options.model.split('/')[0] ?? '';
  const [host] = services.options.provider_hosts[name] ?? [];
  const request: PolicyRequest = {
    syscall: 'ai.generate',
    state: session.state,
    mode: session.mode,
    tags: host === undefined ? CORE_TAGS : [...CORE_TAGS, 'user_endpoint'],
    plugin: `provider:${name}`,
    template: 'ai-provider',
    ...(host === undefined ? {} : { host }),
  };
  const facts = { template: 'ai-provider', hasToken: false, sizeBytes: 0 } as const;
  const decision = heldTo(await askPolicy(services, request), facts);
  const denied = decision.decision === 'allow' ? null : decision.reasons.join('; ');
  record(services, session, 'syscall', {
    syscall_type: 'ai.generate',
    policy_decision: denied === null ? 'allowed' : 'denied',
    input_summary: `${session.snapshot.options.model}${host === undefined ? '' : ` at ${host}`}`,
    ...(denied === null ? {} : { deny_reason: denied }),
    metadata: requestMetadata([request], facts),
  });
  return denied;
}
