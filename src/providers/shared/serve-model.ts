import { z } from 'zod';
import type { ModelEvent } from '../../contracts/model/model.ts';
import { modelRequestSchema } from '../../contracts/model/model.ts';
import type { RpcPeer } from '../../ipc/index.ts';
import { RpcFailure } from '../../ipc/index.ts';
import { messageOf } from '../../lib/text/message-of.ts';
import type { ModelClient } from './attempt.ts';
import { failed } from './attempt.ts';
import type { RetryServices } from './chat-with-retries.ts';
import { chatWithRetries } from './chat-with-retries.ts';

const CANCELLED = 'cancelled';

/**
 * Answers `model.chat` on a connection: events first, then the empty response. One request at a time, because events carry no request id; another is
 * refused as `busy`. A cancelled request (`model.cancel`, or its caller gave up) sends no further event and is answered with the error `cancelled`.
 * `redact` cleans every text that did not come from the model.
 */
export function serveModel(
  peer: RpcPeer,
  client: ModelClient,
  redact: (text: string) => string,
  services: RetryServices,
): void {
  let current: AbortController | null = null;
  peer.onEvent('model.cancel', z.unknown(), () => current?.abort());
  peer.onRequest('model.chat', modelRequestSchema, async (request, { signal }) => {
    if (current !== null) throw RpcFailure.refused('busy', 'a request is under way', true);
    const controller = new AbortController();
    current = controller;
    const either = AbortSignal.any([signal, controller.signal]);
    const send = async (event: ModelEvent): Promise<void> => {
      if (either.aborted) return;
      const flowing = peer.notify(
        'model.event',
        'message' in event ? { ...event, message: redact(event.message) } : event,
      );
      if (!flowing) await peer.drained();
    };
    try {
      await chatWithRetries({ client: guarded(client), request, send, signal: either, services });
    } catch (error) {
      if (either.aborted) throw RpcFailure.refused(CANCELLED, 'the request was cancelled');
      throw error;
    } finally {
      current = null;
    }
  });
}

/** An exception of a client fails this request and does not end the program; a retry would fail too. */
function guarded(client: ModelClient): ModelClient {
  return {
    attempt: async (request, emit, signal) => {
      try {
        return await client.attempt(request, emit, signal);
      } catch (error) {
        const detail = messageOf(error);
        return failed('protocol', `the answer could not be understood: ${detail}`);
      }
    },
  };
}
