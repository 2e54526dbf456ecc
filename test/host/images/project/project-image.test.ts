import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkImages, ensureImages } from '../../../../src/host/images/ensure-images.ts';
import { writeImageManifest } from '../../../../src/host/images/image-records.ts';
import { projectImage } from '../../../../src/host/images/project/project-image.ts';

const ID = `sha256:${'a'.repeat(64)}`;
const ARCHITECTURE = process.arch === 'arm64' ? 'arm64' : 'amd64';
const INSPECTED = { Id: ID, Os: 'linux', Architecture: ARCHITECTURE, Config: { Env: ['PATH=/usr/bin:/bin'] } };

type Answer = readonly [status: number, body: unknown];
let directory: string;
let answers: Readonly<Record<string, Answer>>;
let calls: string[];
const server = createServer((request, response) => {
  request.resume().once('end', () => {
    const call = `${request.method} ${(request.url ?? '').replace(/^\/v[\d.]+/, '').split('?')[0] ?? ''}`;
    calls.push(call);
    const [status, body] = answers[call] ?? [500, { message: `no answer to ${call}` }];
    response.writeHead(status).end(Buffer.isBuffer(body) ? body : JSON.stringify(body));
  });
});
const engine = () => ({ socketPath: join(directory, 'socket') });

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'fluffy-project-image-'));
  calls = [];
  await once(server.listen(join(directory, 'socket')), 'listening');
});
afterEach(() => {
  server.close();
  rmSync(directory, { recursive: true, force: true });
});

describe('an image of the user', () => {
  /** What the engine answers when a container of the image prints this. */
  const running = (
    stdout: string,
    changes: Readonly<Record<string, Answer>> = {},
  ): Readonly<Record<string, Answer>> => {
    const head = Buffer.alloc(8);
    head[0] = 1;
    head.writeUInt32BE(Buffer.byteLength(stdout), 4);
    return {
      [`GET /images/${ID}/json`]: [200, INSPECTED],
      'POST /containers/create': [201, { Id: 'c1' }],
      'POST /containers/c1/start': [200, {}],
      'POST /containers/c1/wait': [200, { StatusCode: 0 }],
      'GET /containers/c1/json': [200, { State: { OOMKilled: false, Running: false } }],
      'GET /containers/c1/logs': [200, Buffer.concat([head, Buffer.from(stdout)])],
      'DELETE /containers/c1': [200, {}],
      ...changes,
    };
  };
  const FOUND = { uid: 1000, gid: 1000, missing: [], programs: {}, direct: true, goRoot: '/go' };
  const look = () =>
    projectImage(
      { reference: 'golang:1.24', id: ID },
      {
        engine: engine(),
        projectRoot: '/home/me/project',
        uid: 1000,
        gid: 1000,
        seccomp: '{}',
        programs: '/opt/programs',
      },
    );

  test('is used as what it says and what was found in it', async () => {
    answers = running(JSON.stringify(FOUND));
    expect(await look()).toMatchObject({
      forTests: { reference: 'golang:1.24', id: ID, path: ['/usr/bin', '/bin'], env: { GOROOT: '/go' } },
    });
    expect(calls.at(-1)).toBe('DELETE /containers/c1');
  });

  test.each<readonly [string, Readonly<Record<string, Answer>>, RegExp]>([
    ['the engine does not have', { [`GET /images/${ID}/json`]: [404, {}] }, /^the engine does not have sha256:a+$/],
    ['is for another system', { [`GET /images/${ID}/json`]: [200, { ...INSPECTED, Os: 'windows' }] }, /./],
    [
      'has no shell',
      running('', { 'POST /containers/c1/wait': [200, { StatusCode: 127 }] }),
      /^no program could be run in it by \/bin\/sh \(exit code 127\)$/,
    ],
    [
      'never ends',
      running('', {
        'POST /containers/c1/wait': [500, {}],
        'GET /containers/c1/json': [200, { State: { OOMKilled: false, Running: true } }],
      }),
      /\(it did not end\)$/,
    ],
    [
      'cannot be started',
      running('', { 'POST /containers/c1/start': [500, { message: 'no mount point' }] }),
      /^the engine could not start a sandbox in it: .*no mount point/,
    ],
    [
      'runs as somebody else',
      running(JSON.stringify({ ...FOUND, uid: 0 })),
      /runs as 0:1000, and not as the owner of the project/,
    ],
    [
      'lacks a program',
      running(JSON.stringify({ ...FOUND, missing: ['/bin/rm'] })),
      /missing or does not run: \/bin\/rm$/,
    ],
  ])('that %s cannot be used', async (_what, given, why) => {
    answers = given;
    await expect(look()).rejects.toMatchObject({ code: 'image_unusable', why: expect.stringMatching(why) as string });
  });

  test('is not judged where the engine itself fails', async () => {
    answers = { [`GET /images/${ID}/json`]: [500, { message: 'disk' }] };
    await expect(look()).rejects.toMatchObject({ code: 'engine_refused' });
    answers = running('', { 'POST /containers/c1/wait': [500, { message: 'gone' }] });
    await expect(look()).rejects.toMatchObject({
      code: 'image_unusable',
      why: expect.stringContaining('gone') as string,
    });
  });
});

describe("fluffy's own images", () => {
  const record = { id: ID, source: 'b'.repeat(64), base: 'host', built_at_ms: 0 } as const;
  const options = () => ({ engine: engine(), stateHome: directory, repoRoot: process.cwd() });
  const present = (id: string): Answer => [
    200,
    [
      {
        Id: id,
        Labels: { 'fluffy.image': 'base', 'fluffy.source': record.source },
        RepoTags: [`localhost/fluffy-base:${'b'.repeat(12)}`],
      },
    ],
  ];
  const base = async () => (await checkImages(options())).find(({ name }) => name === 'base');

  test('are missing before they are built', async () => {
    answers = { 'GET /images/json': [200, []] };
    expect(await base()).toEqual({ name: 'base', kind: 'missing', why: 'it has not been built' });
  });

  test.each<readonly [string, Answer, readonly { path: string; size: number; mtime_ms: number }[], object]>([
    [
      'are missing where the engine has lost them',
      [200, []],
      [],
      { kind: 'missing', why: 'the engine no longer has it' },
    ],
    [
      'are stale where a file of the host has changed',
      present(ID),
      [{ path: '/etc/passwd', size: -1, mtime_ms: 0 }],
      { kind: 'stale', why: '/etc/passwd has changed since it was built' },
    ],
    [
      'are stale where a file of the host is gone',
      present(ID),
      [{ path: '/nowhere', size: 1, mtime_ms: 0 }],
      { kind: 'stale', why: '/nowhere has changed since it was built' },
    ],
    ['are fresh otherwise', present(ID), [], { kind: 'fresh', id: ID }],
  ])('%s', async (_what, list, inputs, expected) => {
    answers = { 'GET /images/json': list };
    await writeImageManifest(directory, { version: 1, images: { base: { ...record, inputs: [...inputs] } } });
    expect(await base()).toMatchObject(expected);
  });

  test('are not fetched by a session from a registry that somebody chose before', async () => {
    answers = { 'GET /images/json': [200, []] };
    await writeImageManifest(directory, { version: 1, images: { base: { ...record, base: 'registry' } } });
    await expect(ensureImages({ ...options(), only: [], offline: true })).rejects.toMatchObject({
      code: 'images_missing',
      fix: 'run: fluffy image build --base registry',
    });
  });

  test('are left as they are where they are fresh', async () => {
    answers = { 'GET /images/json': present(ID) };
    await writeImageManifest(directory, { version: 1, images: { base: record } });
    expect(await ensureImages({ ...options(), only: [] })).toEqual({ version: 1, images: { base: record } });
    expect(new Set(calls)).toEqual(new Set(['GET /images/json']));
  });
});
