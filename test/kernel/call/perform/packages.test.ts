import { describe, expect, it } from 'vitest';
import type { PackageReport } from '../../../../src/contracts/sandbox/package-managers.ts';
import { layerIdOf } from '../../../../src/lib/packages/layer-id.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';
import type { TestKernelOptions } from '../../../support/kernel/test-kernel.ts';
import { callTool } from '../../../support/kernel/calls.ts';

const MANIFEST = '{ "name": "app" }\n';
const ADDED = '{ "name": "app", "dependencies": { "ms": "^2.1.3" } }\n';
const LOCK = JSON.stringify({
  lockfileVersion: 3,
  packages: { '': {}, 'node_modules/ms': { version: '2.1.3', integrity: 'sha512-x', hasInstallScript: true } },
});
const DONE: Extract<PackageReport, { kind: 'done' }> = {
  kind: 'done',
  manifest: ADDED,
  lockfile: LOCK,
  facts: [{ name: 'ms', version: '2.1.3', published_ms: 1, maintainers: 2, licence: 'MIT' }],
  scripts_run: [],
  scripts_skipped: [],
};

function kernelWith(report: PackageReport, options: TestKernelOptions = {}) {
  const kernel = testKernel({
    state: 'test_writing',
    files: { 'package.json': MANIFEST },
    answer: 'approve',
    ...options,
  });
  kernel.sandboxes.runPackages = () => report;
  return kernel;
}
const add = (kernel: ReturnType<typeof kernelWith>, input: object = { name: 'ms' }) =>
  callTool(kernel, 'deps.add', input);
const install = (kernel: ReturnType<typeof kernelWith>) => callTool(kernel, 'deps.install', {});

describe('deps.add', () => {
  it('says how many packages were fetched', async () => {
    const kernel = kernelWith(DONE);
    kernel.sandboxes.fetched = [
      [1, 0],
      [2, 5],
    ];
    await add(kernel);
    expect(kernel.eventsOf('packages.fetched')).toMatchObject([
      { done: 1, total: null },
      { done: 2, total: 5 },
    ]);
  });

  it('asks a person, then stages manifest and lockfile, and keeps the packages by the lockfile', async () => {
    const kernel = kernelWith(DONE);
    const result = await add(kernel);
    expect(result).toMatchObject({ ok: true });
    expect(kernel.eventsOf('review.requested')[0]).toMatchObject({ kind: 'policy', message: 'deps.add' });
    expect(kernel.workspace.text('package.json')).toBe(ADDED);
    expect(kernel.workspace.text('package-lock.json')).toBe(LOCK);
    expect(kernel.sandboxes.layers).toEqual([layerIdOf('npm', LOCK)]);
    expect(kernel.session.snapshot.added_packages).toMatchObject([
      { name: 'ms', version: '2.1.3', requested: true, maintainers: 2, install_script: 'not-run' },
    ]);
  });

  it('fetches nothing where another program manages the packages', async () => {
    const kernel = kernelWith(DONE, { files: { 'package.json': MANIFEST, 'bun.lockb': '' } });
    expect(await add(kernel)).toMatchObject({
      ok: false,
      content: expect.stringContaining('bun.lockb exists') as string,
    });
    expect(kernel.sandboxes.packageJobs).toEqual([]);
  });

  it('says which of several lockfiles counted, to the model and to the user', async () => {
    const manifest = '{ "packageManager": "npm@10.9.0" }\n';
    const kernel = kernelWith(
      { ...DONE, manifest },
      { files: { 'package.json': manifest, 'package-lock.json': LOCK, 'yarn.lock': '' } },
    );
    expect((await install(kernel)).content).toContain(
      'package-lock.json and yarn.lock exist. Only package-lock.json was used',
    );
    expect(kernel.eventsOf('tool.finished')[0]?.summary).toContain('names npm');
  });

  it('gives pnpm the members of pnpm-workspace.yaml and the files that say how its packages are laid out', async () => {
    const files = {
      'package.json': MANIFEST,
      'pnpm-lock.yaml': "lockfileVersion: '9.0'\n",
      'pnpm-workspace.yaml': 'packages: [packages/*]\n',
      '.npmrc': 'shamefully-hoist=true\n',
      'packages/a/package.json': '{"name":"a"}',
      'other/b/package.json': '{"name":"b"}',
    };
    const kernel = kernelWith(DONE, { files });
    kernel.sandboxes.runPackages = () => ({ kind: 'failed', failure: 'other', message: 'no need' });
    await install(kernel);
    expect(kernel.sandboxes.packageJobs).toMatchObject([
      {
        manager: 'pnpm',
        job: {
          members: { 'packages/a': '{"name":"a"}' },
          settings: { 'pnpm-workspace.yaml': files['pnpm-workspace.yaml'], '.npmrc': files['.npmrc'] },
        },
      },
    ]);
  });

  it.each([
    ['uv', ['uv.lock', 'requirements.txt']],
    ['pylock', ['pylock.toml']],
    ['pip', ['requirements.txt']],
    ['pyproject', []],
  ])('takes pyproject.toml for what %s manages by the files beside it', async (manager, beside) => {
    const files = Object.fromEntries([...beside.map((path) => [path, 'x']), ['pyproject.toml', '']]) as Record<
      string,
      string
    >;
    const kernel = kernelWith(DONE, { files });
    kernel.sandboxes.runPackages = () => ({ kind: 'failed', failure: 'other', message: 'no need' });
    const { content } = await install(kernel);
    const asked = kernel.sandboxes.packageJobs[0]?.manager;
    // Nothing of these can be used: whose words refuse it says whose they were.
    const words =
      { uv: 'uv.lock', pylock: 'pylock.toml', pip: 'no need', pyproject: 'lists no packages' }[manager] ?? '';
    expect([asked, content]).toEqual([manager === 'pip' ? 'pip' : undefined, expect.stringContaining(words)]);
  });

  it('says what manages the packages of a pyproject.toml where it cannot', async () => {
    const kernel = kernelWith(DONE, { files: { 'pyproject.toml': '', 'poetry.lock': '' } });
    expect((await install(kernel)).content).toContain('not managed only by pyproject: poetry.lock exists');
    expect((await install(kernel)).content).toContain('POETRY_VIRTUALENVS_IN_PROJECT=1 poetry install');
  });

  it('fetches nothing for a Python that another image has', async () => {
    const kernel = kernelWith(DONE, { files: { 'requirements.txt': '' } });
    const image = { reference: 'stack:1', id: 'sha256:1', node: '/node', path: [], env: {} };
    Object.assign(kernel.services.options, { project_image: image });
    const { content } = await install(kernel);
    expect([content, kernel.sandboxes.packageJobs]).toEqual([expect.stringContaining('the Python of stack:1'), []]);
  });

  it('knows the version that came where the manifest has a range', async () => {
    const before = '[project]\nname = "a"\ndependencies = []\n';
    const after = before.replace('[]', '["ms>=2"]');
    const report = { ...DONE, manifest: after, lockfile: after };
    const kernel = kernelWith(report, { files: { 'pyproject.toml': before } });
    await add(kernel, { name: 'ms', version: '>=2' });
    expect(kernel.session.snapshot.added_packages).toMatchObject([
      { manager: 'pyproject', name: 'ms', version: '2.1.3', licence: 'MIT', requested: true },
    ]);
  });

  it('names the program whose configuration counts', async () => {
    const files = { 'pyproject.toml': '[project]\nname = "a"\ndependencies = ["six"]\n' };
    const kernel = kernelWith({ kind: 'failed', failure: 'unreachable', message: 'timed out' }, { files });
    expect((await install(kernel)).content).toContain('the registry in the configuration of pip');
  });

  it('fetches nothing where the person says no', async () => {
    const kernel = kernelWith(DONE, { answer: { reject: 'no' } });
    expect(await add(kernel)).toMatchObject({ ok: false });
    expect(kernel.sandboxes.packageJobs).toEqual([]);
  });

  it('fetches nothing where no person is there', async () => {
    const kernel = kernelWith(DONE, { options: { interactive: false } });
    expect(await add(kernel)).toMatchObject({
      ok: false,
      content: expect.stringContaining('review_required') as string,
    });
    expect(kernel.sandboxes.packageJobs).toEqual([]);
  });

  it('tells the person of a name that imitates another', async () => {
    const kernel = kernelWith(DONE);
    await add(kernel, { name: 'lodahs' });
    expect(kernel.eventsOf('review.requested')[0]?.reasons.join()).toContain('one letter away from lodash');
  });

  it('shows the package manager manifest and lockfile alone', async () => {
    const kernel = kernelWith(DONE, { files: { 'package.json': MANIFEST, '.npmrc': 'registry=http://evil/' } });
    await add(kernel, { name: 'ms', version: '^2', dev: true });
    expect(kernel.sandboxes.packageJobs[0]?.job).toMatchObject({
      request: { kind: 'add', name: 'ms', version: '^2', dev: true },
      manifest: MANIFEST,
      lockfile: null,
    });
  });

  it('keeps and stages nothing of a report that changes more than was asked for', async () => {
    const kernel = kernelWith({ ...DONE, manifest: '{ "name": "app", "scripts": { "test": "evil" } }' });
    expect(await add(kernel)).toMatchObject({
      ok: false,
      content: expect.stringContaining('sandbox_failed') as string,
    });
    expect(kernel.sandboxes.layers).toEqual([]);
    expect(kernel.workspace.text('package.json')).toBe(MANIFEST);
  });

  it.each([
    ['not_found', 'ms', 'no such package'],
    ['unreachable', 'connection timed out', 'cannot be reached'],
    ['refused', 'evil:443: not on the list', 'egress gate refused'],
    ['integrity', 'sha512', 'integrity'],
    ['impostor', 'a@1 is b', 'its archive is another'],
    ['unsafe_archive', '"x" is a link', 'archive was refused'],
  ] as const)('says what to do about %s', async (failure, message, text) => {
    const kernel = kernelWith({ kind: 'failed', failure, message });
    const { ok, content } = await add(kernel);
    expect({ ok, content }).toEqual({ ok: false, content: expect.stringContaining(text) as string });
  });

  it('has every connection in the audit log, the refused ones as denied', async () => {
    const kernel = kernelWith(DONE);
    kernel.sandboxes.attempts = [
      { target: 'registry.example:443', outcome: 'allowed', count: 3 },
      { target: 'evil.example:443', outcome: 'refused', reason: 'not on the list', count: 1 },
    ];
    await add(kernel);
    const connections = kernel.audit.durable.filter((entry) => entry.event_type === 'network_connection');
    expect(connections.map((entry) => [entry.input_summary, entry.policy_decision])).toEqual([
      ['registry.example:443 (3 times)', 'allowed'],
      ['evil.example:443', 'denied'],
    ]);
  });

  it.each(['https://evil/x.tgz', 'file:../x', 'npm:other@1', 'git+ssh://x'])('takes no version %s', async (version) => {
    const kernel = kernelWith(DONE);
    expect(await add(kernel, { name: 'ms', version })).toMatchObject({
      ok: false,
      content: expect.stringContaining('invalid_input') as string,
    });
  });
});

describe('a workspace', () => {
  const TOP = '{ "name": "app", "workspaces": ["packages/*", "!packages/old"] }\n';
  const MEMBER = '{ "name": "@x/a" }\n';
  const WITH_MS = '{ "name": "@x/a", "dependencies": { "ms": "^2.1.3" } }\n';
  const files = {
    'package.json': TOP,
    'packages/a/package.json': MEMBER,
    'packages/b/package.json': '{}',
    'packages/old/package.json': '{}',
  };
  const members = { 'packages/a': WITH_MS, 'packages/b': '{}' };

  it('shows the package manager the manifests of its members, and has the changed one staged', async () => {
    const kernel = kernelWith({ ...DONE, manifest: TOP, members }, { files });
    expect(await add(kernel, { name: 'ms', directory: 'packages/a' })).toMatchObject({ ok: true });
    expect(kernel.sandboxes.packageJobs[0]?.job.members).toEqual({ 'packages/a': MEMBER, 'packages/b': '{}' });
    expect(kernel.workspace.text('packages/a/package.json')).toBe(WITH_MS);
    expect(kernel.workspace.text('package.json')).toBe(TOP);
    expect(kernel.workspace.text('package-lock.json')).toBe(LOCK);
    expect(kernel.session.snapshot.added_packages).toMatchObject([{ name: 'ms', requested: true }]);
  });

  it('says which members there are where the directory is none of them', async () => {
    const kernel = kernelWith({ ...DONE, manifest: TOP, members }, { files });
    expect(await add(kernel, { name: 'ms', directory: 'packages/old' })).toMatchObject({
      ok: false,
      content: expect.stringContaining('Its members are in packages/a, packages/b') as string,
    });
    expect(kernel.sandboxes.packageJobs).toEqual([]);
  });

  it.each(['../a', '/etc', 'a/../b', './a'])('takes no directory %s', async (directory) => {
    const kernel = kernelWith(DONE, { files });
    expect(await add(kernel, { name: 'ms', directory })).toMatchObject({
      ok: false,
      content: expect.stringContaining('invalid_input') as string,
    });
  });
});

describe('deps.install', () => {
  const files = { 'package.json': ADDED, 'package-lock.json': LOCK };

  it('asks a person, and changes no file', async () => {
    const kernel = kernelWith(DONE, { files });
    expect(await install(kernel)).toMatchObject({ ok: true });
    expect(kernel.eventsOf('review.requested')).toHaveLength(1);
    expect(await kernel.workspace.changes()).toEqual([]);
    expect(kernel.sandboxes.layers).toEqual([layerIdOf('npm', LOCK)]);
  });

  it('installs for the Python with which the tests run, and keeps the packages for that one', async () => {
    const interpreter = '/home/me/.pyenv/versions/3.12.1/bin/python3.12';
    const text = 'ms==2.1.3\n';
    const report = { ...DONE, manifest: text, lockfile: text, facts: [] };
    const toolchains = [{ name: 'python', path: [], env: {}, interpreter }];
    const given = { files: { 'requirements.txt': text } };
    const kernel = kernelWith(report, { ...given, kernelOptions: { toolchains } });
    expect(await install(kernel)).toMatchObject({ ok: true });
    expect(kernel.sandboxes.packageJobs[0]?.job).toMatchObject({ interpreter });
    expect(kernel.sandboxes.layers).toEqual([layerIdOf('pip', text, interpreter)]);

    const plain = kernelWith(report, given);
    await install(plain);
    expect(plain.sandboxes.packageJobs[0]?.job.interpreter).toBeUndefined();
    expect(plain.sandboxes.layers).not.toEqual(kernel.sandboxes.layers);
  });

  it('keeps what was learned of packages that HEAD does not have, and says which they are', async () => {
    const kernel = kernelWith(DONE, { files: { 'package.json': MANIFEST } });
    await callTool(kernel, 'fs.write', { path: 'package.json', content: ADDED });
    await callTool(kernel, 'fs.write', { path: 'package-lock.json', content: LOCK });
    expect(await install(kernel)).toMatchObject({ ok: true, content: expect.stringContaining('ms@2.1.3') as string });
    expect(kernel.sandboxes.packageJobs[0]?.job).toMatchObject({ lockfile: LOCK, base_lockfile: null });
    expect(kernel.session.snapshot.added_packages).toMatchObject([
      { name: 'ms', version: '2.1.3', requested: true, maintainers: 2, install_script: 'not-run' },
    ]);
  });

  it('has nothing to say of packages that HEAD has', async () => {
    const kernel = kernelWith({ ...DONE, facts: [] }, { files });
    await install(kernel);
    expect(kernel.session.snapshot.added_packages).toEqual([]);
  });
});
