import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EngineVolumeCreate } from '../../../src/host/runtime-guard/build-volume.ts';
import type { EngineAnswer } from '../../../src/host/runtime-guard/engine-client.ts';
import type { GuardContext } from '../../../src/host/runtime-guard/guard-context.ts';
import { openAbsolute } from '../../../src/host/runtime-guard/held-directory.ts';
import { createVolumeCalls } from '../../../src/host/runtime-guard/volume-calls.ts';

const SESSION = 's_session00';
const REQUEST = { sandbox: 'x_sandbox00', session: SESSION, slot: 0 };
const NAME = 'fluffy-01234567-x_sandbox00';
const OURS = { 'fluffy.project': '0123456789abcdef', 'fluffy.instance': 'aabbccdd', 'fluffy.role': 'sandbox' };

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'fluffy-volumes-')));
  for (const path of [
    'project',
    `staging/${SESSION}`,
    'slots/0/upper',
    'slots/0/work',
    'slots/1/upper',
    'slots/1/work',
  ])
    mkdirSync(join(root, path), { recursive: true });
});
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
  rmSync(root, { recursive: true, force: true });
});

/** An engine that makes every volume as requested, except where `answers` has another answer. */
async function scene(answers: Readonly<Record<string, EngineAnswer | Error>> = {}) {
  const calls: string[] = [];
  const engine = {
    call: (method: string, path: string, { body }: { body?: EngineVolumeCreate } = {}) => {
      calls.push(`${method} ${path}`);
      const answer = answers[method];
      if (answer instanceof Error) return Promise.reject(answer);
      if (answer !== undefined) return Promise.resolve(answer);
      if (method === 'GET') return Promise.resolve({ status: 200, body: { Name: NAME, Labels: OURS } });
      if (method === 'DELETE') return Promise.resolve({ status: 204, body: null });
      return Promise.resolve({ status: 201, body: { Name: body?.Name, Labels: {}, Options: body?.DriverOpts } });
    },
  };
  const state = await openAbsolute(root);
  if (state.kind !== 'held') throw new Error(state.kind);
  const context = { projectId: '0123456789abcdef', instance: 'aabbccdd', projectRoot: join(root, 'project') };
  const volumes = createVolumeCalls({
    engine: { ...engine, stream: () => Promise.reject(new Error('no volume has a stream')) },
    context: { ...context, borrowedObjects: null } as GuardContext,
    state: state.directory,
  });
  open.push(
    () => volumes.releaseAll(),
    () => state.directory.close(),
  );
  return { volumes, calls };
}

describe('a workspace', () => {
  test('is made once for a sandbox, and no two have one slot', async () => {
    const { volumes, calls } = await scene();
    expect(await volumes.create(REQUEST)).toEqual({ kind: 'json', status: 201, body: { Name: NAME } });
    expect(await volumes.create({ ...REQUEST, slot: 1 })).toMatchObject({
      status: 409,
      body: { message: 'this sandbox has a workspace already' },
    });
    expect(await volumes.create({ ...REQUEST, sandbox: 'x_sandbox01' })).toMatchObject({
      status: 409,
      body: { message: 'the slot is in use' },
    });
    expect(calls).toEqual(['POST /volumes/create']);
  });

  const LAYER = 'a'.repeat(64);
  test.each<readonly [string, object, string]>([
    ['a field that is unknown', { ...REQUEST, path: '/' }, 'not a volume request'],
    ['a session without staging', { ...REQUEST, session: 's_session99' }, 'staging: missing'],
    ['a slot that is not there', { ...REQUEST, slot: 9 }, 'upper: missing; work: missing'],
    ['a slot that is a link', { ...REQUEST, slot: 5 }, 'upper: ENOTDIR; work: ENOTDIR'],
    [
      'a layer that is not there',
      { ...REQUEST, layers: [LAYER] },
      `${LAYER}/packages: missing; ${LAYER}/hiding: missing`,
    ],
  ])('is refused for %s, and nothing is held or made', async (_what, request, reason) => {
    symlinkSync(join(root, 'slots/0'), join(root, 'slots/5'));
    const { volumes, calls } = await scene();
    expect(await volumes.create(request)).toEqual({ kind: 'refused', reason });
    expect([calls, volumes.has(NAME)]).toEqual([[], false]);
  });

  test.each<readonly [string, EngineAnswer, object]>([
    ['fails', { status: 500, body: { message: 'no' } }, { kind: 'engine-error', status: 500 }],
    [
      'has another volume of that name',
      { status: 201, body: { Name: NAME, Options: { o: 'lowerdir=/' } } },
      { kind: 'json', status: 409, body: { message: 'a volume of this name is there already' } },
    ],
  ])('is not held when the engine %s', async (_what, answer, expected) => {
    const { volumes } = await scene({ POST: answer });
    expect(await volumes.create(REQUEST)).toMatchObject(expected);
    expect(volumes.has(NAME)).toBe(false);
  });

  test('is not held when the engine does not answer', async () => {
    const { volumes } = await scene({ POST: new Error('the engine is gone') });
    await expect(volumes.create(REQUEST)).rejects.toThrow('the engine is gone');
    expect(volumes.has(NAME)).toBe(false);
  });
});

describe('removing a workspace', () => {
  test.each<readonly [string, Readonly<Record<string, EngineAnswer>>, object, boolean]>([
    ['lets go of its directories', {}, { kind: 'empty', status: 204 }, false],
    ['that the engine no longer has lets go of them too', { GET: { status: 404, body: {} } }, { status: 404 }, false],
    [
      'of another project is refused',
      { GET: { status: 200, body: { Name: NAME, Labels: { ...OURS, 'fluffy.project': 'fedcba9876543210' } } } },
      { kind: 'refused', reason: 'not a volume of this project' },
      true,
    ],
    [
      'that is in use leaves them held',
      { DELETE: { status: 409, body: { message: 'in use' } } },
      { kind: 'engine-error', status: 409 },
      true,
    ],
  ])('%s', async (_what, answers, expected, held) => {
    const { volumes, calls } = await scene(answers);
    await volumes.create(REQUEST);
    expect(await volumes.remove(NAME, {})).toMatchObject(expected);
    expect(volumes.has(NAME)).toBe(held);
    expect(calls.some((call) => call.startsWith('DELETE'))).toBe(!('GET' in answers));
  });
});
