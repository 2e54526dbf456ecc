import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sandboxIdSchema, sessionIdSchema } from '../../../src/contracts/ids.ts';
import { ContainerRuntimeError } from '../../../src/contracts/ports/container-runtime.ts';
import type { ContainerId } from '../../../src/contracts/ports/container-runtime.ts';
import { parseCall } from '../../../src/host/runtime-guard/guard-call.ts';
import { DockerRuntime } from '../../../src/platform/docker/docker-runtime.ts';

const ID = 'a'.repeat(64) as ContainerId;
const sandbox = sandboxIdSchema.parse('x_sandbox01');
const session = sessionIdSchema.parse('s_session01');

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly body: string;
}

let dir: string;
let server: Server;
let asked: Asked[];
let answer: { status: number; body: string | Buffer } | 'never';
let runtime: DockerRuntime;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'docker-runtime-'));
  asked = [];
  answer = { status: 200, body: '{}' };
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      asked.push({ method: request.method ?? '', url: request.url ?? '', body: Buffer.concat(chunks).toString() });
      if (answer === 'never') return;
      response.writeHead(answer.status).end(answer.body);
    });
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(join(dir, 'guard.sock'), resolve);
  await promise;
  runtime = new DockerRuntime({ socketPath: join(dir, 'guard.sock'), timeoutMs: 300 });
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(dir, { recursive: true });
});

const replies = (status: number, body: unknown): void => {
  answer = { status, body: Buffer.isBuffer(body) ? body : body === '' ? '' : JSON.stringify(body) };
};
const limits = { memory_bytes: 2 ** 28, cpus: 1, pids: 10, file_size_bytes: 1000 };
const request = {
  sandbox,
  session,
  program: 'tool:fs',
  template: 'code-executor',
  image: 'node',
  workspace: { kind: 'none' },
  limits,
} as const;

describe('every call is one the guard knows, in its one spelling', () => {
  test.each<[string, () => Promise<unknown>, number, unknown, string, unknown?]>([
    ['ping', () => runtime.ping(), 200, 'OK', 'GET /_ping'],
    ['images', () => runtime.images(), 200, [], 'GET /images/json'],
    ['create', () => runtime.create(request), 201, { Id: ID }, 'POST /containers/create', request],
    [
      'createVolume',
      () => runtime.createVolume({ sandbox, session, slot: 3 }),
      201,
      { Name: 'v' },
      'POST /volumes/create',
      { sandbox, session, slot: 3 },
    ],
    [
      'removeVolume',
      () => runtime.removeVolume('fluffy-ab-x_sandbox01'),
      204,
      '',
      'DELETE /volumes/fluffy-ab-x_sandbox01',
    ],
    ['listVolumes', () => runtime.listVolumes(), 200, { Volumes: null }, 'GET /volumes'],
    ['list', () => runtime.list(), 200, [], 'GET /containers/json?all=true'],
    ['start', () => runtime.start(ID), 204, '', `POST /containers/${ID}/start`],
    ['stop', () => runtime.stop(ID, 2), 204, '', `POST /containers/${ID}/stop?t=2`],
    ['kill', () => runtime.kill(ID), 204, '', `POST /containers/${ID}/kill`],
    ['pause', () => runtime.pause(ID), 204, '', `POST /containers/${ID}/pause`],
    ['unpause', () => runtime.unpause(ID), 204, '', `POST /containers/${ID}/unpause`],
    [
      'wait',
      () => runtime.wait(ID, new AbortController().signal),
      200,
      { StatusCode: 3 },
      `POST /containers/${ID}/wait`,
    ],
    [
      'logs',
      () => runtime.logs(ID, { headBytes: 1, tailBytes: 1 }),
      200,
      Buffer.alloc(0),
      `GET /containers/${ID}/logs?stdout=true&stderr=true&follow=true`,
    ],
    ['remove', () => runtime.remove(ID), 204, '', `DELETE /containers/${ID}?force=true&v=true`],
  ])('%s', async (_name, call, status, body, expected, sent) => {
    replies(status, body);
    await call();
    const [seen] = asked;
    expect(`${seen?.method} ${seen?.url}`.replace(/\?$/, '')).toBe(expected);
    expect(parseCall(seen?.method ?? '', seen?.url ?? '').kind).toBe('call');
    if (sent !== undefined) expect(JSON.parse(seen?.body ?? '')).toEqual(sent);
  });
});

describe('answers', () => {
  test('ids and names', async () => {
    replies(201, { Id: ID, Warnings: [] });
    expect(await runtime.create(request)).toBe(ID);
    replies(201, { Name: 'volume-1' });
    expect(await runtime.createVolume({ sandbox, session, slot: 0 })).toBe('volume-1');
    replies(200, { StatusCode: 137 });
    expect(await runtime.wait(ID, new AbortController().signal)).toBe(137);
  });

  test('only sandboxes are listed, whatever else is ours', async () => {
    const labels = { 'fluffy.sandbox': sandbox };
    replies(200, [
      { Id: ID, State: 'running', Labels: labels },
      { Id: 'b'.repeat(64), State: 'running', Labels: { 'fluffy.role': 'kernel' } },
      { Id: 'c'.repeat(64), State: 'running', Labels: { 'fluffy.sandbox': '../../x' } },
    ]);
    expect(await runtime.list()).toEqual([{ id: ID, sandbox, running: true }]);
    replies(200, {
      Volumes: [
        { Name: 'v', Labels: labels },
        { Name: 'w', Labels: null },
      ],
    });
    expect(await runtime.listVolumes()).toEqual([{ name: 'v', sandbox }]);
  });

  test('an inspection, with everything the engine left out counted as absent', async () => {
    replies(200, {
      State: { Status: 'exited', Running: false, OOMKilled: true, ExitCode: 137 },
      Config: { User: '1000:1000', Entrypoint: ['node'], Cmd: ['x.mjs'] },
      HostConfig: {
        NetworkMode: 'none',
        CapDrop: ['ALL'],
        NanoCpus: 5e8,
        Memory: 1024,
        PidsLimit: null,
        Devices: [{}],
        DeviceRequests: [{}],
        Ulimits: [{ Name: 'fsize', Soft: 1, Hard: 2 }],
        SecurityOpt: ['seccomp=standard', 'no-new-privileges'],
      },
      Mounts: [
        { Type: 'volume', Destination: '/z', RW: true },
        { Type: 'bind', Destination: '/a', RW: false },
      ],
      NetworkSettings: { Networks: ['none'] },
    });
    expect(await runtime.inspect(ID)).toEqual({
      state: { status: 'exited', running: false, outOfMemory: true, exitCode: 137 },
      settings: {
        user: '1000:1000',
        entrypoint: ['node', 'x.mjs'],
        networkMode: 'none',
        networks: ['none'],
        ipcMode: '',
        pidMode: '',
        utsMode: '',
        cgroupnsMode: '',
        usernsMode: '',
        privileged: false,
        readonlyRootfs: false,
        capAdd: [],
        capDrop: ['ALL'],
        securityOptions: ['no-new-privileges', 'seccomp=standard'],
        devices: 2,
        memoryBytes: 1024,
        cpus: 0.5,
        pids: 0,
        fileSizeBytes: 2,
        mounts: [
          { kind: 'bind', destination: '/a', writable: false },
          { kind: 'volume', destination: '/z', writable: true },
        ],
      },
    });
  });

  test('output, bounded', async () => {
    const text = Buffer.from('0123456789');
    const header = Buffer.from([1, 0, 0, 0, 0, 0, 0, text.length]);
    replies(200, Buffer.concat([header, text]));
    expect(await runtime.logs(ID, { headBytes: 2, tailBytes: 2 })).toEqual({
      text: '01\n… 6 bytes left out …\n89',
      omittedBytes: 6,
    });
  });
});

describe('what goes wrong', () => {
  test.each([
    [403, 'refused'],
    [404, 'missing'],
    [409, 'conflict'],
    [500, 'failed'],
    [502, 'failed'],
  ])('%i is %s, with the guard’s own words', async (status, kind) => {
    replies(status, { message: 'because of this' });
    const error: unknown = await runtime.start(ID).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ContainerRuntimeError);
    expect(error).toMatchObject({ kind, message: expect.stringContaining('because of this') as string });
  });

  test.each([
    ['an id that is none', { Id: '../x' }],
    ['nothing', ''],
    ['another thing', []],
  ])('an answer of unknown form: %s', async (_name, body) => {
    replies(201, body);
    await expect(runtime.create(request)).rejects.toMatchObject({ kind: 'failed' });
  });

  test('no answer in time', async () => {
    answer = 'never';
    await expect(runtime.start(ID)).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('nobody there', async () => {
    const other = new DockerRuntime({ socketPath: join(dir, 'none.sock') });
    await expect(other.start(ID)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await other.ping()).toBe(false);
  });

  test('waiting is given up when told to', async () => {
    answer = 'never';
    const controller = new AbortController();
    const waiting = runtime.wait(ID, controller.signal);
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test.each<[string, number, () => Promise<void>]>([
    ['a container that is gone', 404, () => runtime.remove(ID)],
    ['a container that is going', 409, () => runtime.remove(ID)],
    ['a container that has ended', 409, () => runtime.kill(ID)],
    ['a container that is gone', 404, () => runtime.kill(ID)],
    ['a container that stands still', 304, () => runtime.stop(ID, 1)],
    ['a volume that is gone', 404, () => runtime.removeVolume('v')],
  ])('ending %s is no error (%i)', async (_name, status, call) => {
    replies(status, status === 304 ? '' : { message: 'no' });
    await call();
  });

  test('removing what is in use is one', async () => {
    replies(409, { message: 'volume is in use' });
    await expect(runtime.removeVolume('v')).rejects.toMatchObject({ kind: 'conflict' });
  });

  test('an environment that names another engine changes nothing', async () => {
    const before = process.env['DOCKER_HOST'];
    process.env['DOCKER_HOST'] = 'tcp://127.0.0.1:1';
    try {
      await new DockerRuntime({ socketPath: join(dir, 'guard.sock') }).start(ID);
      expect(asked).toHaveLength(1);
    } finally {
      if (before === undefined) delete process.env['DOCKER_HOST'];
      else process.env['DOCKER_HOST'] = before;
    }
  });
});
