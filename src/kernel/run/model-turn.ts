import { CORE_TAGS } from '../../contracts/policy.ts';
import type { PolicyRequest } from '../../contracts/policy.ts';
import type { ModelCall, ModelEvent, ModelFailure, ModelRequest } from '../../contracts/model.ts';
import { toolSpecs } from '../../contracts/tools.ts';
import { costOf } from './limits.ts';
import type { Session } from '../session/session.ts';
import { systemPrompt } from './system-prompt.ts';
import { describeCommand } from '../runners/describe-command.ts';
import { availableTools } from '../tools/availability.ts';
import type { ProviderSandbox } from '../../contracts/ports/sandboxes.ts';
import { heldTo, requestMetadata } from '../policy/index.ts';
import { askPolicy } from '../access/ask-policy.ts';
import { record } from '../record/audit-trail.ts';
import type { Services } from '../services.ts';

export type ModelTurn =
  | { readonly kind: 'reply'; readonly text: string; readonly calls: readonly ModelCall[]; readonly cutShort: boolean }
  | { readonly kind: 'failed'; readonly code: ModelFailure; readonly message: string }
  | { readonly kind: 'denied'; readonly reason: string };

const REQUEST_DEADLINE_MS = 600_000;
const MAX_OUTPUT_TOKENS = 16_000;

/** One request to the model: streams text out, gathers calls, counts usage. The history is sent as it is; the rules of the phase are stated afresh. */
export async function modelTurn(
  services: Services,
  session: Session,
  provider: ProviderSandbox,
  projectNotes: string,
  signal: AbortSignal,
): Promise<ModelTurn> {
  const denied = await deniedByPolicy(services, session);
  if (denied !== null) return { kind: 'denied', reason: denied };
  const request = buildRequest(session, projectNotes);
  const reply = new Reply();
  await provider.chat(request, (event) => take(session, reply, event), signal);
  if (reply.failure !== null) return { kind: 'failed', ...reply.failure };
  if (!reply.ended) return { kind: 'failed', code: 'protocol', message: 'The provider ended without an answer.' };
  if (reply.text !== '') session.emit({ type: 'text.done', text: reply.text });
  return { kind: 'reply', text: reply.text, calls: reply.calls(), cutShort: reply.stop === 'max_tokens' };
}

function buildRequest(session: Session, projectNotes: string): ModelRequest {
  const { snapshot } = session;
  const command = snapshot.options.test_command;
  // A replay file is played on where the conversation stands, so a resumed session goes on in it.
  const turn = snapshot.options.replay?.[session.messages.filter((message) => message.role === 'assistant').length];
  return {
    model: snapshot.options.model.slice(snapshot.options.model.indexOf('/') + 1),
    system: systemPrompt({
      mode: session.mode,
      state: session.state,
      exempt: snapshot.exemption !== null,
      availableTools: availableTools(session.state),
      testRunner: command === null ? null : describeCommand(command),
      plan: snapshot.plan?.summary ?? null,
      red: (snapshot.red?.cases ?? []).map((id) => id.replace('\0', ' › ')),
      projectNotes,
    }),
    messages: [...session.messages],
    tools: toolSpecs(),
    max_output_tokens: MAX_OUTPUT_TOKENS,
    deadline_ms: REQUEST_DEADLINE_MS,
    ...(turn === undefined ? {} : { replay_turn: turn }),
  };
}

/** The answer as it comes in. A restart forgets all of it: the same request is being sent again. */
class Reply {
  text = '';
  ended = false;
  stop = '';
  failure: { readonly code: ModelFailure; readonly message: string } | null = null;
  readonly #calls = new Map<number, { call_id: string; tool: string; arguments: string }>();

  start(index: number, callId: string, tool: string): void {
    this.#calls.set(index, { call_id: callId, tool, arguments: '' });
  }
  append(index: number, text: string): void {
    const call = this.#calls.get(index);
    if (call !== undefined) call.arguments += text;
  }
  forget(): void {
    this.text = '';
    this.#calls.clear();
  }
  calls(): ModelCall[] {
    return [...this.#calls.entries()].sort(([a], [b]) => a - b).map(([, call]) => call);
  }
}

function take(session: Session, reply: Reply, event: ModelEvent): void {
  switch (event.type) {
    case 'text_delta':
      reply.text += event.text;
      session.stream({ type: 'text.delta', text: event.text });
      return;
    case 'call_start':
      reply.start(event.index, event.call_id, event.tool);
      return;
    case 'call_delta':
      reply.append(event.index, event.arguments_delta);
      return;
    case 'call_end':
      return;
    case 'usage':
      count(session, event.usage);
      return;
    case 'restart':
      reply.forget();
      session.emit({
        type: 'notice',
        level: 'warn',
        what: 'The model provider was asked again',
        why: `${event.code}: ${event.message}`,
        fix: `Nothing to do: attempt ${event.attempt} follows after ${event.after_ms} ms`,
        code: 'provider_retry',
      });
      return;
    case 'done':
      reply.ended = true;
      reply.stop = event.stop;
      return;
    case 'failed':
      reply.failure = { code: event.code, message: event.message };
      return;
  }
}

function count(
  session: Session,
  usage: { input_tokens: number; output_tokens: number; cache_read_tokens: number },
): void {
  const { snapshot } = session;
  const cost = costOf(usage, snapshot.options.price);
  session.update({
    usage: {
      input_tokens: snapshot.usage.input_tokens + usage.input_tokens,
      output_tokens: snapshot.usage.output_tokens + usage.output_tokens,
      cache_read_tokens: snapshot.usage.cache_read_tokens + usage.cache_read_tokens,
    },
    cost_usd: snapshot.cost_usd + cost,
  });
  session.emit({ type: 'usage', ...usage, ...(snapshot.options.price === undefined ? {} : { cost_usd: cost }) });
}

/**
 * The request leaves the box, so policy is asked about the host it goes to. Which host that is was decided on the host's side, from the user's own configuration or
 * the built-in list, never from the project's: the tag says so.
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
