import { GoogleGenAI } from '@google/genai/web';
import type { ProviderGrant } from '../../contracts/model/provider-config.ts';
import type { ModelClient } from '../shared/attempt.ts';
import { toolNames } from '../shared/tool-names.ts';
import { classifyError } from './classify-error.ts';
import { readStream } from './read-stream.ts';
import { requestBody } from './request-body.ts';
import { SignatureMemory } from './signature-memory.ts';

/**
 * Google's Gemini API through the official library, with everything set that it would otherwise read from the environment: the service, its version
 * and address. It does not retry.
 */
export function googleClient(grant: ProviderGrant, fetch: typeof globalThis.fetch): ModelClient {
  const memory = new SignatureMemory();
  return {
    attempt: async (request, emit, signal) => {
      const names = toolNames(request.tools);
      memory.kept.follow(request.messages);
      // The library's errors have no headers.
      let headers: Headers | null = null;
      const sdk = new GoogleGenAI({
        apiKey: grant.api_key ?? 'none',
        vertexai: false,
        apiVersion: 'v1beta',
        httpOptions: {
          baseUrl: grant.base_url,
          timeout: request.deadline_ms,
          fetch: async (...input: Parameters<typeof globalThis.fetch>) => {
            const response = await fetch(...input);
            ({ headers } = response);
            return response;
          },
        },
      });
      try {
        const body = requestBody(request, names, memory);
        const config = { ...body.config, abortSignal: signal };
        const stream = await sdk.models.generateContentStream({ ...body, config });
        await emit({ type: 'answering' });
        const outcome = await readStream(stream, { model: request.model, names, memory, emit });
        return await memory.kept.keep(outcome, emit);
      } catch (error) {
        return classifyError(error, headers, Date.now());
      }
    },
  };
}
