import type { ModelEvent } from '../../../src/contracts/model/model.ts';
import type { ProviderGrant } from '../../../src/contracts/model/provider-config.ts';
import type { ProviderSandbox } from '../../../src/contracts/ports/sandboxes.ts';
import type { ModelClient } from '../../../src/providers/shared/attempt.ts';
import { chatWithRetries } from '../../../src/providers/shared/chat-with-retries.ts';

/** A provider's real client in this process, in place of its sandbox. */
export function wireModel(
  makeClient: (grant: ProviderGrant, fetch: typeof globalThis.fetch) => ModelClient,
  grant: Pick<ProviderGrant, 'wire' | 'base_url'>,
  maxAttempts = 1,
): ProviderSandbox['chat'] {
  const client = makeClient({ ...grant, api_key: 'key', extra_ca: [] }, fetch);
  let ids = 0;
  const services = {
    maxAttempts,
    nowMs: () => performance.now(),
    random: () => 0.5,
    nextId: () => `made_${(ids += 1)}`,
    sleep: () => Promise.resolve(),
  };
  return (request, onEvent, signal) =>
    chatWithRetries({
      client,
      request,
      send: (event: ModelEvent) => Promise.resolve(onEvent(event)),
      signal,
      services,
    });
}
