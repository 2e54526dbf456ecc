import { chmod, lchown, lstat, mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { FluffyError } from '../../src/contracts/fluffy-error.ts';
import type { KernelChange } from '../../src/cli/supervisor/supervisor-protocol.ts';
import { FAKE_KERNEL } from './support/fake-kernel.ts';
import { newSandboxId, containerRequest } from './support/guard-fixture.ts';
import { makeProbeImage } from './support/probe-image.ts';
import { makeSupervisorFixture, status, untilGone, type SupervisorFixture } from './support/supervisor-fixture.ts';

let image: Awaited<ReturnType<typeof makeProbeImage>>;
let fixture: SupervisorFixture;
beforeAll(async () => {
  image = await makeProbeImage([
    { path: '/opt/fluffy/kernel/kernel.mjs', source: FAKE_KERNEL },
    { path: '/opt/fluffy/tools/fs-tool.mjs', source: 'setInterval(() => undefined, 1000);' },
  ]);
});
afterAll(() => image.remove());
afterEach(() => fixture.close());

const failure = (attempt: Promise<unknown>): Promise<FluffyError> =>
  attempt.then(
    () => expect.unreachable('it should have failed'),
    (error: unknown) => error as FluffyError,
  );

describe('a CLI attaches', () => {
  test('and finds a kernel without capability, network, engine socket or other processes', async () => {
    fixture = await makeSupervisorFixture(image.id);
    const kernel = await fixture.attach();
    const report = (await fixture.ask(kernel, 'test.report')) as Record<string, unknown>;
    expect(report).toEqual({
      options: {
        project_root: fixture.project,
        project_id: kernel.projectId,
        uid: 1000,
        gid: 1000,
        memory_limit_bytes: 1024 ** 3,
        provider_hosts: {
          anthropic: ['api.anthropic.com:443'],
          openai: ['api.openai.com:443'],
          google: ['generativelanguage.googleapis.com:443'],
          openrouter: ['openrouter.ai:443'],
          groq: ['api.groq.com:443'],
          deepseek: ['api.deepseek.com:443'],
          mistral: ['api.mistral.ai:443'],
          xai: ['api.x.ai:443'],
          ollama: ['127.0.0.1:11434'],
          lmstudio: ['127.0.0.1:1234'],
          vllm: ['127.0.0.1:8000'],
          llamacpp: ['127.0.0.1:8080'],
        },
        images: { kernel: image.id, node: image.id, provider: image.id, python: image.id },
        locations: { bootstrap: [], kernel: [], audit: [], state: [], keys: [] },
      },
      status: [
        'Uid: 1000 1000 1000 1000',
        'Gid: 1000 1000 1000 1000',
        'CapEff: 0000000000000000',
        'CapBnd: 0000000000000000',
        'NoNewPrivs: 1',
        'Seccomp: 2',
      ],
      interfaces: ['lo'],
      run: ['cli.sock', 'guard.sock'],
      state: [],
      engineSocket: 'ENOENT',
      rootfs: 'EROFS',
      variables: ['FLUFFY_KERNEL_OPTIONS', 'HOME', 'HOSTNAME', 'LANG', 'PATH', 'TZ'],
      processes: 1,
    });
    expect(await fixture.ask(kernel, 'test.guard', { method: 'GET', path: '/_ping' })).toEqual({
      status: 200,
      text: 'OK',
    });
  });

  test('two at once get one supervisor, and a third the same', async () => {
    fixture = await makeSupervisorFixture(image.id);
    const kernels = await Promise.all([fixture.attach(), fixture.attach()]);
    kernels.push(await fixture.attach());
    const pids = await Promise.all(kernels.map((kernel) => fixture.supervisorPid(kernel)));
    expect(new Set(pids).size).toBe(1);
    expect(await status(kernels[0]!)).toMatchObject({ attached: 3, kernel: 'running', restarts: 0 });
    expect((await fixture.leftovers()).length).toBe(1);
  });

  test('a supervisor that was killed is taken over, with everything it left', async () => {
    fixture = await makeSupervisorFixture(image.id);
    const first = await fixture.attach();
    const sandbox = newSandboxId();
    await fixture.ask(first, 'test.write', { path: '/run/fluffy/left', text: '' });
    await mkdir(join(first.runtime.l1, 'sbx', sandbox), { recursive: true });
    const created = await fixture.ask(first, 'test.guard', {
      method: 'POST',
      path: '/containers/create',
      body: containerRequest({ sandbox }),
    });
    expect(created).toMatchObject({ status: 201 });
    const pid = await fixture.supervisorPid(first);
    process.kill(pid, 'SIGKILL');
    await untilGone(pid);
    await first.closed;
    expect((await fixture.leftovers()).length).toBe(3);

    const second = await fixture.attach();
    expect(await fixture.supervisorPid(second)).not.toBe(pid);
    expect(await fixture.leftovers()).toHaveLength(1);
    expect((await readdir(second.runtime.l1)).sort()).toEqual(['cli.sock', 'guard.sock']);
  });

  test('what a supervisor that was killed left goes with the next start of another project', async () => {
    fixture = await makeSupervisorFixture(image.id);
    const first = await fixture.attach();
    const pid = await fixture.supervisorPid(first);
    process.kill(pid, 'SIGKILL');
    await untilGone(pid);
    expect(await fixture.leftovers()).toHaveLength(1);

    const other = join(fixture.root, 'other');
    await mkdir(other);
    await lchown(other, 1000, 1000);
    await fixture.attach({ projectRoot: other });
    await expect.poll(() => fixture.leftovers(), { timeout: 60_000 }).toEqual([]);
  });

  test('nothing is left when it is told to stop', async () => {
    fixture = await makeSupervisorFixture(image.id);
    const kernel = await fixture.attach();
    await fixture.stop();
    expect(await fixture.leftovers()).toEqual([]);
    await expect(lstat(kernel.runtime.root)).rejects.toThrow('ENOENT');
    await expect(lstat(join(kernel.dirs.host, 'runtime.json'))).rejects.toThrow('ENOENT');
  });

  test('with other settings it gets a supervisor of its own, unless somebody uses the old one', async () => {
    fixture = await makeSupervisorFixture(image.id);
    const first = await fixture.attach();
    const env = { ...fixture.env, FLUFFY_ANTHROPIC_BASE_URL: 'http://127.0.0.1:4010' };
    expect(await failure(fixture.attach({ env }))).toMatchObject({ code: 'supervisor_busy', exitCode: 2 });
    first.release();
    await first.closed;
    const second = await fixture.attach({ env });
    const report = (await fixture.ask(second, 'test.report')) as { options: { provider_hosts: unknown } };
    expect(report.options.provider_hosts).toMatchObject({ anthropic: ['127.0.0.1:4010'] });
  });
});

describe('a supervisor that nobody needs', () => {
  test('ends once nobody is attached and no session runs, and leaves nothing', async () => {
    fixture = await makeSupervisorFixture(image.id);
    const kernel = await fixture.attach({ idleMs: 150 });
    const pid = await fixture.supervisorPid(kernel);
    await fixture.ask(kernel, 'test.sessions', { count: 1 });
    kernel.release();
    await kernel.closed;
    const again = await fixture.attach({ idleMs: 150 });
    expect(await fixture.supervisorPid(again)).toBe(pid);
    await fixture.ask(again, 'test.sessions', { count: 0 });
    again.release();
    await untilGone(pid);
    expect(await fixture.leftovers()).toEqual([]);
  });
});

describe('a kernel that dies', () => {
  test('is started again, and whoever is attached is told', async () => {
    fixture = await makeSupervisorFixture(image.id);
    const changes: KernelChange['kind'][] = [];
    const back = Promise.withResolvers<void>();
    const kernel = await fixture.attach({
      onKernelChange(change) {
        changes.push(change.kind);
        if (change.kind === 'restarted') back.resolve();
      },
    });
    await fixture.ask(kernel, 'test.exit').catch(() => undefined);
    await back.promise;
    expect(changes).toEqual(['crashed', 'restarted']);
    expect(await fixture.ask(kernel, 'kernel.ping')).toEqual({ pid: 1, sessions: 0 });
    expect(await status(kernel)).toMatchObject({ restarts: 1 });
  });

  test('more than three times in five minutes is given up with exit code 7, and nothing is left', async () => {
    fixture = await makeSupervisorFixture(image.id);
    const given = Promise.withResolvers<KernelChange>();
    const kernel = await fixture.attach({
      onKernelChange(change) {
        if (change.kind === 'given-up') given.resolve(change);
        else if (change.kind === 'restarted') void fixture.ask(kernel, 'test.exit').catch(() => undefined);
      },
    });
    const pid = await fixture.supervisorPid(kernel);
    await fixture.ask(kernel, 'test.exit').catch(() => undefined);
    expect(await given.promise).toMatchObject({ error: { code: 'kernel_crashed', exit_code: 7 } });
    await untilGone(pid);
    expect(await fixture.leftovers()).toEqual([]);
  });

  test('at once on every start is an error with its last words', async () => {
    const broken = await makeProbeImage([
      { path: '/opt/fluffy/kernel/kernel.mjs', source: "console.error('the \\u001b[31mreason'); process.exit(9);" },
    ]);
    try {
      fixture = await makeSupervisorFixture(broken.id);
      const error = await failure(fixture.attach());
      expect(error).toMatchObject({ code: 'kernel_not_started', exitCode: 7 });
      expect(error.why).toContain('(exit code 9): the  [31mreason');
      expect(await fixture.leftovers()).toEqual([]);
    } finally {
      await broken.remove();
    }
  });
});

describe('is refused', () => {
  test('a project of root, unless it is allowed: then as uid 0 without any capability', async () => {
    fixture = await makeSupervisorFixture(image.id, { owner: 0 });
    expect(await failure(fixture.attach())).toMatchObject({ code: 'project_owned_by_root', exitCode: 2 });
    const kernel = await fixture.attach({ allowRoot: true });
    const { status: state } = (await fixture.ask(kernel, 'test.report')) as { status: string[] };
    expect(state).toContain('Uid: 0 0 0 0');
    expect(state).toContain('CapEff: 0000000000000000');
  });

  test('an engine whose images are gone, with the command that builds them', async () => {
    fixture = await makeSupervisorFixture(`sha256:${'0'.repeat(64)}`);
    expect(await failure(fixture.attach())).toMatchObject({
      code: 'images_missing',
      exitCode: 3,
      fix: 'run: fluffy image build',
    });
  });

  test('an engine that is not there', async () => {
    fixture = await makeSupervisorFixture(image.id);
    const env = { ...fixture.env, DOCKER_HOST: `unix://${join(fixture.root, 'none.sock')}`, PATH: '' };
    expect(await failure(fixture.attach({ env }))).toMatchObject({ code: 'engine_address_unreachable', exitCode: 3 });
  });

  test.each(['directory', 'link'])('a recorded directory in /tmp that became another user’s %s', async (kind) => {
    fixture = await makeSupervisorFixture(image.id, { runtimeDir: false });
    const kernel = await fixture.attach();
    expect(kernel.runtime.root).toMatch(/^\/tmp\/fluffy-\w{6}$/);
    expect(((await lstat(kernel.runtime.root)).mode & 0o777).toString(8)).toBe('700');
    process.kill(await fixture.supervisorPid(kernel), 'SIGKILL');
    await kernel.closed;
    const taken = join(fixture.root, 'taken');
    await mkdir(taken, { mode: 0o777 });
    await chmod(taken, 0o777);
    const link = join('/tmp', `fluffy-${kind.slice(0, 4)}xx`);
    await symlink(taken, link);
    const record = join(kernel.dirs.host, 'runtime.json');
    await writeFile(record, JSON.stringify({ version: 1, root: kind === 'link' ? link : taken }));
    try {
      expect(await failure(fixture.attach())).toMatchObject({ code: 'directory_unsafe', exitCode: 2 });
      expect(await readdir(taken)).toEqual([]);
    } finally {
      await rm(link);
      await writeFile(record, JSON.stringify({ version: 1, root: kernel.runtime.root }));
    }
    const again = await fixture.attach();
    expect(again.runtime.root).toBe(kernel.runtime.root);
  });

  test('a project that holds the state directory', async () => {
    fixture = await makeSupervisorFixture(image.id);
    const error = await failure(fixture.attach({ projectRoot: fixture.root, allowRoot: true }));
    expect(error).toMatchObject({ code: 'project_unsuitable', exitCode: 2 });
    expect(await readFile(join(fixture.root, 'state/fluffy/images.json'), 'utf8')).toContain(image.id);
  });
});
