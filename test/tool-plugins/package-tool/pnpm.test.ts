import { createHash } from 'node:crypto';
import { mkdtemp, readFile, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PackageRequest } from '../../../src/contracts/sandbox/package-managers.ts';
import { PNPM_VERSIONS, pnpmOnPath } from '../../support/package-programs.ts';
import { expectDone, performJob } from '../../support/wire/package-job.ts';
import type { DoneJob } from '../../support/wire/package-job.ts';
import { archiveOf, startPackageRegistry } from '../../support/wire/package-registry.ts';
import type { PackageRegistry, ScriptedPackage } from '../../support/wire/package-registry.ts';

/** pnpm itself, with the real egress gate, against a registry on the loopback. */

const MANIFEST = '{\n  "name": "app",\n  "version": "1.0.0"\n}\n';
const PLAIN: ScriptedPackage = {
  name: 'plain',
  version: '1.2.3',
  manifest: { license: 'MIT', main: 'index.js' },
  entries: [{ name: 'package/index.js', text: 'module.exports = 42;\n' }],
};
const OLDER: ScriptedPackage = { ...PLAIN, version: '1.0.0' };
const SCRIPTED: ScriptedPackage = {
  name: 'scripted',
  version: '1.0.0',
  manifest: { scripts: { install: "node -e \"require('fs').writeFileSync('ran', '')\"" } },
};
const digestOf = (each: ScriptedPackage): string =>
  `sha512-${createHash('sha512').update(archiveOf(each)).digest('base64')}`;
const lockOf = (name: string, version: string, integrity: string, more = ''): string =>
  `lockfileVersion: '9.0'

settings:
  autoInstallPeers: true
  excludeLinksFromLockfile: false

importers:

  .:
    dependencies:
      ${name}:
        specifier: ^1.0.0
        version: ${version}

packages:

  ${name}@${version}:
    resolution: {integrity: ${integrity}${more}}

snapshots:

  ${name}@${version}: {}
`;

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
  readonly version?: (typeof PNPM_VERSIONS)[number];
  readonly request?: PackageRequest;
  readonly manifest?: string;
  readonly lockfile?: string;
  readonly members?: Readonly<Record<string, string>>;
  readonly settings?: Readonly<Record<string, string>>;
  readonly installScripts?: readonly string[];
  readonly registryUrl?: string;
  readonly fetchTimeoutMs?: number;
  /** pnpm is not on this host. */
  readonly isAbsent?: boolean;
}

const NO_PACKAGES = "lockfileVersion: '9.0'\n\nimporters:\n\n  .: {}\n";
const add = (name: string): PackageRequest => ({ kind: 'add', name, dev: false });
const install: PackageRequest = { kind: 'install' };
const hasPnpm = pnpmOnPath('10.34.9', await mkdtemp(join(tmpdir(), 'fl-'))) !== null;

async function perform(given: Given): Promise<DoneJob> {
  registry ??= await startPackageRegistry(given.packages);
  const { packages: _, version = '10.34.9', request = add('plain'), isAbsent = false, registryUrl, ...rest } = given;
  const PATH = isAbsent ? null : pnpmOnPath(version, await mkdtemp(join(home, 'p-')));
  const env = { npm_config_registry: registryUrl ?? registry.url, ...(PATH === null ? {} : { PATH }) };
  return performJob({ manager: 'pnpm', home, env, request, manifest: MANIFEST, lockfile: NO_PACKAGES, ...rest });
}

describe.skipIf(!hasPnpm).each(PNPM_VERSIONS)('a workspace of pnpm %s', (version) => {
  const settings = { 'pnpm-workspace.yaml': 'packages:\n  - "packages/*"\n' };
  const manifest = `{"name":"app","private":true,"packageManager":"pnpm@${version}"}`;
  const member = (name: string, more: object): string => JSON.stringify({ name, version: '1.0.0', ...more });
  const members = {
    'packages/a': member('@x/a', { dependencies: { '@x/b': 'workspace:*' } }),
    'packages/b': member('@x/b', { bin: 'cli.js', dependencies: { plain: '1.0.0' } }),
  };
  const lockfile = Number.parseInt(version, 10) < 9 ? "lockfileVersion: '6.0'\n" : "lockfileVersion: '9.0'\n";

  test('gets a package in one member, and is installed again from the lockfile with its members linked', async () => {
    const packages = [OLDER, PLAIN];
    const request = { ...add('plain'), version: '1.2.3', directory: 'packages/a' } as PackageRequest;
    const given = { packages, manifest, members, settings, version };
    const done = expectDone((await perform({ ...given, lockfile, request })).report);
    expect(done.manifest).toBe(manifest);
    expect(done.members?.['packages/b']).toBe(members['packages/b']);
    expect(JSON.parse(done.members?.['packages/a'] ?? '')).toMatchObject({ dependencies: { plain: '1.2.3' } });
    expect(done.lockfile).not.toContain('127.0.0.1');

    const again = await perform({
      ...given,
      members: { ...done.members },
      lockfile: done.lockfile,
      request: install,
    });
    expect(expectDone(again.report).lockfile).toBe(done.lockfile);
    const project = join(again.out, 'project');
    const versionAt = async (place: string): Promise<unknown> =>
      (JSON.parse(await readFile(join(project, place, 'package.json'), 'utf8')) as { version: string }).version;
    expect(await readlink(join(project, 'packages/a/node_modules/@x/b'))).toBe('../../../b');
    expect(await versionAt('packages/a/node_modules/plain')).toBe('1.2.3');
    expect(await versionAt('packages/b/node_modules/plain')).toBe('1.0.0');
    // What leads out of the packages would be refused, and what names this sandbox would be wrong in another.
    expect(await readlink(join(project, 'packages/a/node_modules/plain'))).toMatch(/^\.\.\/.*node_modules\/\.pnpm\//);
    const shim = await readFile(join(project, 'packages/a/node_modules/.bin/b'), 'utf8');
    expect(shim.replace(/^#.*$/gm, '')).not.toContain(project);
  });
});

describe.skipIf(!hasPnpm)('adding a package', () => {
  test('changes manifest and lockfile, installs it, and tells what the registry says', async () => {
    const { report, attempts, out, counts } = await perform({ packages: [PLAIN] });
    expect(counts).toBe('1 0\n');
    const done = expectDone(report);
    expect(JSON.parse(done.manifest)).toEqual({ name: 'app', version: '1.0.0', dependencies: { plain: '^1.2.3' } });
    expect(done.lockfile).toContain(`plain@1.2.3:\n    resolution: {integrity: ${digestOf(PLAIN)}}`);
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
      '"package/passwd" in it is a link',
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
      'absent, which plain needs',
    ],
    ['a registry that hangs', { packages: [{ ...PLAIN, hangs: true }], fetchTimeoutMs: 500 }, 'unreachable', ''],
    ['no registry', { packages: [], registryUrl: 'http://localhost:9' }, 'unreachable', 'localhost:9'],
    [
      'an archive of another package',
      {
        packages: [
          { ...PLAIN, entries: [{ name: 'package/package.json', text: '{"name":"scripted","version":"1.2.3"}' }] },
        ],
      },
      'impostor',
      'plain',
    ],
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

  test('the project decides nothing: neither a registry, a hook, a script nor a program of its own', async () => {
    const manifest = JSON.stringify({ name: 'app', scripts: { preinstall: 'touch ran', pnpm: 'touch ran' } });
    const settings = {
      '.npmrc': 'registry=http://localhost:9/\nscript-shell=/bin/false\npnpmfile=evil.cjs\nshamefully-hoist=true\n',
      'pnpm-workspace.yaml':
        'registries:\n  default: http://localhost:9/\nregistry: http://localhost:9/\nhttpsProxy: http://localhost:9\nmodulesDir: ../../elsewhere\nconfigDependencies:\n  evil: 1.0.0\nignoreScripts: false\nstoreDir: /tmp/elsewhere\n',
    };
    const { report, out } = await perform({ packages: [PLAIN], manifest, settings });
    expectDone(report);
    const left = (await readdir(join(out, 'project'))).sort();
    expect(left).toEqual(['.npmrc', 'node_modules', 'package.json', 'pnpm-lock.yaml']);
    expect(await readFile(join(out, 'project/.npmrc'), 'utf8')).toBe('shamefully-hoist=true\n');
  });
});

describe.skipIf(!hasPnpm)('an install script', () => {
  const given = { packages: [SCRIPTED], request: add('scripted') };

  test('does not run', async () => {
    const { report, out } = await perform(given);
    expect(expectDone(report)).toMatchObject({ scripts_run: [], scripts_skipped: ['scripted'] });
    expect(await readdir(join(out, 'project/node_modules/scripted'))).toEqual(['package.json']);
  });

  test('runs where the user allows it by name', async () => {
    const { report, out } = await perform({ ...given, installScripts: ['scripted'] });
    expect(expectDone(report).scripts_run).toEqual(['scripted']);
    expect(await readdir(join(out, 'project/node_modules/scripted'))).toContain('ran');
  });
});

describe.skipIf(!hasPnpm)('installing from a lockfile', () => {
  const manifest = '{"name":"app","dependencies":{"plain":"^1.0.0"}}';
  const given = { packages: [OLDER, PLAIN], manifest, request: install };

  test('installs what it names, and changes nothing', async () => {
    const lockfile = lockOf('plain', '1.0.0', digestOf(OLDER));
    const { report, out } = await perform({ ...given, lockfile });
    expect(expectDone(report)).toMatchObject({ manifest, lockfile });
    expect(await readdir(join(out, 'project/node_modules/plain'))).toContain('index.js');
  });

  test('takes an archive from the registry of the user, wherever the lockfile has it from', async () => {
    const lockfile = lockOf('plain', '1.0.0', digestOf(OLDER), ', tarball: https://elsewhere.example/plain.tgz');
    const { report, attempts } = await perform({ ...given, lockfile });
    expect(expectDone(report).lockfile).toBe(lockfile);
    expect(attempts).toEqual([expect.objectContaining({ outcome: 'allowed' })]);
  });

  test('whose manifest lists what it does not have is out of step', async () => {
    const lockfile = lockOf('other', '1.0.0', digestOf(OLDER));
    const { report } = await perform({ ...given, lockfile });
    expect(report).toMatchObject({ kind: 'failed', failure: 'out_of_step' });
  });

  test('that gives the digest of another archive installs nothing', async () => {
    const { report } = await perform({ ...given, lockfile: lockOf('plain', '1.0.0', digestOf(PLAIN)) });
    expect(report).toMatchObject({ kind: 'failed', failure: 'integrity' });
  });
});

describe('a program that this machine does not have', () => {
  /** It leaves the lockfile as it is, as pnpm does where nothing is to be done. */
  const stub: ScriptedPackage = {
    name: 'pnpm',
    version: '10.99.0',
    manifest: { bin: { pnpm: 'bin/pnpm.cjs' } },
    entries: [{ name: 'package/bin/pnpm.cjs', text: "console.log('the program of the registry');\n" }],
  };
  const named = (more: string): string => JSON.stringify({ name: 'app', packageManager: `pnpm@10.99.0${more}` });
  const hex = createHash('sha512').update(archiveOf(stub)).digest('hex');

  test.each([
    ['by the version that the project names', named('')],
    ['by that and its digest', named(`+sha512.${hex}`)],
    ['by the form of the lockfile', '{"name":"app"}'],
  ])('comes from the registry of the user, %s', async (_how, manifest) => {
    const given = { packages: [{ ...stub, version: '9.1.0' }, stub], manifest, request: install, isAbsent: true };
    const { report, out } = await perform(given);
    expectDone(report);
    expect(registry?.asked).toContain('/pnpm/-/10.99.0.tgz');
    expect(await readdir(out)).not.toContain('programs');
  });

  test('that cannot be had is a failure with the reason', async () => {
    const { report } = await perform({
      packages: [],
      request: install,
      registryUrl: 'http://localhost:9',
      isAbsent: true,
    });
    expect(report).toMatchObject({ kind: 'failed', failure: 'unreachable' });
    expect(report.kind === 'failed' ? report.message : '').toMatch(/pnpm@10, the program .*localhost:9/);
  });

  test.each([
    ['another digest than that of the project', named(`+sha512.${'0'.repeat(128)}`), {}, 'integrity'],
    ['another digest than that of the registry', named(''), { liesAboutIntegrity: true }, 'integrity'],
    ['an archive with a link', named(''), { entries: [{ name: 'package/bin', linkTo: '/bin' }] }, 'unsafe_archive'],
    ['no such version', named('').replace('99', '98'), {}, 'not_found'],
    ['an address in place of a version', '{"packageManager":"pnpm@https://localhost:9/pnpm.tgz"}', {}, 'other'],
  ])('is not run with %s', async (_what, manifest, more, failure) => {
    const { report } = await perform({ packages: [{ ...stub, ...more }], manifest, request: install, isAbsent: true });
    expect(report).toMatchObject({ kind: 'failed', failure });
  });
});
