import { randomBytes } from 'node:crypto';
import { lchown, mkdir, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createEngineClient } from '../../src/host/runtime-guard/engine-client.ts';
import { ENGINE, UID, containerRequest, newSandboxId, startGuardFixture } from './support/guard-fixture.ts';
import type { GuardFixture } from './support/guard-fixture.ts';
import { makeProbeImage } from './support/probe-image.ts';

/**
 * From the position of a taken-over L1, which can say anything to the guard's socket and swap anything in its own directories.
 * What counts is what the engine has afterwards.
 */
const LIST_PROBE = `
import fs from 'node:fs';
console.log(JSON.stringify(fs.readdirSync('/run/fluffy')));
`;
const engine = createEngineClient(ENGINE);

let image: Awaited<ReturnType<typeof makeProbeImage>>;
let fixture: GuardFixture;
beforeAll(async () => {
  image = await makeProbeImage([
    { path: '/opt/fluffy/tools/fs-tool.mjs', source: LIST_PROBE },
    { path: '/opt/fluffy/tools/shell-tool.mjs', source: 'setInterval(() => undefined, 1000);' },
    { path: '/opt/fluffy/providers/anthropic.mjs', source: 'setInterval(() => undefined, 1000);' },
  ]);
});
afterAll(() => image.remove());
beforeEach(async () => {
  fixture = await startGuardFixture(image.id);
});
afterEach(() => fixture.close());

/** Everything of this guard's project that the engine has. */
async function engineHas(): Promise<{ containers: string[]; volumes: string[] }> {
  const filters = encodeURIComponent(JSON.stringify({ label: [`fluffy.project=${fixture.context.projectId}`] }));
  const containers = await engine.call('GET', `/containers/json?all=1&filters=${filters}`);
  const volumes = await engine.call('GET', `/volumes?filters=${filters}`);
  return {
    containers: (containers.body as { Id: string }[]).map(({ Id }) => Id),
    volumes: ((volumes.body as { Volumes: { Name: string }[] | null }).Volumes ?? []).map(({ Name }) => Name),
  };
}
const NOTHING = { containers: [], volumes: [] };

async function created(request: unknown): Promise<string> {
  const answer = await fixture.ask('POST', '/containers/create', request);
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
  return (JSON.parse(answer.text) as { Id: string }).Id;
}

async function runningTool(): Promise<{ id: string; sandbox: string }> {
  const sandbox = newSandboxId();
  await fixture.prepare(sandbox);
  await fixture.prepareSlot('s_00000000', 0);
  const made = await fixture.ask('POST', '/volumes/create', { sandbox, session: 's_00000000', slot: 0 });
  const { Name: volume } = JSON.parse(made.text) as { Name: string };
  const id = await created(
    containerRequest({ sandbox, program: 'tool:shell', workspace: { kind: 'overlay', volume } }),
  );
  expect(await fixture.ask('POST', `/containers/${id}/start`)).toMatchObject({ status: 204 });
  return { id, sandbox };
}

/** Of an inspect answer everything but the order of its mounts, which changes from one call to the next. */
async function inspectOf(id: string): Promise<Record<string, unknown>> {
  const { body } = await engine.call('GET', `/containers/${id}/json`);
  const { Mounts = [], ...rest } = body as { Mounts?: { Destination: string }[] };
  return { ...rest, Mounts: Mounts.sort((a, b) => (a.Destination < b.Destination ? -1 : 1)) };
}

describe('a create request makes nothing', () => {
  const hostConfig = {
    Privileged: true,
    Binds: ['/:/host'],
    NetworkMode: 'host',
    PidMode: 'host',
    IpcMode: 'host',
    UTSMode: 'host',
    UsernsMode: 'host',
    CgroupnsMode: 'host',
    CapAdd: ['ALL'],
    Devices: [{ PathOnHost: '/dev/sda', PathInContainer: '/dev/sda', CgroupPermissions: 'rwm' }],
    DeviceRequests: [{ Count: -1, Capabilities: [['gpu']] }],
    SecurityOpt: ['seccomp=unconfined', 'apparmor=unconfined'],
    Mounts: [{ Type: 'bind', Source: '/', Target: '/host' }],
    VolumesFrom: ['other'],
    Runtime: 'other',
    CgroupParent: '/',
    Sysctls: { 'kernel.core_pattern': '|/x' },
    PortBindings: { '80/tcp': [{}] },
    ReadonlyRootfs: false,
    MaskedPaths: [],
    Links: ['other'],
  };
  const perHostField = Object.entries(hostConfig).map(([name, value]) => [
    `with HostConfig.${name}`,
    { HostConfig: { [name]: value } },
  ]);
  const perTopField = [...Object.entries(hostConfig), ['Image', 'other'], ['Cmd', ['/bin/sh']], ['User', '0:0']].map(
    ([name, value]) => [`with ${String(name)} beside our own fields`, { [String(name)]: value }],
  );
  test.each<[string, Record<string, unknown>]>([
    ...(perHostField as [string, Record<string, unknown>][]),
    ...(perTopField as [string, Record<string, unknown>][]),
    ['with Entrypoint', { Entrypoint: ['/usr/local/bin/node', '-e', '1'] }],
    ['with Env', { Env: ['NODE_OPTIONS=--require /var/local/x.js'] }],
    ['with Labels', { Labels: { 'fluffy.project': 'other' } }],
    ['with NetworkingConfig', { NetworkingConfig: { EndpointsConfig: { bridge: {} } } }],
    ['with another image', { image: 'kernel' }],
    ['with an image by id', { image: `sha256:${'0'.repeat(64)}` }],
    ['with an unknown program', { program: 'sh' }],
    ['with a program inherited by every object', { program: 'constructor' }],
    ['with an unknown template', { template: 'host' }],
    ['with a path for a sandbox', { sandbox: '../../etc' }],
    ['with a path behind a prefix', { sandbox: 'x_../../../etc' }],
    ['with a path for a session', { session: 's_/../../etc' }],
    ['with a dot for a sandbox', { sandbox: '.' }],
    ['with a NUL in the sandbox', { sandbox: 'x_00000000\0' }],
    ['with a newline in the sandbox', { sandbox: 'x_00000000\n' }],
    ['with capital letters', { sandbox: 'X_00000000' }],
    ['with a list for a sandbox', { sandbox: ['x_00000000'] }],
    ['with a workspace by path', { workspace: { kind: 'overlay', volume: '/etc' } }],
    ['with a workspace of options', { workspace: { kind: 'overlay', volume: 'x,device=/' } }],
    ['with a bind for a workspace', { workspace: { kind: 'bind', source: '/' } }],
    ['with a workspace that was never made', { program: 'tool:shell', workspace: { kind: 'overlay', volume: 'v' } }],
    ['with no limits', { limits: undefined }],
    ['with no memory limit', { limits: { memory_bytes: 0, cpus: 1, pids: 1, file_size_bytes: 1 } }],
    ['with a negative limit', { limits: { memory_bytes: -1, cpus: 1, pids: -1, file_size_bytes: 1 } }],
    ['with an infinite limit', { limits: { memory_bytes: 1e400, cpus: 1, pids: 1, file_size_bytes: 1 } }],
    [
      'with more than limits',
      { limits: { memory_bytes: 2 ** 27, cpus: 1, pids: 9, file_size_bytes: 9, cpuset_cpus: '0' } },
    ],
    ['with network groups outside of an integration test', { network_groups: ['x'] }],
    [
      'in an object with a foreign prototype',
      JSON.parse('{"__proto__":{"Privileged":true}}') as Record<string, unknown>,
    ],
  ])('%s', async (_name, overrides) => {
    const sandbox = newSandboxId();
    await fixture.prepare(sandbox);
    const base = containerRequest({ sandbox }) as Record<string, unknown>;
    // Spreading would set the prototype, or lose it; defining keeps the key that goes over the wire.
    const body = { ...base };
    for (const [name, value] of Object.entries(overrides))
      Object.defineProperty(body, name, { value, enumerable: true });
    const answer = await fixture.ask('POST', '/containers/create', body);
    expect(answer.status).toBe(403);
    expect(await engineHas()).toEqual(NOTHING);
  });

  test.each([
    ['the kernel socket’s directory is missing', undefined],
    ['the kernel socket’s directory is a link to the host', '/etc'],
    ['the kernel socket’s directory is a link to another sandbox', 'other'],
  ])('when %s', async (_name, target) => {
    const sandbox = newSandboxId();
    await mkdir(join(fixture.run, 'sbx/other'));
    if (target !== undefined) await symlink(target, join(fixture.run, 'sbx', sandbox));
    const answer = await fixture.ask('POST', '/containers/create', containerRequest({ sandbox }));
    expect(answer.status).toBe(403);
    expect(await engineHas()).toEqual(NOTHING);
  });

  test('when sbx itself is a link', async () => {
    const sandbox = newSandboxId();
    await mkdir(join(fixture.root, 'outside', sandbox), { recursive: true });
    await rm(join(fixture.run, 'sbx'), { recursive: true });
    await symlink(join(fixture.root, 'outside'), join(fixture.run, 'sbx'));
    expect(await fixture.ask('POST', '/containers/create', containerRequest({ sandbox }))).toMatchObject({
      status: 403,
    });
    expect(await engineHas()).toEqual(NOTHING);
  });

  test('when the host’s sockets can’t be opened, and no directory stays', async () => {
    await fixture.close();
    fixture = await startGuardFixture(image.id, { openSockets: () => Promise.reject(new Error('no key at /home/me')) });
    const sandbox = newSandboxId();
    await fixture.prepare(sandbox);
    const request = containerRequest({
      sandbox,
      program: 'provider:anthropic',
      template: 'ai-provider',
      image: 'provider',
    });
    const answer = await fixture.ask('POST', '/containers/create', request);
    expect(answer).toEqual({ status: 500, text: '{"message":"the guard could not do this"}' });
    expect(await engineHas()).toEqual(NOTHING);
    expect(await readdir(fixture.sockets)).toEqual([]);
  });
});

describe('a volume request makes nothing', () => {
  test.each<[string, Record<string, unknown>]>([
    ['with driver options', { DriverOpts: { type: 'none', o: 'bind', device: '/' } }],
    ['with a driver', { Driver: 'other' }],
    ['with a name', { Name: 'postgres' }],
    ['with labels', { Labels: {} }],
    ['with a negative slot', { slot: -1 }],
    ['with a slot beyond the pool', { slot: 64 }],
    ['with a fraction of a slot', { slot: 0.5 }],
    ['with a path for a slot', { slot: '0/../../..' }],
    ['with a path for a session', { session: '../../..' }],
    ['with a path for a sandbox', { sandbox: 'x_aaaaaaaa/../b' }],
  ])('%s', async (_name, overrides) => {
    await fixture.prepareSlot('s_00000000', 0);
    const body = { sandbox: newSandboxId(), session: 's_00000000', slot: 0, ...overrides };
    expect(await fixture.ask('POST', '/volumes/create', body)).toMatchObject({ status: 403 });
    expect(await engineHas()).toEqual(NOTHING);
  });
});

describe('a container of its own', () => {
  test('is what the template says, seen from outside', async () => {
    const { id } = await runningTool();
    const { HostConfig, Config, Mounts } = (await inspectOf(id)) as {
      HostConfig: Record<string, unknown>;
      Config: Record<string, unknown>;
      Mounts: { Destination: string; RW: boolean; Type: string }[];
    };
    expect(HostConfig).toMatchObject({
      Binds: null,
      NetworkMode: 'none',
      PidMode: '',
      IpcMode: 'private',
      UTSMode: '',
      UsernsMode: '',
      CgroupnsMode: 'private',
      Privileged: false,
      ReadonlyRootfs: true,
      CapAdd: [],
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges', `seccomp=${fixture.context.seccomp['standard-net']}`],
      Devices: [],
      Memory: 128 * 1024 * 1024,
      MemorySwap: 128 * 1024 * 1024,
      PidsLimit: 64,
    });
    expect(Config).toMatchObject({
      User: '1000:1000',
      Image: image.id,
      Entrypoint: ['/usr/local/bin/node'],
      Cmd: ['/opt/fluffy/tools/shell-tool.mjs'],
    });
    expect(Mounts.map(({ Type, Destination, RW }) => [Type, Destination, RW]).sort()).toEqual([
      ['bind', '/etc/hosts', false],
      ['volume', '/run/fluffy', false],
      ['volume', fixture.project, true],
    ]);
  });

  test.each([
    ['POST', 'exec', { Cmd: ['/usr/local/bin/node', '-e', '1'] }],
    ['POST', 'update', { Memory: 2 ** 34 }],
    ['POST', 'attach', undefined],
    ['POST', 'rename?name=other', undefined],
    ['POST', 'restart', undefined],
    ['GET', 'archive?path=/', undefined],
    ['PUT', 'archive?path=/tmp', undefined],
    ['GET', 'export', undefined],
    ['GET', 'top', undefined],
    ['GET', 'changes', undefined],
  ])('can’t be reached by %s %s', async (method, verb, body) => {
    const { id } = await runningTool();
    const before = await inspectOf(id);
    expect(await fixture.ask(method, `/containers/${id}/${verb}`, body)).toMatchObject({ status: 403 });
    expect(await inspectOf(id)).toEqual(before);
  });

  test.each(['/build', '/commit', '/images/create', '/images/load', '/auth', '/session', '/networks/create'])(
    'and POST %s is refused and logged',
    async (path) => {
      expect(await fixture.ask('POST', path, {})).toMatchObject({ status: 403 });
      await fixture.guard.close();
      expect(await fixture.guardLog()).toContain(`"path":"${path}","reason":"no such endpoint"`);
    },
  );

  test('can be removed by several at once, and leaves nothing', async () => {
    const { id, sandbox } = await runningTool();
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => fixture.ask('DELETE', `/containers/${id}?force=true&v=true`)),
    );
    for (const { status } of answers) expect([204, 404]).toContain(status);
    const workspace = `fluffy-${fixture.context.projectId.slice(0, 8)}-${sandbox}`;
    expect(await engineHas()).toEqual({ containers: [], volumes: [workspace] });
  });

  test('leaves no volume, descriptor or socket behind when it is removed', async () => {
    const descriptors = async (): Promise<number> => (await readdir('/proc/self/fd')).length;
    const before = await descriptors();
    for (let round = 0; round < 5; round++) {
      const sandbox = newSandboxId();
      await fixture.prepare(sandbox);
      const id = await created(
        containerRequest({ sandbox, program: 'provider:anthropic', template: 'ai-provider', image: 'provider' }),
      );
      await fixture.ask('POST', `/containers/${id}/start`);
      expect(await readdir(fixture.sockets)).toEqual([sandbox]);
      expect(await readdir(fixture.run)).not.toContain('guard');
      expect(await fixture.ask('DELETE', `/containers/${id}?force=true`)).toMatchObject({ status: 204 });
      expect(fixture.closedSockets.at(-1)).toBe(sandbox);
    }
    expect(await engineHas()).toEqual(NOTHING);
    expect(await readdir(fixture.sockets)).toEqual([]);
    expect(await descriptors()).toBeLessThanOrEqual(before + 1);
  });

  test('can be made only once for a sandbox, while it is there', async () => {
    const sandbox = newSandboxId();
    await fixture.prepare(sandbox);
    const attempts = await Promise.all(
      Array.from({ length: 4 }, () => fixture.ask('POST', '/containers/create', containerRequest({ sandbox }))),
    );
    expect(attempts.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect((await engineHas()).containers).toHaveLength(1);
  });

  test('that another guard made can’t be started by this one', async () => {
    // What a supervisor that was killed leaves: same labels, but nobody holds its directories.
    const copy = await engine.call('POST', '/containers/create', {
      body: {
        Image: image.id,
        Cmd: ['/usr/local/bin/node', '-e', '1'],
        Labels: {
          'fluffy.project': fixture.context.projectId,
          'fluffy.instance': fixture.context.instance,
          'fluffy.role': 'sandbox',
        },
      },
    });
    const { Id: left } = copy.body as { Id: string };
    expect(await fixture.ask('POST', `/containers/${left}/start`)).toMatchObject({ status: 403 });
    expect(await inspectOf(left)).toMatchObject({ State: { Status: 'created' } });
    expect(await fixture.ask('DELETE', `/containers/${left}?force=1`)).toMatchObject({ status: 204 });
    expect(await engineHas()).toEqual(NOTHING);
  });
});

describe('what belongs to others stays as it is', () => {
  const others: [string, (context: GuardFixture['context']) => Record<string, string>][] = [
    ['nobody', () => ({})],
    [
      'another project',
      ({ instance }) => ({
        'fluffy.project': 'ffffffffffffffff',
        'fluffy.instance': instance,
        'fluffy.role': 'sandbox',
      }),
    ],
    [
      'another user',
      ({ projectId }) => ({ 'fluffy.project': projectId, 'fluffy.instance': 'other', 'fluffy.role': 'sandbox' }),
    ],
    [
      'the kernel',
      ({ projectId, instance }) => ({
        'fluffy.project': projectId,
        'fluffy.instance': instance,
        'fluffy.role': 'kernel',
      }),
    ],
  ];

  test.each(others)('a container of %s', async (_owner, labels) => {
    const name = `fluffy-attack-${randomBytes(6).toString('hex')}`;
    const made = await engine.call('POST', `/containers/create?name=${name}`, {
      body: {
        Image: image.id,
        Cmd: ['/usr/local/bin/node', '-e', 'setInterval(() => undefined, 1000)'],
        Labels: labels(fixture.context),
        HostConfig: { NetworkMode: 'none' },
      },
    });
    const { Id: id } = made.body as { Id: string };
    try {
      await engine.call('POST', `/containers/${id}/start`);
      const before = (await inspectOf(id))['State'];
      for (const [method, path] of [
        ['POST', 'start'],
        ['POST', 'stop?t=0'],
        ['POST', 'kill'],
        ['POST', 'pause'],
        ['POST', 'unpause'],
        ['POST', 'wait'],
        ['GET', 'json'],
        ['GET', 'logs?stdout=1'],
      ] as const) {
        const answer = await fixture.ask(method, `/containers/${id}/${path}`);
        expect(answer.status, path).toBe(403);
        expect(answer.text).not.toContain('setInterval');
      }
      expect(await fixture.ask('DELETE', `/containers/${id}?force=1`)).toMatchObject({ status: 403 });
      expect(await fixture.ask('POST', `/containers/${name}/kill`)).toMatchObject({ status: 403 });
      expect((await inspectOf(id))['State']).toEqual(before);
      expect(await fixture.ask('GET', '/containers/json?all=1')).toEqual({ status: 200, text: '[]' });
    } finally {
      await engine.call('DELETE', `/containers/${id}?force=1`);
    }
  });

  test.each(others)('a volume of %s', async (_owner, labels) => {
    const name = `fluffy-${fixture.context.projectId.slice(0, 8)}-${newSandboxId()}`;
    await engine.call('POST', '/volumes/create', { body: { Name: name, Labels: labels(fixture.context) } });
    try {
      expect(await fixture.ask('DELETE', `/volumes/${name}?force=1`)).toMatchObject({ status: 403 });
      expect(await fixture.ask('GET', '/volumes')).toEqual({ status: 200, text: '{"Volumes":[]}' });
      expect(await engine.call('GET', `/volumes/${name}`)).toMatchObject({ status: 200 });
      // Nor can it be mounted: this guard has not made it.
      const sandbox = name.slice(name.indexOf('x_'));
      await fixture.prepare(sandbox);
      const request = containerRequest({
        sandbox,
        program: 'tool:shell',
        workspace: { kind: 'overlay', volume: name },
      });
      expect(await fixture.ask('POST', '/containers/create', request)).toMatchObject({ status: 403 });
    } finally {
      await engine.call('DELETE', `/volumes/${name}`);
    }
  });

  test('a volume that took the workspace’s name before is not handed over', async () => {
    const sandbox = newSandboxId();
    const name = `fluffy-${fixture.context.projectId.slice(0, 8)}-${sandbox}`;
    await engine.call('POST', '/volumes/create', { body: { Name: name } });
    try {
      await fixture.prepareSlot('s_00000000', 0);
      const answer = await fixture.ask('POST', '/volumes/create', { sandbox, session: 's_00000000', slot: 0 });
      expect(answer.status).toBe(409);
    } finally {
      await engine.call('DELETE', `/volumes/${name}`);
    }
  });
});

describe('a link that takes a directory’s place', () => {
  test('between create and start is not followed', async () => {
    const sandbox = newSandboxId();
    await fixture.prepare(sandbox);
    const outside = join(fixture.root, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'host-secret'), '');
    const directory = join(fixture.run, 'sbx', sandbox);
    await writeFile(join(directory, 'own'), '');
    const id = await created(containerRequest({ sandbox }));
    await rename(directory, `${directory}-moved`);
    await symlink(outside, directory);
    expect(await fixture.ask('POST', `/containers/${id}/start`)).toMatchObject({ status: 204 });
    await fixture.ask('POST', `/containers/${id}/wait`);
    const { text } = await fixture.ask('GET', `/containers/${id}/logs?stdout=1&stderr=1`);
    expect(text).toContain('["own"]');
  });

  test('again and again while sandboxes are made is never followed', async () => {
    const outside = join(fixture.root, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'host-secret'), '');
    await lchown(outside, UID, UID);
    const seen: string[] = [];
    let over = false;
    const sandboxes = Array.from({ length: 6 }, newSandboxId);
    for (const sandbox of sandboxes) await fixture.prepare(sandbox);
    const swap = async (sandbox: string): Promise<void> => {
      const directory = join(fixture.run, 'sbx', sandbox);
      while (!over) {
        await rename(directory, `${directory}-real`);
        await symlink(outside, directory);
        await rm(directory);
        await rename(`${directory}-real`, directory);
      }
    };
    const swapping = Promise.all(sandboxes.map(swap));
    let made = 0;
    // Each round may find its directory swapped: on a busy machine all of the first ones do.
    for (let round = 0; round < 12 || (made === 0 && round < 200); round++) {
      const sandbox = sandboxes[round % sandboxes.length] ?? '';
      const answer = await fixture.ask('POST', '/containers/create', containerRequest({ sandbox }));
      expect([201, 403]).toContain(answer.status);
      if (answer.status !== 201) continue;
      made++;
      const { Id: id } = JSON.parse(answer.text) as { Id: string };
      await fixture.ask('POST', `/containers/${id}/start`);
      await fixture.ask('POST', `/containers/${id}/wait`);
      seen.push((await fixture.ask('GET', `/containers/${id}/logs?stdout=1&stderr=1`)).text);
      await fixture.ask('DELETE', `/containers/${id}?force=1`);
    }
    over = true;
    await swapping;
    expect(made).toBeGreaterThan(0);
    for (const text of seen) expect(text).toContain('[]');
    expect(seen.join('')).not.toContain('host-secret');
  });
});

describe('what L1 is told', () => {
  test('names no path and no process of the host', async () => {
    const { id } = await runningTool();
    const inspected = await fixture.ask('GET', `/containers/${id}/json`);
    expect(inspected.status).toBe(200);
    const withoutProject = inspected.text.replaceAll(fixture.project, '');
    expect(withoutProject).not.toMatch(/\/var\/lib|\/proc\/\d|\/tmp\/fluffy|"Pid"|docker\.sock/);
    expect(inspected.text).toContain('"seccomp=standard-net"');
    const listed = await fixture.ask('GET', '/containers/json');
    expect(JSON.parse(listed.text)).toEqual([
      {
        Id: id,
        State: 'running',
        Labels: expect.objectContaining({ 'fluffy.role': 'sandbox' }) as unknown,
      },
    ]);
    expect(await fixture.ask('GET', '/images/json')).toMatchObject({ status: 200 });
  });

  test('an anchor is passed on only in its one form', async () => {
    const head = 'a'.repeat(64);
    expect(await fixture.ask('POST', '/fluffy/anchor', { entries: 3, head })).toEqual({
      status: 200,
      text: '{"anchored":3}',
    });
    for (const body of [{ entries: -1, head }, { entries: 3, head: 'x' }, { entries: 3, head, key: 'x' }, {}])
      expect(await fixture.ask('POST', '/fluffy/anchor', body)).toMatchObject({ status: 403 });
  });

  test('refusals are in the host’s log', async () => {
    await fixture.ask('POST', '/containers/create', { HostConfig: { Privileged: true } });
    await fixture.guard.close();
    const lines = (await readFile(join(fixture.root, 'guard.log'), 'utf8')).trimEnd().split('\n');
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      event: 'refused',
      method: 'POST',
      path: '/containers/create',
      reason: 'not a container request',
    });
  });
});
