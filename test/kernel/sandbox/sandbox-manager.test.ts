import { writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { sandboxIdSchema, sessionIdSchema } from '../../../src/contracts/ids.ts';
import { MAX_FALL_BYTES } from '../../../src/kernel/sandbox/watch-operation.ts';
import type { Call, FakeContainer } from './fake-engine.ts';
import { makeManager, session } from './manager-fixture.ts';
import type { ManagerFixture } from './manager-fixture.ts';
import { encodeFrame } from '../../../src/ipc/frame.ts';
import { RpcFailure } from '../../../src/ipc/index.ts';
import { toolCallSchema } from '../../../src/contracts/model/tool-call.ts';
import { NETWORK_READY } from '../../../src/contracts/sandbox/test-network.ts';
import { layerIdSchema } from '../../../src/contracts/sandbox/package-managers.ts';
import { SANDBOX_PROGRAMS } from '../../../src/contracts/sandbox/sandbox-programs.ts';
import { Scheduler } from '../../../src/kernel/scheduler/index.ts';
import { systemClock } from '../../../src/platform/system/clock.ts';
import { standingClock } from '../../support/standing-clock.ts';

let fixture: ManagerFixture;
beforeEach(async () => {
  fixture = await makeManager();
});
afterEach(() => fixture.close());

const NOTHING = { containers: 0, volumes: 0, directories: [] };
const gone = () => expect.poll(() => fixture.leftovers(), { interval: 5 }).toEqual(NOTHING);
const kinds = () => fixture.events.map((event) => event.kind);
/** The last event of a sandbox says that nothing of it is left. */
const told = (events: readonly string[]) => expect.poll(kinds, { interval: 5 }).toEqual(events);

/** A program that answers every `fs.write` with what it was sent. */
function echo(container: FakeContainer): void {
  void fixture.connect(container, (peer) => {
    peer.onRequest('fs.write', z.unknown(), (call) => ({ call }));
    void peer.closed.then(() => container.exit(0));
  });
}

/** A program that takes its work and never answers. */
async function connectSilent(container: FakeContainer, hangUp = true): Promise<void> {
  const asked = Promise.withResolvers<void>();
  const peer = await fixture.connect(container, (connected) => {
    connected.onRequest('fs.write', z.unknown(), () => {
      asked.resolve();
      return new Promise(() => undefined);
    });
  });
  await asked.promise;
  if (hangUp) peer?.close();
}

describe('one tool call in one sandbox', () => {
  beforeEach(() => {
    fixture.engine.onStart = echo;
  });

  test('is answered, and nothing is left', async () => {
    const result = await fixture.tool();
    expect(result).toMatchObject({
      kind: 'ok',
      result: { call: { input: { path: 'a' }, context: { workspace: null, session_mode: 'strict' } } },
    });
    await gone();
    await told(['created', 'destroyed']);
    expect(fixture.events[0]).toMatchObject({
      sandbox: result.sandbox,
      session,
      program: 'tool:fs',
      peer: { uid: process.getuid?.() },
    });
  });

  test('on a workspace leaves nothing by the time it is answered', async () => {
    const result = await fixture.tool({ slot: 4, mode: 'debug' });
    expect(await fixture.leftovers()).toEqual(NOTHING);
    expect(result).toMatchObject({
      result: { call: { context: { workspace: '/home/me/project', session_mode: 'debug' } } },
    });
    const order = fixture.engine.calls.filter((call) =>
      ['createVolume', 'create', 'start', 'remove', 'removeVolume'].includes(call),
    );
    expect(order).toEqual(['createVolume', 'create', 'start', 'remove', 'removeVolume']);
  });

  test('sees installed packages, unless it is git, which would take them for uncommitted work', async () => {
    const layer = layerIdSchema.parse('a'.repeat(64));
    await fixture.close();
    fixture = await makeManager({ layersOf: () => [layer] });
    const asked = vi.spyOn(fixture.engine, 'createVolume');
    await fixture.tool({ slot: 4 });
    await fixture.tool({ slot: 4, program: 'tool:git' });
    expect(asked.mock.calls.map(([{ layers }]) => layers)).toEqual([[layer], undefined]);
  });

  test('that the tool refuses is a tool error, not a broken sandbox', async () => {
    fixture.engine.onStart = (container) =>
      void fixture.connect(container, (peer) =>
        peer.onRequest('fs.write', z.unknown(), () => {
          throw RpcFailure.refused('edit_no_match', 'no such text');
        }),
      );
    expect(await fixture.tool()).toMatchObject({ kind: 'tool-error', code: 'edit_no_match', message: 'no such text' });
    await gone();
    await told(['created', 'destroyed']);
  });

  test('that is too large to send is a tool error, not a broken sandbox', async () => {
    const part = 'x'.repeat(5 * 1024 * 1024);
    const result = await fixture.tool({ params: { first: part, second: part, third: part } });
    expect(result).toMatchObject({ kind: 'tool-error', code: 'ipc_unsendable' });
    await gone();
  });
});

describe('the capability of an operation', () => {
  test.each<[string, (container: FakeContainer) => void, number, string]>([
    ['answers', echo, 5000, 'failed'],
    ['overruns', (c) => void connectSilent(c, false), 100, 'timed-out'],
    ['hangs up', (c) => void connectSilent(c), 5000, 'failed'],
  ])('opens nothing any more when it %s', async (_title, onStart, deadlineMs, kind) => {
    fixture.engine.onStart = onStart;
    const said: string[] = [];
    const authority = {
      issue: () => {
        said.push('issued');
        return { id: 'cap_1', nonce: 1 };
      },
      redeem: () => null,
      withdraw: () => void said.push('withdrawn'),
    };
    expect((await fixture.tool({ authority, deadlineMs })).kind).toBe(kind);
    expect(said).toEqual(['issued', 'withdrawn']);
  });
});

describe('a sandbox that misbehaves fails alone', () => {
  test.each<[string, (container: FakeContainer) => void, RegExp]>([
    ['never connects', () => undefined, /not ready within 1500 ms/],
    [
      'ends before it connects',
      (c) => ((c.output = 'out of luck'), c.exit(1)),
      /ended before it was ready: out of luck/,
    ],
    ['introduces itself as another', (c) => void fixture.connectRaw(c).end(hello('shell-tool')), /connection was/],
    [
      'sends rubbish for a handshake',
      (c) => void fixture.connectRaw(c).write('GET / HTTP/1.1\r\n\r\n'),
      /frame too large/,
    ],
    ['announces 2 GiB', (c) => void fixture.connectRaw(c).write(Buffer.from([0x7f, 255, 255, 255])), /frame too large/],
    ['hangs up at once', (c) => void fixture.connectRaw(c).end(), /connection was/],
  ])('%s', async (_name, onStart, reason) => {
    fixture.engine.onStart = onStart;
    const result = await fixture.tool();
    expect(result).toMatchObject({ kind: 'failed', reason: expect.stringMatching(reason) as string });
    expect(await fixture.leftovers()).toEqual(NOTHING);
    expect(kinds()).toEqual(['failed', 'destroyed']);
    fixture.engine.onStart = echo;
    expect(await fixture.tool()).toMatchObject({ kind: 'ok' });
  });

  test.each<[string, (container: FakeContainer) => void, object]>([
    [
      'sends garbage instead of an answer',
      (c) => answerRaw(c, Buffer.from('\0\0\0\u0003{x}')),
      { kind: 'failed', reason: expect.stringMatching(/protocol/) as string },
    ],
    [
      'answers what nobody asked',
      (c) => answerRaw(c, frame({ type: 'response', id: 'x', result: 1 })),
      { kind: 'failed', reason: expect.stringMatching(/to no request/) as string },
    ],
    ['dies of memory', (c) => void connectSilent(c).then(() => c.exit(137, true)), { kind: 'out-of-memory' }],
    [
      'crashes',
      (c) => void connectSilent(c).then(() => c.exit(139)),
      { kind: 'failed', reason: 'the program ended: SIGSEGV' },
    ],
    ['hangs', (c) => void connectSilent(c, false), { kind: 'timed-out', afterMs: 300 }],
  ])('%s', async (_name, onStart, expected) => {
    fixture.engine.onStart = onStart;
    expect(await fixture.tool({ deadlineMs: 300 })).toMatchObject(expected);
    await gone();
    await told(['created', 'failed', 'destroyed']);
  });

  test('wants the kernel to do something', async () => {
    let refusal: unknown;
    fixture.engine.onStart = (container) =>
      void fixture.connect(container, (peer) => {
        peer.onRequest('fs.write', z.unknown(), async () => {
          refusal = await peer.request('audit.delete', {}).catch((error: unknown) => error);
          return {};
        });
      });
    expect(await fixture.tool()).toMatchObject({ kind: 'ok' });
    expect(refusal).toMatchObject({ code: 'unknown_method' });
  });

  test('opens a second connection: it is cut, the first goes on', async () => {
    let second: Promise<string> | undefined;
    fixture.engine.onStart = (container) =>
      void fixture.connect(container, (peer) => {
        peer.onRequest('fs.write', z.unknown(), async () => {
          second = fixture
            .connect(container, () => undefined)
            .then((connected) => (connected === null ? 'refused' : 'connected'));
          return { second: await second };
        });
      });
    expect(await fixture.tool()).toMatchObject({ kind: 'ok', result: { second: 'refused' } });
  });

  test('is given something else than was requested: it gets no work', async () => {
    fixture.engine.onStart = echo;
    const { tamper } = fixture.engine;
    fixture.engine.tamper = (settings, container) => ({ ...tamper(settings, container), networkMode: 'bridge' });
    expect(await fixture.tool()).toMatchObject({
      kind: 'failed',
      reason: expect.stringMatching(/networkMode is "bridge"/) as string,
    });
    expect(await fixture.leftovers()).toEqual(NOTHING);
  });

  test('is given something else where the project’s code would run: it is not even started', async () => {
    const { tamper } = fixture.engine;
    fixture.engine.tamper = (settings, container) => ({ ...tamper(settings, container), capAdd: ['SYS_ADMIN'] });
    expect(await fixture.test()).toMatchObject({ kind: 'failed' });
    expect(fixture.engine.calls).not.toContain('start');
  });

  function hello(name: string): Buffer {
    return frame({ type: 'handshake', plugin_name: name, plugin_version: '1', syscall_api_version: 1 });
  }

  function frame(value: unknown): Buffer {
    const json = Buffer.from(JSON.stringify(value));
    const header = Buffer.alloc(4);
    header.writeUInt32BE(json.length);
    return Buffer.concat([header, json]);
  }

  /** Plays by the rules until there is work, then sends these bytes. */
  function answerRaw(container: FakeContainer, bytes: Buffer): void {
    const socket = fixture.connectRaw(container);
    socket.write(hello('fs-tool'));
    socket.on('data', (chunk) => {
      if (chunk.includes('"request"')) socket.write(bytes);
    });
  }
});

describe('clean-up', () => {
  test.each<Call>(['createVolume', 'create', 'start', 'inspect', 'wait'])('comes when %s fails', async (call) => {
    fixture.engine.onStart = echo;
    fixture.engine.failing.set(call, 1);
    expect((await fixture.tool({ slot: 0 })).kind).toBe('failed');
    expect(await fixture.leftovers()).toEqual(NOTHING);
    expect((await fixture.tool({ slot: 0 })).kind).toBe('ok');
  });

  test.each<[Call, object]>([
    ['remove', { containers: 1, volumes: 0, directories: [expect.any(String)] }],
    ['removeVolume', { containers: 0, volumes: 1, directories: [] }],
  ])('that fails at %s goes on, is reported, and is made up for later', async (call, left) => {
    fixture.engine.onStart = echo;
    fixture.engine.failing.set(call, 1);
    expect((await fixture.tool({ slot: 0 })).kind).toBe('ok');
    expect(await fixture.leftovers()).toEqual(left);
    expect(fixture.events.at(-1)).toMatchObject({
      kind: 'destroyed',
      leftovers: [expect.stringMatching(/made to fail/)],
    });
    expect(await fixture.manager.collectOrphans()).toBe(1);
    expect(await fixture.leftovers()).toEqual(NOTHING);
  });

  test.each<Call>(['createVolume', 'create'])('finds what %s made although its answer was lost', async (call) => {
    fixture.engine.losingAnswers.add(call);
    expect((await fixture.tool({ slot: 0 })).kind).toBe('failed');
    expect(await fixture.leftovers()).toEqual(NOTHING);
    expect(fixture.events.at(-1)).toMatchObject({ kind: 'destroyed', leftovers: [] });
  });

  test.each(['created', 'failed', 'destroyed'])('comes when nobody can be told that it was %s', async (kind) => {
    await fixture.close();
    fixture = await makeManager({
      onLifecycle: (event) => {
        if (event.kind === kind) throw new Error('the log is full');
      },
    });
    fixture.engine.onStart = echo;
    const result = await fixture.tool({ slot: 0 });
    expect(result.kind).toBe(kind === 'created' ? 'failed' : 'ok');
    fixture.engine.failing.set('start', 1);
    expect((await fixture.tool({ slot: 0 })).kind).toBe('failed');
    expect(await fixture.leftovers()).toEqual(NOTHING);
  });

  test('waits for what is still being made', async () => {
    const slow = Promise.withResolvers<void>();
    fixture.engine.hanging.set('create', slow.promise);
    const controller = new AbortController();
    const running = fixture.tool({ signal: controller.signal });
    await expect.poll(() => fixture.engine.calls.includes('create')).toBe(true);
    controller.abort();
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    slow.resolve();
    expect(await running).toEqual({ kind: 'cancelled', sandbox: null });
    expect(await fixture.leftovers()).toEqual(NOTHING);
    expect(fixture.engine.calls).not.toContain('start');
  });
});

describe('a test run', () => {
  const writeReport = (container: FakeContainer, text: string) =>
    writeFile(join(fixture.root, 'state/out', container.request.sandbox, 'report.xml'), text);

  test('is told by its exit, its report and its output', async () => {
    fixture.engine.onStart = (container) => {
      container.output = 'TAP version 14';
      void writeReport(container, '<testsuite/>').then(() => container.exit(1));
    };
    const outcome = await fixture.test();
    expect(outcome).toMatchObject({
      kind: 'ran',
      result: {
        exit: { kind: 'exited', code: 1 },
        report: Buffer.from('<testsuite/>'),
        reportTruncated: false,
        output: 'TAP version 14',
      },
    });
    expect(await fixture.leftovers()).toEqual(NOTHING);
    expect(kinds()).toEqual(['created', 'destroyed']);
  });

  describe('with services and hosts', () => {
    const redis = { name: 'redis', port: 6379, image: null };
    const made = () => [...fixture.engine.containers.values()].map(({ request }) => request);
    let requests: ReturnType<typeof made>;
    const play = (answer: { missing: number[] } | 'never', onService: (container: FakeContainer) => void) => {
      fixture.engine.onStart = (container) => {
        if (container.request.program === 'service') return onService(container);
        if (container.request.program === 'network') {
          void fixture.connect(container, (peer) =>
            peer.onRequest(NETWORK_READY, toolCallSchema, () =>
              answer === 'never' ? new Promise(() => undefined) : Promise.resolve(answer),
            ),
          );
          return;
        }
        requests = made();
        container.exit(0);
      };
    };

    test('joins a network of its own, which is gone with it; the connections are reported', async () => {
      const attempts = [{ target: 'api.example:443', outcome: 'allowed' as const, count: 2 }];
      fixture.engine.attempts = attempts;
      play({ missing: [] }, () => undefined);
      expect(await fixture.test({ network: { services: [redis], groups: ['staging'] } })).toMatchObject({
        kind: 'ran',
      });
      const [network, service, run] = requests;
      expect(network).toMatchObject({ program: 'network', network_groups: ['staging'] });
      expect(service).toMatchObject({ program: 'service', service: 'redis', network_of: network?.sandbox });
      expect(run).toMatchObject({ program: 'test', template: 'integration-test', network_of: network?.sandbox });
      expect(await fixture.leftovers()).toEqual(NOTHING);
      expect(fixture.connections).toMatchObject([{ sandbox: network?.sandbox, attempts }]);
    });

    test('has no hosts, and nothing to report, where it has services alone', async () => {
      play({ missing: [] }, () => undefined);
      await fixture.test({ network: { services: [redis], groups: [] } });
      expect(requests.at(-1)).toMatchObject({ program: 'test', template: 'code-executor' });
      expect(fixture.connections).toEqual([]);
    });

    test.each([
      [
        'ends at once',
        'never',
        (container: FakeContainer) => {
          container.output = 'Address in use';
          container.exit(1);
        },
        'the service redis ended at once: Address in use',
      ],
      [
        'accepts no connection',
        { missing: [6379] },
        (container: FakeContainer) => {
          container.output = 'still starting';
        },
        'the service redis accepts no connection on port 6379 after 60 s: still starting',
      ],
    ] as const)('does not start where a service %s, and says so', async (_name, answer, onService, reason) => {
      play(answer === 'never' ? answer : { missing: [...answer.missing] }, onService);
      expect(await fixture.test({ network: { services: [redis], groups: [] } })).toEqual({ kind: 'failed', reason });
      expect(await fixture.leftovers()).toEqual(NOTHING);
    });
  });

  test('that overruns is killed, and what it said until then is kept', async () => {
    fixture.engine.onStart = (container) => {
      container.output = 'still waiting';
    };
    const outcome = await fixture.test({ deadlineMs: 100 });
    expect(outcome).toMatchObject({
      kind: 'ran',
      result: { exit: { kind: 'timed-out', after_ms: 100 }, report: null, output: 'still waiting' },
    });
    expect(fixture.engine.calls).toContain('kill');
    expect(await fixture.leftovers()).toEqual(NOTHING);
  });

  test.each([
    ['out of memory', 137, true, { kind: 'out-of-memory' }],
    ['by a signal', 139, false, { kind: 'signalled', signal: 'SIGSEGV' }],
  ])('that ends %s', async (_name, code, outOfMemory, exit) => {
    fixture.engine.onStart = (container) => container.exit(code, outOfMemory);
    expect(await fixture.test()).toMatchObject({ kind: 'ran', result: { exit, report: null } });
  });

  test('whose report is longer than wanted', async () => {
    fixture.engine.onStart = (container) => void writeReport(container, 'x'.repeat(2000)).then(() => container.exit(0));
    const outcome = await fixture.test();
    expect(outcome).toMatchObject({ kind: 'ran', result: { reportTruncated: true } });
    expect(outcome.kind === 'ran' && outcome.result.report?.length).toBe(1000);
  });

  test('that is cancelled', async () => {
    const controller = new AbortController();
    fixture.engine.onStart = () => controller.abort();
    expect(await fixture.test({ signal: controller.signal })).toEqual({ kind: 'cancelled' });
    expect(await fixture.leftovers()).toEqual(NOTHING);
  });

  test.each([
    ['that fills the disk', async (slot: number) => (slot === 7 ? 'exceeded' : 'within') as 'exceeded' | 'within'],
    ['whose use of the disk cannot be told', () => Promise.reject(new Error('EIO'))],
  ])('%s is ended', async (_name, slotUsage) => {
    await fixture.close();
    fixture = await makeManager({ slotUsage });
    expect(await fixture.test({ slot: 7 })).toMatchObject({
      kind: 'failed',
      reason: expect.stringMatching(/wrote more/) as string,
    });
    expect(await fixture.leftovers()).toEqual(NOTHING);
  });

  test.each([
    ['takes space of the disk that it does not show', 1, 'failed'],
    ['runs while others write to the disk', 0, 'ran'],
  ])('that %s', async (_what, beyond, kind) => {
    await fixture.close();
    let free = 100 * MAX_FALL_BYTES;
    const looked = Promise.withResolvers<void>();
    const freeBytes = () => {
      const found = free;
      free = 99 * MAX_FALL_BYTES - beyond;
      if (found === free) looked.resolve();
      return Promise.resolve(found);
    };
    fixture = await makeManager({ freeBytes, slotUsage: () => Promise.resolve('within') });
    fixture.engine.onStart = (container) => {
      if (kind === 'ran') void looked.promise.then(() => writeReport(container, '{}')).then(() => container.exit(0));
    };
    const outcome = await fixture.test({ slot: 7 });
    expect(outcome.kind).toBe(kind);
    if (outcome.kind === 'failed') expect(outcome.reason).toMatch(/^4 GiB of the disk went while it ran/);
    expect(await fixture.leftovers()).toEqual(NOTHING);
  });

  test.each<[string, Partial<Parameters<typeof makeManager>[0]>, (container: FakeContainer) => void]>([
    ['while it runs', { slotUsage: () => Promise.resolve('disk-full') }, () => undefined],
    ['just before its runner fails', { isDiskFull: () => Promise.resolve(true) }, (container) => container.exit(1)],
  ])('on a disk that gets full %s is not taken for a crashed runner', async (_name, services, onStart) => {
    await fixture.close();
    fixture = await makeManager(services);
    fixture.engine.onStart = onStart;
    expect(await fixture.test({ slot: 7 })).toEqual({ kind: 'disk-full' });
    expect(await fixture.leftovers()).toEqual(NOTHING);
  });

  test('in an engine that lost sight of it', async () => {
    fixture.engine.onStart = (container) => {
      fixture.engine.failing.set('inspect', 0);
      setTimeout(() => {
        fixture.engine.failing.set('inspect', 1);
        container.exit(0);
      }, 50);
    };
    expect(await fixture.test()).toMatchObject({
      kind: 'failed',
      reason: expect.stringMatching(/lost sight/) as string,
    });
  });
});

describe('standbys', () => {
  const ready = (count: number) =>
    expect.poll(() => fixture.events.filter((event) => event.kind === 'created').length, { interval: 5 }).toBe(count);

  const firstOfFiles = () => fixture.events.find(({ program }) => program === 'tool:fs')?.sandbox;

  beforeEach(() => {
    fixture.engine.onStart = echo;
  });

  test('are given up when a session has rested, and not when it was warmed again', async () => {
    await fixture.close();
    const { clock, advance } = standingClock();
    fixture = await makeManager({
      clock: { ...systemClock, sleep: (ms, signal) => (ms === 77 ? clock : systemClock).sleep(ms, signal) },
    });
    fixture.engine.onStart = echo;
    fixture.manager.warm(session, 'replay');
    await ready(2);
    fixture.manager.cool(session, 77);
    fixture.manager.warm(session, 'replay');
    await advance(77);
    expect(fixture.engine.containers.size).toBe(2);
    fixture.manager.cool(session, 77);
    await advance(77);
    await expect.poll(() => fixture.leftovers(), { interval: 5 }).toEqual(NOTHING);
  });

  test('are made in the order in which they are needed, serve one call each, and are made again', async () => {
    fixture.manager.warm(session, 'replay');
    await ready(2);
    expect([...fixture.engine.containers.values()].map((c) => c.request.program)).toEqual([
      'provider:replay',
      'tool:fs',
    ]);
    const first = await fixture.tool();
    expect(first.sandbox).toBe(firstOfFiles());
    await ready(3);
    const second = await fixture.tool();
    expect(second.sandbox).not.toBe(first.sandbox);
    expect(fixture.events.map((event) => event.sandbox)).toContain(second.sandbox);
  });

  test('do not serve what needs a workspace, or another session', async () => {
    fixture.manager.warm(session, 'replay');
    await ready(2);
    const standing = firstOfFiles();
    expect((await fixture.tool({ slot: 0 })).sandbox).not.toBe(standing);
    expect((await fixture.tool({ session: sessionIdSchema.parse('s_session02') })).sandbox).not.toBe(standing);
  });

  test('of one provider do not serve another of the same program', async () => {
    fixture.manager.warm(session, 'ollama');
    await ready(2);
    const provider = await fixture.manager.provider(session, 'openrouter');
    const serving = [...fixture.engine.containers.values()].find((c) => c.request.sandbox === provider.sandbox);
    expect(serving?.request).toMatchObject({ program: 'provider:openai', provider: 'openrouter' });
    await provider.close();
  });

  test('of another session stay when one is warmed, and those of an old provider go', async () => {
    const other = sessionIdSchema.parse('s_session02');
    const standing = () => [...fixture.engine.containers.values()].map((c) => [c.request.session, c.request.program]);
    fixture.manager.warm(session, 'replay');
    await ready(2);
    fixture.manager.warm(other, 'replay');
    await ready(4);
    expect(standing()).toHaveLength(4);
    fixture.manager.warm(other, 'ollama');
    await ready(5);
    await expect.poll(standing).toEqual([
      [session, 'provider:replay'],
      [session, 'tool:fs'],
      [other, 'tool:fs'],
      [other, 'provider:openai'],
    ]);
  });

  test('that died while they waited are replaced', async () => {
    fixture.manager.warm(session, 'replay');
    await ready(2);
    for (const container of fixture.engine.containers.values()) container.exit(137);
    await ready(4);
    expect(await fixture.tool()).toMatchObject({ kind: 'ok' });
  });

  test('that hung up while they waited are not used', async () => {
    const sockets: Socket[] = [];
    fixture.engine.onStart = (container) => {
      const socket = fixture.connectRaw(container);
      const name = SANDBOX_PROGRAMS[container.request.program].pluginName ?? '';
      const hello = { type: 'handshake', plugin_name: name, plugin_version: '1', syscall_api_version: 1 };
      socket.resume().write(encodeFrame(hello));
      sockets.push(socket);
    };
    fixture.manager.warm(session, 'replay');
    await ready(2);
    for (const socket of sockets) {
      // Closed once the other side has hung up too, which it does when it has noticed.
      await new Promise((resolve) => socket.once('close', resolve).end());
    }
    fixture.engine.onStart = echo;
    const result = await fixture.tool();
    expect(result.kind).toBe('ok');
    expect(result.sandbox).not.toBe(firstOfFiles());
  });

  test('that cannot be made are given up, and the call says why', async () => {
    await fixture.close();
    const slept: number[] = [];
    fixture = await makeManager({
      clock: {
        ...systemClock,
        sleep: (ms, signal) => {
          if (ms % 1000 !== 0) return systemClock.sleep(ms, signal);
          slept.push(ms);
          return Promise.resolve();
        },
      },
    });
    fixture.engine.onStart = (container) => container.exit(1);
    fixture.manager.warm(session, 'replay');
    await expect.poll(() => fixture.events.filter((event) => event.kind === 'failed').length).toBe(6);
    await gone();
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(fixture.engine.calls.filter((call) => call === 'create')).toHaveLength(6);
    expect(slept.sort()).toEqual([1000, 1000, 2000, 2000]);
    expect(await fixture.tool()).toMatchObject({
      kind: 'failed',
      reason: expect.stringMatching(/ended before/) as string,
    });
  });

  test('in the making serve whoever comes first', async () => {
    fixture.manager.warm(session, 'replay');
    const result = await fixture.tool();
    expect(result.kind).toBe('ok');
    expect(result.sandbox).toBe(firstOfFiles());
  });

  test('are closed with their session', async () => {
    fixture.manager.warm(session, 'replay');
    await ready(2);
    await fixture.manager.closeAll(session);
    expect(await fixture.leftovers()).toEqual(NOTHING);
  });
});

describe('a provider', () => {
  const request = { model: 'm', system: '', messages: [], tools: [], max_output_tokens: 1, deadline_ms: 900 };
  const never = new AbortController().signal;

  /** Plays these events for every request, then answers. */
  function provide(events: readonly unknown[], answer: 'answers' | 'hangs' | 'dies' = 'answers'): void {
    fixture.engine.onStart = (container) =>
      void fixture.connect(container, (peer) => {
        peer.onRequest('model.chat', z.unknown(), () => {
          for (const event of events) peer.notify('model.event', event);
          if (answer === 'hangs') return new Promise(() => undefined);
          if (answer === 'dies') container.exit(137, true);
          if (answer === 'dies') peer.close();
          return {};
        });
      });
  }

  async function chat(signal = never): Promise<unknown[]> {
    const heard: unknown[] = [];
    const provider = await fixture.manager.provider(session, 'replay');
    try {
      await provider.chat(request, (event) => heard.push(event), signal);
    } finally {
      await provider.close();
    }
    return heard;
  }

  const text = { type: 'text_delta', text: 'hi' };
  const done = { type: 'done', stop: 'end_turn' };

  test('streams what the model says, then ends', async () => {
    provide([text, text, done]);
    expect(await chat()).toEqual([text, text, done]);
    await gone();
  });

  test('serves several requests, one after another', async () => {
    provide([text, done]);
    const provider = await fixture.manager.provider(session, 'replay');
    const heard: unknown[] = [];
    await provider.chat(request, (event) => heard.push(event), never);
    await provider.chat(request, (event) => heard.push(event), never);
    expect(heard).toEqual([text, done, text, done]);
    await provider.close();
    await provider.close();
    await gone();
  });

  test.each<[string, readonly unknown[], 'answers' | 'hangs' | 'dies', unknown[]]>([
    ['answers without an end', [text], 'answers', [text, { code: 'program_failed' }]],
    ['says something after the end', [done, text, done], 'answers', [done]],
    [
      'dies of memory',
      [text],
      'dies',
      [
        text,
        {
          code: 'program_failed',
          message: expect.stringMatching(/^the program that .* it ran out of memory$/) as string,
        },
      ],
    ],
    [
      'says more than its token limit has room for',
      [text, { type: 'text_delta', text: 'x'.repeat(40) }, done],
      'answers',
      [text, { code: 'protocol', message: 'the answer is longer than its token limit has room for' }],
    ],
    ['says something of unknown form', [{ type: 'nonsense' }], 'answers', [{ code: 'program_failed' }]],
  ])('that %s ends with exactly one end', async (_name, events, answer, expected) => {
    provide(events, answer);
    expect(await chat()).toMatchObject(expected);
    await gone();
  });

  test('that never ends is ended from outside', async () => {
    await fixture.close();
    const limits: number[] = [];
    fixture = await makeManager({
      clock: {
        ...systemClock,
        sleep: (ms, signal) => {
          if (ms < 5000) return systemClock.sleep(ms, signal);
          limits.push(ms);
          return systemClock.sleep(50, signal);
        },
      },
    });
    provide([text], 'hangs');
    const provider = await fixture.manager.provider(session, 'replay');
    const heard: unknown[] = [];
    await provider.chat(request, (event) => heard.push(event), never);
    expect(heard).toMatchObject([text, { type: 'failed', code: 'timeout' }]);
    expect(limits).toEqual([request.deadline_ms + 5000]);
    await gone();
  });

  test('is gone when a request was aborted: its rest must not be taken for the next', async () => {
    provide([text], 'hangs');
    const controller = new AbortController();
    const provider = await fixture.manager.provider(session, 'replay');
    const chatting = provider.chat(request, () => controller.abort(new Error('stop')), controller.signal);
    await expect(chatting).rejects.toThrow('stop');
    expect(provider.over).toBe(true);
    await gone();
    await expect(provider.chat(request, () => undefined, never)).resolves.toBeUndefined();
  });

  test('that cannot be had is an error', async () => {
    fixture.engine.onStart = (container) => ((container.output = 'no key'), container.exit(1));
    await expect(fixture.manager.provider(session, 'anthropic')).rejects.toThrow(/no key/);
    expect(await fixture.leftovers()).toEqual(NOTHING);
  });
});

describe('what is going on at once', () => {
  test('no more than two of a template', async () => {
    let active = 0;
    let most = 0;
    fixture.engine.onStart = (container) =>
      void fixture.connect(container, (peer) =>
        peer.onRequest('fs.write', z.unknown(), async () => {
          active += 1;
          most = Math.max(most, active);
          await expect.poll(() => most).toBe(2);
          active -= 1;
          return {};
        }),
      );
    const results = await Promise.all(Array.from({ length: 6 }, () => fixture.tool()));
    expect(results.every((result) => result.kind === 'ok')).toBe(true);
    expect(most).toBe(2);
  });

  test('work gives way to something more urgent, and its time stands still meanwhile', async () => {
    await fixture.close();
    const limits = { globalMax: 1, perTemplate: {}, ageThresholdMs: 60_000 };
    const running: AbortSignal[] = [];
    fixture = await makeManager({
      admission: new Scheduler({ limits, clock: systemClock, memoryUsage: () => 0 }),
      clock: {
        ...systemClock,
        sleep: (ms, signal) => {
          if (ms > 50_000 && signal !== undefined) running.push(signal);
          return systemClock.sleep(ms, signal);
        },
      },
    });
    const answer = Promise.withResolvers<object>();
    const asked = Promise.withResolvers<void>();
    fixture.engine.onStart = (container) =>
      void fixture.connect(container, (peer) =>
        peer.onRequest('fs.write', z.unknown(), () => {
          asked.resolve();
          return answer.promise;
        }),
      );
    const working = fixture.tool({ deadlineMs: 60_000 });
    await asked.promise;
    const provider = await fixture.manager.provider(session, 'replay');
    expect([...fixture.engine.containers.values()].map((c) => c.status)).toEqual(['paused', 'running']);
    expect(running.map((deadline) => deadline.aborted)).toEqual([true]);
    await provider.close();
    await expect.poll(() => running.map((deadline) => deadline.aborted)).toEqual([true, false]);
    expect(fixture.engine.calls).toContain('unpause');
    answer.resolve({});
    expect((await working).kind).toBe('ok');
  });

  test('work ends for something more urgent when memory is scarce', async () => {
    await fixture.close();
    const limits = { globalMax: 1, perTemplate: {}, ageThresholdMs: 60_000 };
    fixture = await makeManager({ admission: new Scheduler({ limits, clock: systemClock, memoryUsage: () => 0.9 }) });
    const asked = Promise.withResolvers<void>();
    fixture.engine.onStart = (container) =>
      void fixture.connect(container, (peer) =>
        peer.onRequest('fs.write', z.unknown(), () => {
          asked.resolve();
          return new Promise(() => undefined);
        }),
      );
    const working = fixture.tool({ deadlineMs: 20_000 });
    await asked.promise;
    const provider = await fixture.manager.provider(session, 'replay');
    expect(await working).toMatchObject({ kind: 'failed', reason: expect.stringMatching(/more urgent/) as string });
    await provider.close();
  });

  test('everything of a session ends with it, and nothing of another', async () => {
    const other = sessionIdSchema.parse('s_session02');
    fixture.engine.onStart = (container) =>
      void fixture.connect(container, (peer) =>
        peer.onRequest('fs.write', z.unknown(), () => new Promise(() => undefined)),
      );
    const mine = [fixture.tool({ deadlineMs: 20_000 }), fixture.tool({ deadlineMs: 20_000 })];
    await expect.poll(() => fixture.events.length).toBe(2);
    const waiting = fixture.tool({ session: other, deadlineMs: 400 });
    await fixture.manager.closeAll(session);
    expect((await Promise.all(mine)).map((result) => result.kind)).toEqual(['cancelled', 'cancelled']);
    expect((await waiting).kind).toBe('timed-out');
    fixture.engine.onStart = echo;
    expect((await fixture.tool()).kind).toBe('ok');
  });

  test('ends when nobody wants it any more, before it has begun', async () => {
    const controller = new AbortController();
    controller.abort();
    expect(await fixture.tool({ signal: controller.signal })).toEqual({ kind: 'cancelled', sandbox: null });
    expect(fixture.engine.calls).toEqual([]);
  });
});

describe('orphans', () => {
  test('of a kernel that was killed are collected; the living are left alone', async () => {
    const orphan = sandboxIdSchema.parse('x_orphan01');
    await fixture.engine.create({
      sandbox: orphan,
      session,
      program: 'tool:fs',
      template: 'code-executor',
      image: 'node',
      workspace: { kind: 'none' },
      limits: { memory_bytes: 1, cpus: 1, pids: 1, file_size_bytes: 1 },
    });
    await fixture.engine.createVolume({ sandbox: sandboxIdSchema.parse('x_orphan02'), session, slot: 1 });
    await fixture.manager.collectOrphans();
    expect(await fixture.leftovers()).toEqual(NOTHING);

    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<object>();
    fixture.engine.onStart = (container) =>
      void fixture.connect(container, (peer) =>
        peer.onRequest('fs.write', z.unknown(), () => {
          asked.resolve();
          return answer.promise;
        }),
      );
    const running = fixture.tool({ slot: 0 });
    await asked.promise;
    expect(await fixture.manager.collectOrphans()).toBe(0);
    answer.resolve({});
    expect((await running).kind).toBe('ok');
  });
});
