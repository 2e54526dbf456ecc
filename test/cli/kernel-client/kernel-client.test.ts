import { afterEach, describe, expect, it } from 'vitest';
import { KernelClient } from '../../../src/cli/kernel-client/kernel-client.ts';
import type { FluffyEvent } from '../../../src/contracts/session/events.ts';
import { FluffyError } from '../../../src/contracts/fluffy-error.ts';
import type { RequestMethod, RequestParams, SessionOptions } from '../../../src/contracts/session/session-protocol.ts';
import { FakeKernel, STARTED, emit, refusal } from './fake-kernel.ts';
import type { Script } from './fake-kernel.ts';

const ID = 's_aaaaaaaa';
const OPTIONS: SessionOptions = {
  mode: 'strict',
  model: 'replay/x',
  approve: 'auto',
  limits: {},
  cwd: '',
  test_command: null,
  author: { name: 'A', email: 'a@example.invalid' },
  interactive: false,
};

let cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of cleanUp) await step();
  cleanUp = [];
});

async function scene(script: Script, givenUp: Promise<FluffyError> = new Promise(() => undefined)) {
  const kernel = await FakeKernel.start(script);
  const events: FluffyEvent[] = [];
  const told: string[] = [];
  const client = await KernelClient.connect({
    socket: kernel.socket,
    onEvent: (event) => events.push(event),
    onReconnect: () => told.push('away'),
    onBack: () => told.push('back'),
    givenUp,
  });
  cleanUp.push(
    () => Promise.resolve(client.close()),
    () => kernel.remove(),
  );
  return { kernel, client, events, told };
}

describe('a client that comes while the kernel is started again', () => {
  const options = { onEvent: () => undefined, onReconnect: () => undefined };

  it('waits for it', async () => {
    const kernel = await FakeKernel.start(mortal('session.message', 0));
    cleanUp.push(() => kernel.remove());
    await kernel.die();
    const told: string[] = [];
    const connecting = KernelClient.connect({
      ...options,
      socket: kernel.socket,
      onReconnect: () => {
        told.push('away');
        void kernel.live();
      },
      onBack: () => told.push('back'),
      givenUp: new Promise(() => undefined),
    });
    const client = await connecting;
    // Before its kernel goes: it would wait for another one.
    cleanUp.unshift(() => Promise.resolve(client.close()));
    expect(await client.request('review.get', { session_id: ID })).toEqual({ review: null });
    expect(told).toEqual(['away', 'back']);
  });

  it('fails with the reason when it is given up', async () => {
    const kernel = await FakeKernel.start(mortal('session.message', 0));
    cleanUp.push(() => kernel.remove());
    await kernel.die();
    const why = new FluffyError({ code: 'kernel_not_started', what: 'W', why: 'Y', fix: 'F', exitCode: 7 });
    const { socket } = kernel;
    await expect(KernelClient.connect({ ...options, socket, givenUp: Promise.resolve(why) })).rejects.toBe(why);
  });
});

const message = (text: string) => ({ session_id: ID, text });

const ANSWERS: Partial<Record<RequestMethod, unknown>> = {
  'session.start': { session_id: ID },
  'session.resume': { session_id: ID },
  'review.get': { review: null },
};

/** Answers as a kernel does that has one session; dies at the first `dying` requests of a method. */
function mortal(method: RequestMethod, dying: number, before?: Script): Script {
  let deaths = 0;
  return async (asked, kernel) => {
    if (asked.method === method && deaths < dying) {
      deaths += 1;
      await before?.(asked, kernel);
      return kernel.dieAndComeBack();
    }
    if (asked.method === 'session.start') emit(asked.peer, { seq: 1, ...STARTED });
    return ANSWERS[asked.method] ?? {};
  };
}

it('passes on why a request could not be sent, as it is', async () => {
  const { client } = await scene(() => ({}));
  const text = 'x'.repeat(64 * 1024 * 1024);
  await expect(client.request('session.message', { session_id: ID, text })).rejects.toMatchObject({
    code: 'ipc_unsendable',
    exitCode: 1,
  });
});

describe('a message whose answer is lost with the kernel', () => {
  it('is sent again under the same id, behind the session', async () => {
    const { kernel, client, told } = await scene(mortal('session.message', 1));
    await client.start(OPTIONS);
    await client.request('session.message', message('do it'));
    expect(kernel.methods()).toEqual(['session.start', 'session.message', 'session.resume', 'session.message']);
    const [first, again] = kernel.asked.filter(({ method }) => method === 'session.message');
    expect(first?.params['message_id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(again?.params).toEqual(first?.params);
    expect(told).toEqual(['away', 'back']);
  });

  it('is another one each time it is said', async () => {
    const { kernel, client } = await scene(mortal('session.message', 0));
    await client.request('session.message', message('again'));
    await client.request('session.message', message('again'));
    const ids = kernel.asked.map(({ params }) => params['message_id']);
    expect(new Set(ids).size).toBe(2);
  });

  it('is given up when no kernel survives it', async () => {
    const { kernel, client } = await scene(mortal('session.message', 99));
    await expect(client.request('session.message', message('poison'))).rejects.toMatchObject({
      code: 'kernel_lost',
      exitCode: 7,
    });
    expect(kernel.methods()).toEqual(['session.message', 'session.message', 'session.message']);
  });
});

describe('what is asked while the kernel is away', () => {
  it('waits until the session has been taken up', async () => {
    const { kernel, client } = await scene(mortal('session.message', 0));
    await client.start(OPTIONS);
    await kernel.die();
    const asking = client.request('review.get', { session_id: ID });
    await kernel.live();
    expect(await asking).toEqual({ review: null });
    expect(kernel.methods()).toEqual(['session.start', 'session.resume', 'review.get']);
  });

  it('fails with the reason when there is no hope', async () => {
    const hopeless = Promise.withResolvers<FluffyError>();
    const { kernel, client } = await scene(mortal('session.message', 0), hopeless.promise);
    await kernel.die();
    const asking = client.request('review.get', { session_id: ID });
    const why = new FluffyError({ code: 'kernel_not_started', what: 'W', why: 'Y', fix: 'F', exitCode: 7 });
    hopeless.resolve(why);
    await expect(asking).rejects.toBe(why);
    expect(await client.lost).toBe(why);
  });

  it('is not asked again when it must not be done twice', async () => {
    const { kernel, client } = await scene(mortal('review.decide', 1));
    const params: RequestParams<'review.decide'> = {
      session_id: ID,
      review_id: 'r_1',
      decision: { kind: 'reject', reason: 'no' },
    };
    await expect(client.request('review.decide', params)).rejects.toMatchObject({ code: 'kernel_lost' });
    expect(kernel.methods()).toEqual(['review.decide']);
  });
});

describe('a session', () => {
  it('goes on behind the last event that was seen, without a gap and without one twice', async () => {
    const { kernel, client, events } = await scene(async (asked, fake) => {
      if (asked.method === 'session.start') {
        for (const seq of [1, 2, 3])
          emit(asked.peer, seq === 1 ? { seq, ...STARTED } : { seq, type: 'text.done', text: '' });
        return { session_id: ID };
      }
      if (asked.method === 'session.resume') {
        for (const seq of [3, 4, 5]) emit(asked.peer, { seq, type: 'text.done', text: '' });
        return { session_id: ID };
      }
      return fake.dieAndComeBack();
    });
    await client.start(OPTIONS);
    await expect(
      client.request('review.decide', { session_id: ID, review_id: 'r', decision: { kind: 'reject', reason: '' } }),
    ).rejects.toThrow();
    await expect.poll(() => events.length).toBe(5);
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    expect(kernel.asked.find(({ method }) => method === 'session.resume')?.params).toEqual({
      session_id: ID,
      fork: false,
      after_seq: 3,
      keep_model: true,
      options: OPTIONS,
    });
  });

  it.each<[string, Script | undefined, RequestMethod[]]>([
    [
      'taken up when its first event was seen',
      ({ peer }) => emit(peer, { seq: 1, ...STARTED }),
      ['session.start', 'session.resume'],
    ],
    ['started again when nothing of it was seen', undefined, ['session.start', 'session.start']],
  ])('whose start is not answered is %s', async (_name, before, methods) => {
    const { kernel, client, events } = await scene(
      mortal('session.start', 1, async (asked, fake) => {
        await before?.(asked, fake);
        // What was said is on its way before the kernel dies.
        await new Promise((resolve) => setImmediate(resolve));
      }),
    );
    expect(await client.start(OPTIONS)).toBe(ID);
    expect(kernel.methods()).toEqual(methods);
    expect(events.filter(({ type }) => type === 'session.started')).toHaveLength(1);
  });

  it('that the kernel has no more is lost, and that is said', async () => {
    const { client, kernel } = await scene((asked) => {
      if (asked.method === 'session.resume') throw refusal('session_not_found');
      if (asked.method === 'session.start') emit(asked.peer, { seq: 1, ...STARTED });
      return { session_id: ID };
    });
    await client.start(OPTIONS);
    await kernel.die();
    await kernel.live();
    expect(await client.lost).toMatchObject({ code: 'kernel_refused', exitCode: 2 });
  });

  it.each([ID, 'latest'])('asked for as %s goes on behind what was known before it was resumed', async (name) => {
    const { kernel, client } = await scene(mortal('session.message', 0));
    expect(await client.resume(name, false, OPTIONS, { afterSeq: 7, keepModel: false })).toBe(ID);
    await kernel.die();
    await kernel.live();
    await client.request('review.get', { session_id: ID });
    const again = kernel.asked.filter(({ method }) => method === 'session.resume')[1];
    expect(again?.params).toMatchObject({ session_id: ID, after_seq: 7 });
  });

  it('is taken up again when the kernel dies while it is being taken up', async () => {
    const { kernel, client } = await scene(mortal('session.resume', 1));
    await client.start(OPTIONS);
    await kernel.die();
    await kernel.live();
    await client.request('review.get', { session_id: ID });
    expect(kernel.methods()).toEqual(['session.start', 'session.resume', 'session.resume', 'review.get']);
  });
});

it('a client that was closed connects no more', async () => {
  const { kernel, client, told } = await scene(mortal('session.message', 0));
  client.close();
  await expect(client.request('review.get', { session_id: ID })).rejects.toMatchObject({ code: 'kernel_lost' });
  expect(told).toEqual([]);
  expect(kernel.methods()).toEqual([]);
});
