import OpenAI from 'openai';
import type { ModelRequest } from '../../contracts/model/model.ts';
import type { ProviderGrant } from '../../contracts/model/provider-config.ts';
import type { AttemptOutcome, Emit, ModelClient } from '../shared/attempt.ts';
import { toolNames } from '../shared/tool-names.ts';
import { chatBody } from './chat-body.ts';
import { classifyError } from './classify-error.ts';
import { readChat } from './read-chat.ts';
import { readResponses } from './read-responses.ts';
import { ReasoningMemory } from './reasoning-memory.ts';
import { responsesBody } from './responses-body.ts';

/**
 * OpenAI's Responses, or the Chat Completions of compatible servers, through the official library. Everything that this program decides itself, or
 * that would read the environment, is switched off in it: retries, logging, credentials and organisation.
 */
export function openAiClient(grant: ProviderGrant, fetch: typeof globalThis.fetch): ModelClient {
  const sdk = new OpenAI({
    // The library requires a key; for a server without keys the header is removed.
    apiKey: grant.api_key ?? 'none',
    ...(grant.api_key === null ? { defaultHeaders: { Authorization: null } } : {}),
    organization: null,
    project: null,
    baseURL: grant.base_url,
    fetch,
    maxRetries: 0,
    logLevel: 'off',
  });
  const memory = new ReasoningMemory();
  return {
    attempt: async (request, emit, signal) => {
      try {
        const options = { signal, timeout: request.deadline_ms };
        return await (grant.wire === 'responses'
          ? sendResponses({ sdk, memory }, request, emit, options)
          : sendChat(sdk, request, emit, options));
      } catch (error) {
        return classifyError(error, Date.now());
      }
    },
  };
}

interface CallOptions {
  readonly signal: AbortSignal;
  readonly timeout: number;
}

async function sendResponses(
  { sdk, memory }: { readonly sdk: OpenAI; readonly memory: ReasoningMemory },
  request: ModelRequest,
  emit: Emit,
  options: CallOptions,
): Promise<AttemptOutcome> {
  const names = toolNames(request.tools);
  memory.kept.follow(request.messages);
  const stream = await sdk.responses.create(responsesBody(request, names, memory), options);
  await emit({ type: 'answering' });
  return await memory.kept.keep(await readResponses(memory.watch(stream, request.model), names, emit), emit);
}

async function sendChat(sdk: OpenAI, request: ModelRequest, emit: Emit, options: CallOptions): Promise<AttemptOutcome> {
  const names = toolNames(request.tools);
  const stream = await sdk.chat.completions.create(chatBody(request, names), options);
  await emit({ type: 'answering' });
  return await readChat(stream, names, emit);
}
