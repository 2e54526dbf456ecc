import { expect, it } from 'vitest';
import type { AttemptOutcome } from '../../../src/providers/shared/attempt.ts';
import { serveModel } from '../../../src/providers/shared/serve-model.ts';
import { peerPair } from '../../ipc/peer-pair.ts';
import { request } from '../conformance.ts';

const SERVICES = {
  maxAttempts: 1,
  nowMs: () => 0,
  random: () => 0,
  nextId: () => 'id',
  sleep: () => Promise.resolve(),
};

it('serves one request at a time, and the next one after it', async () => {
  const { server, client } = await peerPair();
  const first = Promise.withResolvers<AttemptOutcome>();
  const begun = Promise.withResolvers<void>();
  let attempts = 0;
  const attempt = (): Promise<AttemptOutcome> => {
    attempts += 1;
    begun.resolve();
    return attempts === 1 ? first.promise : Promise.resolve({ kind: 'done', stop: 'end_turn' });
  };
  serveModel(server, { attempt }, (text) => text, SERVICES);

  const running = client.request('model.chat', request);
  await begun.promise;
  await expect(client.request('model.chat', request)).rejects.toMatchObject({
    outcome: { kind: 'refused', error: { code: 'busy', retryable: true } },
  });
  expect(attempts).toBe(1);
  first.resolve({ kind: 'done', stop: 'end_turn' });
  await running;
  await client.request('model.chat', request);
  expect(attempts).toBe(2);
});
