import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PackageRequest } from '../../../src/contracts/sandbox/package-managers.ts';
import { expectDone, performJob } from '../../support/wire/package-job.ts';
import type { DoneJob } from '../../support/wire/package-job.ts';
import { archiveOf, startPackageRegistry } from '../../support/wire/package-registry.ts';
import type { PackageRegistry, ScriptedPackage } from '../../support/wire/package-registry.ts';

/** npm itself, with the real egress gate, against a registry on the loopback. */

const MANIFEST = '{\n  "name": "app",\n  "version": "1.0.0"\n}\n';
const PLAIN: ScriptedPackage = {
  name: 'plain',
  version: '1.2.3',
  manifest: { license: 'MIT', main: 'index.js' },
  entries: [{ name: 'package/index.js', text: 'module.exports = 42;\n' }],
};
const SCRIPTED: ScriptedPackage = {
  name: 'scripted',
  version: '1.0.0',
  manifest: { scripts: { install: "node -e \"require('fs').writeFileSync('ran', '')\"" } },
};

// Several starts of a real package manager each, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

let home: string;
let registry: PackageRegistry | null = null;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'fl-'));
});
afterEach(async () => {
  await registry?.close();
  registry = null;
  await rm(home, { recursive: true });
});

interface Given {
  readonly packages: readonly ScriptedPackage[];
  readonly request?: PackageRequest;
  readonly manifest?: string;
  readonly lockfile?: string | null;
  readonly members?: Readonly<Record<string, string>>;
  readonly base?: string;
  readonly installScripts?: readonly string[];
  readonly registryUrl?: string;
  readonly fetchTimeoutMs?: number;
}

const add = (name: string): PackageRequest => ({ kind: 'add', name, dev: false });

async function perform(given: Given): Promise<DoneJob> {
  registry ??= await startPackageRegistry(given.packages);
  const { packages: _, request = add('plain'), manifest = MANIFEST, lockfile = null, registryUrl, ...rest } = given;
  const env = { npm_config_registry: registryUrl ?? registry.url };
  return performJob({ manager: 'npm', home, env, request, manifest, lockfile, ...rest });
}

test('packages that are fetched are counted, of how many where the lockfile says so', async () => {
  const { report, counts } = await perform({ packages: [PLAIN] });
  expect(counts).toBe('1 0\n');
  const { manifest, lockfile } = expectDone(report);
  const again = await perform({ packages: [PLAIN], request: { kind: 'install' }, manifest, lockfile });
  expect(again.counts).toBe('1 1\n');
});

describe('a workspace', () => {
  const manifest = '{\n  "name": "app",\n  "workspaces": [\n    "packages/*"\n  ]\n}\n';
  const member = (name: string, more: object): string => JSON.stringify({ name, version: '1.0.0', ...more });
  const members = {
    'packages/a': member('@x/a', { dependencies: { '@x/b': '^1.0.0' } }),
    'packages/b': member('@x/b', { bin: 'cli.js', dependencies: { plain: '1.0.0' } }),
  };
  const packages = [{ ...PLAIN, version: '1.0.0' }, PLAIN];

  test('gets a package in one of its members, and is installed again from the lockfile with its members linked', async () => {
    const request = { ...add('plain'), directory: 'packages/a' } as PackageRequest;
    const { report, out } = await perform({ packages, manifest, members, request });
    const done = expectDone(report);
    expect(done.manifest).toBe(manifest);
    expect(done.members?.['packages/b']).toBe(members['packages/b']);
    expect(JSON.parse(done.members?.['packages/a'] ?? '')).toMatchObject({ dependencies: { plain: '^1.2.3' } });
    expect(done.facts.map(({ name, version }) => `${name}@${version}`)).toContain('plain@1.2.3');
    expect(await readlink(join(out, 'project/node_modules/@x/b'))).toBe('../../packages/b');

    const again = await perform({
      packages,
      manifest,
      members: { ...done.members },
      lockfile: done.lockfile,
      request: { kind: 'install' },
    });
    expect(expectDone(again.report).lockfile).toBe(done.lockfile);
    const project = join(again.out, 'project');
    expect(await readlink(join(project, 'node_modules/.bin/b'))).toBe('../@x/b/cli.js');
    const versions = [];
    for (const place of ['node_modules/plain', 'packages/b/node_modules/plain', 'packages/a/node_modules/plain']) {
      const text = await readFile(join(project, place, 'package.json'), 'utf8').catch(() => '{}');
      versions.push((JSON.parse(text) as { version?: string }).version);
    }
    expect(versions.filter((each) => each !== undefined).sort()).toEqual(['1.0.0', '1.2.3']);
  });

  test('whose lockfile does not know a member is out of step', async () => {
    const { 'packages/a': _, ...fewer } = members;
    const first = await perform({
      packages,
      manifest,
      members: fewer,
      request: { ...add('plain'), directory: 'packages/b' } as PackageRequest,
    });
    const { lockfile, members: changed } = expectDone(first.report);
    const { report } = await perform({
      packages,
      manifest,
      members: { ...changed, 'packages/a': members['packages/a'] },
      lockfile,
      request: { kind: 'install' },
    });
    expect(report).toMatchObject({ kind: 'failed', failure: 'out_of_step' });
    expect(report.kind === 'failed' ? report.message : '').toContain('@x/a');
  });
});

describe('adding a package', () => {
  test('changes manifest and lockfile, installs it, and tells what the registry says', async () => {
    const { report, attempts, out } = await perform({ packages: [PLAIN] });
    const done = expectDone(report);
    expect(JSON.parse(done.manifest)).toEqual({ name: 'app', version: '1.0.0', dependencies: { plain: '^1.2.3' } });
    expect(done.lockfile).toContain('"node_modules/plain"');
    expect(done.facts).toEqual([
      { name: 'plain', version: '1.2.3', published_ms: Date.UTC(2020, 0, 2, 3, 4, 5), maintainers: 2, licence: 'MIT' },
    ]);
    expect(await readFile(join(out, 'project/node_modules/plain/index.js'), 'utf8')).toContain('42');
    expect(attempts).toEqual([expect.objectContaining({ outcome: 'allowed' })]);
  });

  test.each([
    ['a name that does not exist', { packages: [PLAIN], request: add('absent') }, 'not_found', 'absent'],
    [
      'a version that does not exist',
      { packages: [PLAIN], request: { ...add('plain'), version: '9.9.9' } as PackageRequest },
      'not_found',
      'plain@9.9.9',
    ],
    [
      'an archive with a link',
      { packages: [{ ...PLAIN, entries: [{ name: 'package/passwd', linkTo: '/etc/passwd' }] }] },
      'unsafe_archive',
      'plain@1.2.3: "package/passwd" in it is a link',
    ],
    [
      'an archive that climbs',
      { packages: [{ ...PLAIN, entries: [{ name: 'package/../../../evil', text: 'x' }] }] },
      'unsafe_archive',
      'leads out of the package',
    ],
    [
      'a digest that is not the archive’s',
      { packages: [{ ...PLAIN, liesAboutIntegrity: true }] },
      'integrity',
      'sha512',
    ],
    [
      'a dependency that does not exist',
      { packages: [{ ...PLAIN, manifest: { dependencies: { absent: '1.0.0' } } }] },
      'not_found',
      'absent@1.0.0, which plain needs',
    ],
    [
      'a dependency from git',
      { packages: [{ ...PLAIN, manifest: { dependencies: { other: 'git+https://localhost/a/b.git' } } }] },
      'other',
      'comes from a git repository',
    ],
    ['a registry that hangs', { packages: [{ ...PLAIN, hangs: true }], fetchTimeoutMs: 500 }, 'unreachable', ''],
    ['no registry', { packages: [], registryUrl: 'http://localhost:9' }, 'unreachable', 'localhost:9'],
  ] satisfies readonly [string, Given, string, string][])(
    '%s is a failure with its reason',
    async (_what, given, failure, message) => {
      const { report } = await perform(given);
      expect(report).toMatchObject({ kind: 'failed', failure });
      expect(report.kind === 'failed' ? report.message : '').toContain(message);
    },
  );

  test('a dependency from another host gets no connection, and the gate has seen it', async () => {
    const foreign = { ...PLAIN, manifest: { dependencies: { other: 'http://localhost:9/other.tgz' } } };
    const { report, attempts } = await perform({ packages: [foreign] });
    expect(report).toMatchObject({ kind: 'failed', failure: 'refused' });
    expect(attempts).toContainEqual(expect.objectContaining({ target: 'localhost:9', outcome: 'refused' }));
  });

  test('the project decides nothing: no script of its own is run', async () => {
    const manifest = JSON.stringify({ name: 'app', scripts: { preinstall: 'touch ran', postinstall: 'touch ran' } });
    const { report, out } = await perform({ packages: [PLAIN], manifest });
    expectDone(report);
    expect(await readdir(join(out, 'project'))).toEqual(['node_modules', 'package-lock.json', 'package.json']);
  });
});

describe('an install script', () => {
  test('does not run', async () => {
    const { report, out } = await perform({ packages: [SCRIPTED], request: add('scripted') });
    expect(expectDone(report).scripts_run).toEqual([]);
    expect(await readdir(join(out, 'project/node_modules/scripted'))).toEqual(['package.json']);
  });

  test('runs where the user allows it by name', async () => {
    const given = { packages: [SCRIPTED], request: add('scripted'), installScripts: ['scripted'] };
    const { report, out } = await perform(given);
    expect(expectDone(report).scripts_run).toEqual(['scripted']);
    expect(await readdir(join(out, 'project/node_modules/scripted'))).toContain('ran');
  });
});

describe('a lockfile that lies about a package', () => {
  const evil: ScriptedPackage = { ...SCRIPTED, name: 'evil' };
  /** Its archive says that it is the one which the user allows. */
  const masked: ScriptedPackage = {
    ...SCRIPTED,
    name: 'masked',
    entries: [
      {
        name: 'package/package.json',
        text: JSON.stringify({ ...SCRIPTED.manifest, name: 'scripted', version: '1.0.0' }),
      },
    ],
  };
  const packages = [SCRIPTED, evil, masked, { ...PLAIN, version: '1.0.0' }, PLAIN];
  const manifest = JSON.stringify({ name: 'app', dependencies: { scripted: '^1.0.0' } });
  const digestOf = (each: ScriptedPackage): string =>
    `sha512-${createHash('sha512').update(archiveOf(each)).digest('base64')}`;

  async function install(entry: object): Promise<DoneJob> {
    registry ??= await startPackageRegistry(packages);
    const [root, place] = ['', 'node_modules/scripted'];
    const scripted = { version: '1.0.0', hasInstallScript: true, ...entry };
    const own = { name: 'app', dependencies: { scripted: '^1.0.0' } };
    const lockfile = JSON.stringify({ name: 'app', lockfileVersion: 3, packages: { [root]: own, [place]: scripted } });
    const given = { packages, manifest, lockfile, request: { kind: 'install' as const } };
    return perform({ ...given, installScripts: ['scripted'] });
  }

  test.each([
    [
      'another package’s archive',
      () => ({ resolved: `${registry?.url}/evil/-/1.0.0.tgz`, integrity: digestOf(evil) }),
      'evil@1.0.0',
    ],
    [
      'an archive that lies too',
      () => ({ resolved: `${registry?.url}/masked/-/1.0.0.tgz`, integrity: digestOf(masked) }),
      'the lockfile has scripted@1.0.0 from',
    ],
    [
      'the right address of another archive',
      () => ({ resolved: `${registry?.url}/plain/-/1.0.0.tgz`, integrity: digestOf({ ...PLAIN, version: '1.0.0' }) }),
      'plain@1.0.0',
    ],
    [
      'two digests',
      () => ({
        resolved: `${registry?.url}/scripted/-/1.0.0.tgz`,
        integrity: `${digestOf(SCRIPTED)} ${digestOf(evil)}`,
      }),
      'several digests',
    ],
    [
      'a version that is not the archive’s',
      () => ({ version: '1.0.1', resolved: `${registry?.url}/scripted/-/1.0.0.tgz`, integrity: digestOf(SCRIPTED) }),
      'scripted@1.0.0',
    ],
  ] as const)('gets nothing installed and no script run: %s', async (_what, entry, message) => {
    registry = await startPackageRegistry(packages);
    const { report, out } = await install(entry());
    expect(report).toMatchObject({
      kind: 'failed',
      failure: 'impostor',
      message: expect.stringContaining(message) as string,
    });
    expect(await readdir(join(out, 'project/node_modules/scripted'))).not.toContain('ran');
  });

  test('a script runs where lockfile, registry and archive agree', async () => {
    registry = await startPackageRegistry(packages);
    const honest = { resolved: `${registry.url}/scripted/-/1.0.0.tgz`, integrity: digestOf(SCRIPTED) };
    const { report } = await install(honest);
    expect(expectDone(report)).toMatchObject({
      scripts_run: ['scripted'],
      facts: [{ name: 'scripted', maintainers: 2 }],
    });
  });
});

describe('installing from a lockfile', () => {
  test('installs what it names, and changes nothing', async () => {
    const first = expectDone((await perform({ packages: [PLAIN] })).report);
    const { lockfile, manifest } = first;
    const { report, out } = await perform({ packages: [PLAIN], request: { kind: 'install' }, manifest, lockfile });
    expect(expectDone(report)).toMatchObject({ manifest, lockfile });
    expect(await readdir(join(out, 'project/node_modules/plain'))).toContain('index.js');
  });

  test('that names the registry of npm itself, which stands for that of the user, is installed from there', async () => {
    const first = expectDone((await perform({ packages: [PLAIN] })).report);
    const npm = { PATH: process.env['PATH'], HOME: home, npm_config_globalconfig: join(home, 'none') };
    const standard = execFileSync('npm', ['config', 'get', 'registry'], {
      cwd: home,
      env: npm,
      encoding: 'utf8',
    }).trim();
    const lock = JSON.parse(first.lockfile) as { packages: Record<string, { resolved?: string }> };
    const entry = lock.packages['node_modules/plain'] ?? {};
    entry.resolved = `${standard}plain/-/plain-1.2.3.tgz`;
    const given = { packages: [PLAIN], request: { kind: 'install' as const }, manifest: first.manifest };
    const { report } = await perform({ ...given, lockfile: JSON.stringify(lock) });
    expectDone(report);
    expect(registry?.asked).toContain('/plain/-/plain-1.2.3.tgz');
  });

  test('without addresses and digests is installed by names and versions, and its archives are looked at', async () => {
    const first = expectDone((await perform({ packages: [PLAIN] })).report);
    const lock = JSON.parse(first.lockfile) as { packages: Record<string, object> };
    lock.packages['node_modules/plain'] = { version: '1.2.3' };
    const given = { request: { kind: 'install' as const }, manifest: first.manifest, lockfile: JSON.stringify(lock) };
    const { out } = await perform({ packages: [PLAIN], ...given });
    expect(await readdir(join(out, 'project/node_modules/plain'))).toContain('index.js');

    await registry?.close();
    registry = null;
    const packages = [{ ...PLAIN, entries: [{ name: 'package/passwd', linkTo: '/etc/passwd' }] }];
    expect((await perform({ packages, ...given })).report).toMatchObject({ kind: 'failed', failure: 'unsafe_archive' });
  });

  test('that lies about a digest installs nothing', async () => {
    const first = expectDone((await perform({ packages: [PLAIN] })).report);
    const lockfile = first.lockfile.replace(/sha512-[^"]+/, `sha512-${Buffer.alloc(64).toString('base64')}`);
    const given = { packages: [PLAIN], request: { kind: 'install' as const }, manifest: first.manifest, lockfile };
    expect((await perform(given)).report).toMatchObject({ kind: 'failed', failure: 'integrity' });
  });

  test('that does not fit the manifest is a failure', async () => {
    const first = expectDone((await perform({ packages: [PLAIN] })).report);
    await registry?.close();
    registry = null;
    const manifest = first.manifest.replace('^1.2.3', '^2.0.0');
    const packages = [PLAIN, { ...PLAIN, version: '2.0.0' }];
    const given = { packages, request: { kind: 'install' as const }, manifest, lockfile: first.lockfile };
    expect((await perform(given)).report).toMatchObject({ kind: 'failed', failure: 'out_of_step' });
  });
});
