import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createContainerCalls } from '../../../src/host/runtime-guard/container-calls.ts';
import type { CreateContainerOptions } from '../../../src/host/runtime-guard/create-container.ts';
import type { EngineAnswer } from '../../../src/host/runtime-guard/engine-client.ts';

const ID = 'c'.repeat(64);
const OURS = {
  'fluffy.project': '0123456789abcdef',
  'fluffy.instance': 'aabbccdd',
  'fluffy.role': 'sandbox',
};
const FOREIGN = { ...OURS, 'fluffy.project': 'fedcba9876543210' };

interface Answers {
  readonly inspect?: EngineAnswer;
  readonly act?: EngineAnswer;
  readonly logsStatus?: number;
}

/** An engine that has one container with these labels, which this guard did not make. */
function scene(labels: Readonly<Record<string, string>>, answers: Answers = {}) {
  const changes: string[] = [];
  const engine = {
    call: (method: string, path: string) => {
      if (method === 'GET')
        return Promise.resolve(answers.inspect ?? { status: 200, body: { Id: ID, Config: { Labels: labels } } });
      changes.push(`${method} ${path}`);
      return Promise.resolve(answers.act ?? { status: 204, body: null });
    },
    stream: () => {
      const body = Object.assign(Readable.from([Buffer.from('line')]), { headers: {} });
      return Promise.resolve(Object.assign(body, { statusCode: answers.logsStatus ?? 200 }));
    },
  };
  const context = { projectId: '0123456789abcdef', instance: 'aabbccdd' };
  const calls = createContainerCalls({ engine, context } as unknown as CreateContainerOptions);
  const { signal } = new AbortController();
  const act = (action: 'start' | 'stop' | 'kill' | 'wait', query: Readonly<Record<string, string>> = {}) =>
    calls.act(ID, action, query, signal);
  return { changes, calls, act, logs: () => calls.logs(ID, { stdout: '1' }, signal) };
}

test('a container of an earlier guard is not started: nothing holds the directories that it mounts', async () => {
  const { act, changes } = scene(OURS);
  expect(await act('start')).toEqual({ kind: 'refused', reason: 'not a container made by this guard' });
  expect(changes).toEqual([]);
});

test('a container of an earlier guard can be ended', async () => {
  const { act, changes } = scene(OURS);
  expect(await act('kill')).toEqual({ kind: 'empty', status: 204 });
  expect(changes).toEqual([`POST /containers/${ID}/kill`]);
});

describe.each([
  ['of another project', FOREIGN, {}, { kind: 'refused', reason: 'not a container of this project' }],
  [
    'that is the kernel itself',
    { ...OURS, 'fluffy.role': 'kernel' },
    {},
    { kind: 'refused', reason: 'not a container of this project' },
  ],
  [
    'that the engine does not have',
    OURS,
    { inspect: { status: 404, body: {} } },
    { kind: 'json', status: 404, body: { message: 'no such container' } },
  ],
] as const)('a container %s', (_what, labels, answers, expected) => {
  test.each(['kill', 'inspect', 'logs', 'remove'] as const)('is out of reach of %s', async (call) => {
    const { act, calls, logs, changes } = scene(labels, answers);
    const reply = {
      kill: () => act('kill'),
      inspect: () => calls.inspect(ID),
      logs,
      remove: () => calls.remove(ID, {}),
    };
    expect(await reply[call]()).toEqual(expected);
    expect(changes).toEqual([]);
  });
});

describe('the answer of the engine', () => {
  test.each<readonly [EngineAnswer, object]>([
    [
      { status: 200, body: { StatusCode: 3, Path: '/host' } },
      { kind: 'json', status: 200, body: { StatusCode: 3 } },
    ],
    [
      { status: 200, body: 'text' },
      { kind: 'json', status: 200, body: { StatusCode: null } },
    ],
    [
      { status: 304, body: null },
      { kind: 'empty', status: 304 },
    ],
    [
      { status: 500, body: { message: 'no' } },
      { kind: 'engine-error', status: 500 },
    ],
  ])('%j to a wait is passed on without what is not ours to show', async (answer, expected) => {
    const { act, changes } = scene(OURS, { act: answer });
    expect(await act('wait', { condition: 'next-exit' })).toMatchObject(expected);
    expect(changes).toEqual([`POST /containers/${ID}/wait?condition=next-exit`]);
  });

  test('with the output of a container is a stream with an end', async () => {
    const reply = await scene(OURS).logs();
    expect(reply).toMatchObject({
      kind: 'stream',
      contentType: 'application/octet-stream',
      maxBytes: 32 * 1024 * 1024,
    });
  });

  test('that there is no output is said', async () => {
    const reply = await scene(OURS, { logsStatus: 409 }).logs();
    expect(reply).toEqual({ kind: 'json', status: 409, body: { message: 'the engine has no logs of it' } });
  });

  test.each([
    [{ force: 'true' }, '?v=1&force=1'],
    [{ force: '1' }, '?v=1&force=1'],
    [{ force: '0' }, '?v=1'],
  ])('a removal with %j asks for %s', async (query, asked) => {
    const { calls, changes } = scene(OURS);
    expect(await calls.remove(ID, query)).toEqual({ kind: 'empty', status: 204 });
    expect(changes).toEqual([`DELETE /containers/${ID}${asked}`]);
  });
});
