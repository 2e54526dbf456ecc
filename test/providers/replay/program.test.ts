import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundleProvider, startProviderChild } from '../../support/provider-child.ts';
import { collectAnswer } from '../../support/collect-answer.ts';
import { request } from '../conformance.ts';

test('the bundled replay program plays a turn without any socket', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'fluffy-bundle-'));
  const child = await startProviderChild({ bundle: await bundleProvider('replay', directory), endpoint: null });
  const turn = { text: 'Erst die Prüfung. 👩‍👩‍👧', calls: [{ tool: 'fs.read', input: { path: 'a' } }] };
  const answer = collectAnswer(await child.chat({ ...request, replay_turn: turn }));
  expect(answer).toMatchObject({
    text: turn.text,
    calls: [{ tool: 'fs.read', arguments: '{"path":"a"}', ended: true }],
    ends: [{ type: 'done', stop: 'tool_calls' }],
  });
  expect(await child.close()).toBe(0);
  await rm(directory, { recursive: true });
});
