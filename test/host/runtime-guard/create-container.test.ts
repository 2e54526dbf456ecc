import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TEMPLATES, templateLimits } from '../../../src/contracts/sandbox/sandbox-templates.ts';
import { createContainer } from '../../../src/host/runtime-guard/create-container.ts';
import type { CreateContainerOptions } from '../../../src/host/runtime-guard/create-container.ts';
import type { EngineVolumeCreate } from '../../../src/host/runtime-guard/build-volume.ts';
import type { EngineAnswer } from '../../../src/host/runtime-guard/engine-client.ts';
import { openAbsolute } from '../../../src/host/runtime-guard/held-directory.ts';
import type { HeldDirectory } from '../../../src/host/runtime-guard/held-directory.ts';
import { createKeptContainers } from '../../../src/host/runtime-guard/kept-containers.ts';
import { totalsFor } from '../../../src/host/runtime-guard/totals.ts';

const MIB = 1024 * 1024;
const SANDBOX = 'x_sandbox00';
const REQUEST = {
  sandbox: SANDBOX,
  session: 's_session00',
  program: 'tool:fs',
  template: 'code-executor',
  image: 'node',
  workspace: { kind: 'none' },
  limits: { memory_bytes: 64 * MIB, cpus: 0.25, pids: 8, file_size_bytes: MIB },
};
const ID = 'c'.repeat(64);

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fluffy-create-'));
  mkdirSync(join(root, 'run/sbx', SANDBOX), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function held(path: string): Promise<HeldDirectory> {
  const outcome = await openAbsolute(path);
  if (outcome.kind !== 'held') throw new Error(outcome.kind);
  return outcome.directory;
}

/** An engine that makes everything but what `answers` says otherwise. */
async function scene(answers: (call: string) => EngineAnswer | Error | null = () => null) {
  const calls: string[] = [];
  const timers: { readonly ms: number; readonly action: () => void }[] = [];
  const logged: unknown[] = [];
  const options = {
    engine: {
      call: (method: string, path: string, { body }: { body?: EngineVolumeCreate } = {}) => {
        const call = `${method} ${path.split('?')[0] ?? ''}`;
        calls.push(call);
        const answer = answers(call);
        if (answer instanceof Error) return Promise.reject(answer);
        if (answer !== null) return Promise.resolve(answer);
        if (method !== 'POST') return Promise.resolve({ status: 204, body: null });
        const volume = { Name: body?.Name, Labels: body?.Labels, Options: body?.DriverOpts };
        return Promise.resolve({ status: 201, body: call === 'POST /volumes/create' ? volume : { Id: ID } });
      },
    },
    context: {
      projectId: '0123456789abcdef',
      instance: 'aabbccdd',
      projectRoot: '/home/me/project',
      uid: process.getuid?.() ?? 0,
      gid: process.getgid?.() ?? 0,
      images: { node: 'sha256:node' },
      seccomp: { strict: '{}', standard: '{}', 'standard-net': '{}' },
      caps: templateLimits(),
      borrowedObjects: null,
      dependencyMounts: [],
      hostsFile: '/opt/hosts',
    },
    state: await held(root),
    run: await held(join(root, 'run')),
    socketsRoot: root,
    openSockets: () => Promise.reject(new Error('a tool needs no socket of the host')),
    hasWorkspace: () => false,
    totals: totalsFor(templateLimits(), 8 * 1024 * MIB),
    after: (ms: number, action: () => void) => {
      timers.push({ ms, action });
      return () => void timers.splice(0);
    },
    log: { write: (entry: unknown) => void logged.push(entry) },
  } as unknown as CreateContainerOptions;
  const kept = createKeptContainers();
  const create = (request: object = REQUEST) => createContainer(options, kept, request);
  return { calls, timers, logged, kept, create, options };
}

describe('the container of a sandbox', () => {
  it('is made with its volumes, and kept under the id of the engine', async () => {
    const { create, kept, calls } = await scene();
    expect(await create()).toEqual({ kind: 'json', status: 201, body: { Id: ID, Warnings: [] } });
    expect(calls).toEqual(['POST /volumes/create', 'POST /containers/create']);
    expect([kept.has(SANDBOX), kept.hasId(ID)]).toEqual([true, true]);
  });

  it('is not made for what is no request, or one that the plan refuses', async () => {
    const { create, calls } = await scene();
    expect(await create({ ...REQUEST, extra: 1 })).toEqual({ kind: 'refused', reason: 'not a container request' });
    expect(await create({ ...REQUEST, image: 'python', program: 'tool:fs' })).toMatchObject({ kind: 'refused' });
    expect(calls).toEqual([]);
  });

  it.each([
    ['one that this guard has not made', {}, 'x_network99', 'no network of this session'],
    ['one of another session', { session: 's_session99' }, 'x_network00', 'no network of this session'],
    ['a sandbox that is no network', {}, 'x_another000', 'no network of this session'],
    ['one that is still being made', {}, 'x_network01', 'no network of this session'],
    ['any, as a tool', { program: 'tool:fs' }, 'x_network00', 'tool:fs shares no network'],
  ])('does not join %s', async (_name, change, network_of, reason) => {
    const { create, kept, calls } = await scene();
    const limits = { memoryBytes: 1, cpus: 1, pids: 1, fileSizeBytes: 1 };
    const session = 's_session00';
    kept.add('x_network00', { program: 'network', session, limits }).id = 'a'.repeat(64);
    kept.add('x_network01', { program: 'network', session, limits });
    kept.add('x_another000', { program: 'test', session, limits }).id = 'b'.repeat(64);
    const service = { ...REQUEST, program: 'service', service: 'redis', network_of, ...change };
    expect(await create(service)).toEqual({ kind: 'refused', reason });
    expect(calls).toEqual([]);
  });

  it('is not made on a workspace that is not held', async () => {
    const { create, kept, calls } = await scene();
    const workspace = { kind: 'overlay', volume: 'fluffy-01234567-x_sandbox00' };
    expect(await create({ ...REQUEST, workspace })).toEqual({ kind: 'refused', reason: 'no such workspace' });
    expect([kept.has(SANDBOX), calls]).toEqual([false, []]);
  });

  it.each<readonly [string, EngineAnswer | null, object]>([
    ['is not there', null, { kind: 'refused', reason: 'run: missing' }],
    [
      'has another volume of its name',
      { status: 201, body: { Name: 'other', Labels: {}, Options: {} } },
      { kind: 'refused', reason: 'run: in use' },
    ],
    [
      'cannot become a volume',
      { status: 500, body: { message: 'no' } },
      { kind: 'engine-error', status: 500, body: { message: 'no' } },
    ],
  ])('is not made when a directory that it mounts %s', async (_what, answer, reply) => {
    if (answer === null) rmSync(join(root, 'run/sbx', SANDBOX), { recursive: true });
    const { create, kept, calls } = await scene((call) => (call === 'POST /volumes/create' ? answer : null));
    expect(await create()).toEqual(reply);
    expect([kept.has(SANDBOX), calls.includes('POST /containers/create')]).toEqual([false, false]);
  });

  it('is made once for a sandbox', async () => {
    const { create, calls } = await scene();
    await create();
    const body = { message: 'this sandbox has a container already' };
    expect(await create()).toEqual({ kind: 'json', status: 409, body });
    expect(calls).toHaveLength(2);
  });

  it('is not made beyond the total of all sandboxes', async () => {
    const { options, kept, calls } = await scene();
    const totals = { ...options.totals, sandboxes: 0 };
    expect(await createContainer({ ...options, totals }, kept, REQUEST)).toMatchObject({ status: 409 });
    expect([kept.has(SANDBOX), calls]).toEqual([false, []]);
  });

  it('leaves nothing behind when the engine refuses it', async () => {
    const { create, kept, calls } = await scene((call) =>
      call === 'POST /containers/create' ? { status: 500, body: { message: 'no' } } : null,
    );
    expect(await create()).toMatchObject({ kind: 'engine-error', status: 500 });
    expect(kept.has(SANDBOX)).toBe(false);
    expect(calls.at(-1)).toMatch(/^DELETE \/volumes\//);
  });

  it('leaves nothing behind when the engine does not answer', async () => {
    const { create, kept, calls } = await scene((call) =>
      call === 'POST /containers/create' ? new Error('the engine is gone') : null,
    );
    await expect(create()).rejects.toThrow('the engine is gone');
    expect(kept.has(SANDBOX)).toBe(false);
    expect(calls.at(-1)).toMatch(/^DELETE \/volumes\//);
  });

  it('is removed when it is older than its template allows, unless it has gone before', async () => {
    const { create, kept, timers, calls, logged } = await scene();
    await create();
    expect(timers.map(({ ms }) => ms)).toEqual([TEMPLATES['code-executor'].maxAgeMs]);
    timers[0]?.action();
    expect(calls.at(-1)).toBe(`DELETE /containers/${ID}`);
    expect(logged).toEqual([{ event: 'too-old', sandbox: SANDBOX, program: 'tool:fs' }]);
    await kept.drop(SANDBOX);
    expect(timers).toEqual([]);
  });
});
