import Anthropic from '@anthropic-ai/sdk';
import type { ProviderGrant } from '../../contracts/model/provider-config.ts';
import type { ModelClient } from '../shared/attempt.ts';
import { toolNames } from '../shared/tool-names.ts';
import { classifyError } from './classify-error.ts';
import { readStream } from './read-stream.ts';
import { requestBody } from './request-body.ts';
import { ThinkingMemory } from './thinking-memory.ts';

/**
 * Anthropic's Messages through the official library. Everything that this program decides itself, or that would read the environment, is switched off
 * in it: retries, logging, tracing, credentials.
 */
export function anthropicClient(grant: ProviderGrant, fetch: typeof globalThis.fetch): ModelClient {
  const sdk = new Anthropic({
    apiKey: grant.api_key,
    authToken: null,
    baseURL: grant.base_url,
    fetch,
    maxRetries: 0,
    logLevel: 'off',
    openTelemetry: false,
  });
  const memory = new ThinkingMemory();
  return {
    attempt: async (request, emit, signal) => {
      const names = toolNames(request.tools);
      memory.kept.follow(request.messages);
      try {
        const options = { signal, timeout: request.deadline_ms };
        const stream = await sdk.messages.create(requestBody(request, names, memory), options);
        await emit({ type: 'answering' });
        return await memory.kept.keep(await readStream(memory.watch(stream, request.model), names, emit), emit);
      } catch (error) {
        return classifyError(error, Date.now());
      }
    },
  };
}
