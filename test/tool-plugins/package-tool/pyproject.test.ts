import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PackageManagerName, PackageRequest } from '../../../src/contracts/sandbox/package-managers.ts';
import { expectDone, performJob } from '../../support/wire/package-job.ts';
import type { DoneJob } from '../../support/wire/package-job.ts';
import type { PackageRegistry } from '../../support/wire/package-registry.ts';
import { sha256Of, startPythonIndex, wheelOf } from '../../support/wire/python-index.ts';
import type { ScriptedWheel } from '../../support/wire/python-index.ts';

/** pip itself on pyproject.toml, with the real egress gate, against an index on the loopback. */

const MANIFEST =
  '[project]\nname = "My.App"\nversion = "1.2"\ndependencies = ["plain>=1"]\n\n[project.optional-dependencies]\ntest = ["checker; python_version > \'3\'"]\ndocs = ["absent"]\n';
const PLAIN: ScriptedWheel = { name: 'plain', version: '1.2', files: { 'plain.py': 'ANSWER = 42\n' } };
const CHECKER: ScriptedWheel = { name: 'checker', version: '3.0', metadata: ['Requires-Dist: plain'] };
const EXTRA: ScriptedWheel = { name: 'extra', version: '2.1', metadata: ['License: MIT', 'Requires-Dist: deep'] };
const DEEP: ScriptedWheel = { name: 'deep', version: '0.1' };
const WHEELS = [PLAIN, CHECKER, EXTRA, DEEP];
const INSTALL: PackageRequest = { kind: 'install' };
const add = (name: string, more: object = {}): PackageRequest =>
  ({ kind: 'add', name, dev: false, ...more }) as PackageRequest;

// Several starts of a real package manager each, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

let home: string;
let index: PackageRegistry | null = null;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'fl-'));
});
afterEach(async () => {
  await index?.close();
  index = null;
  await rm(home, { recursive: true });
});

interface Given {
  readonly wheels?: readonly ScriptedWheel[];
  readonly manager?: PackageManagerName;
  readonly request?: PackageRequest;
  readonly manifest?: string;
  readonly lockfile?: string;
  readonly base?: string;
}

async function perform(given: Given = {}): Promise<DoneJob> {
  const { wheels = WHEELS, manager = 'pyproject', request = INSTALL, manifest = MANIFEST, lockfile = manifest } = given;
  index ??= await startPythonIndex(wheels);
  // uv's own variable, where it is uv's lockfile.
  const own: Record<string, string> =
    manager === 'uv' ? { UV_DEFAULT_INDEX: index.url, PIP_INDEX_URL: 'http://localhost:9/' } : {};
  const env = { PIP_CONFIG_FILE: '/dev/null', PIP_INDEX_URL: index.url, ...own };
  return performJob({ manager, home, env, request, manifest, lockfile, base: given.base ?? null });
}

async function installed({ out }: DoneJob): Promise<string[]> {
  const lib = join(out, 'project/.venv/lib');
  const [version = ''] = await readdir(lib);
  const names = await readdir(join(lib, version, 'site-packages'));
  return names.filter((name) => name.endsWith('.dist-info')).sort();
}

const lineOf = (wheel: ScriptedWheel, hash = sha256Of(wheelOf(wheel)), more = ''): string =>
  `[[package]]\nname = "${wheel.name}"\nversion = "${wheel.version}"\nsource = { registry = "https://index.example/simple" }\n${more}wheels = [{ url = "u", hash = "sha256:${hash}" }]\n`;
const uvLock = (...packages: readonly string[]): string =>
  ['version = 1\n[[package]]\nname = "my-app"\nsource = { editable = "." }\n', ...packages].join('\n');

describe('pyproject.toml alone', () => {
  test('has installed what the project and its tests need, and the project itself without a build', async () => {
    const job = await perform();
    expect(expectDone(job.report)).toMatchObject({ manifest: MANIFEST, lockfile: MANIFEST, installed: 2 });
    expect(await installed(job)).toEqual(['checker-3.0.dist-info', 'my_app-1.2.dist-info', 'plain-1.2.dist-info']);
    const lib = join(job.out, 'project/.venv/lib');
    const packages = join(lib, (await readdir(lib))[0] ?? '', 'site-packages');
    expect(await readFile(join(packages, '_my_app.pth'), 'utf8')).toBe('../../../../src\n../../../..\n');
    expect(await readFile(join(packages, 'my_app-1.2.dist-info/METADATA'), 'utf8')).toContain('Version: 1.2\n');
  });

  test('gets a requirement more, with what is known of all that comes with it', async () => {
    const job = await perform({ request: add('Extra') });
    const done = expectDone(job.report);
    expect(done.manifest).toBe(MANIFEST.replace('["plain>=1"]', '["plain>=1", "Extra>=2.1"]'));
    expect(done.facts.map(({ name, licence }) => [name, licence])).toEqual([
      ['extra', 'MIT'],
      ['deep', null],
    ]);
    expect(await installed(job)).toContain('deep-0.1.dist-info');
  });

  test('gets one for development in a group of its own', async () => {
    const { report } = await perform({ request: add('extra', { dev: true, version: '==2.1' }) });
    expect(expectDone(report).manifest).toBe(`${MANIFEST}\n[dependency-groups]\ndev = [\n  "extra==2.1",\n]\n`);
  });

  test.each<[string, Given, string, string]>([
    ['a name that does not exist', { request: add('absent') }, 'not_found', 'absent'],
    ['an archive of sources', { wheels: [{ ...PLAIN, isSource: true }, CHECKER] }, 'not_found', 'plain'],
    ['a digest that is not the archive’s', { wheels: [{ ...PLAIN, liesAboutHash: true }, CHECKER] }, 'integrity', ''],
  ])('%s is a failure with its reason', async (_what, given, failure, message) => {
    const { report } = await perform(given);
    expect(report).toMatchObject({ kind: 'failed', failure });
    expect(report.kind === 'failed' ? report.message : '').toContain(message);
  });
});

describe('uv.lock', () => {
  const OLD: ScriptedWheel = { ...PLAIN, version: '1.0' };
  const NEVER = 'resolution-markers = ["python_version < \'3\'"]\n';

  test('has installed what it names, from the index of uv, in its versions', async () => {
    const lockfile = uvLock(lineOf(OLD), lineOf(CHECKER), lineOf(DEEP));
    const job = await perform({ manager: 'uv', wheels: [OLD, ...WHEELS], lockfile });
    expect(expectDone(job.report)).toMatchObject({ manifest: MANIFEST, lockfile });
    expect(await installed(job)).toEqual(['checker-3.0.dist-info', 'my_app-1.2.dist-info', 'plain-1.0.dist-info']);
  });

  test('with two versions of a package has the one whose marker holds', async () => {
    const lockfile = uvLock(
      lineOf(PLAIN, undefined, NEVER),
      lineOf(OLD, undefined, NEVER.replace('<', '>=')),
      lineOf(CHECKER),
    );
    const job = await perform({ manager: 'uv', wheels: [OLD, ...WHEELS], lockfile });
    expect(await installed(job)).toContain('plain-1.0.dist-info');
  });

  test.each<[string, string, string, string]>([
    ['a hash of another archive', uvLock(lineOf(PLAIN, '0'.repeat(64)), lineOf(CHECKER)), 'integrity', ''],
    ['a package less', uvLock(lineOf(CHECKER)), 'out_of_step', 'plain 1.2 is needed'],
  ])('with %s is refused', async (_what, lockfile, failure, message) => {
    const { report } = await perform({ manager: 'uv', lockfile });
    expect(report).toMatchObject({ kind: 'failed', failure });
    expect(report.kind === 'failed' ? report.message : '').toContain(message);
  });
});

test('pdm.lock has installed what it names, also for development', async () => {
  const entry = ({ name, version }: ScriptedWheel, hash: string): string =>
    `[[package]]\nname = "${name}"\nversion = "${version}"\nfiles = [{ file = "u", hash = "sha256:${hash}" }]\n`;
  const packages = [PLAIN, CHECKER].map((wheel) => entry(wheel, sha256Of(wheelOf(wheel))));
  const lockfile = ['[metadata]\nlock_version = "4.5.1"\n', ...packages].join('\n');
  const manifest =
    '[project]\nname = "my-app"\ndependencies = ["plain"]\n[tool.pdm.dev-dependencies]\ntest = ["checker"]\n';
  const job = await perform({ manager: 'pdm', manifest, lockfile, base: lockfile });
  expect(expectDone(job.report)).toMatchObject({ lockfile, installed: 2, facts: [] });
  expect(await installed(job)).toContain('checker-3.0.dist-info');
});

test('pylock.toml has installed what it names', async () => {
  const entry = ({ name, version }: ScriptedWheel, hash: string): string =>
    `[[packages]]\nname = "${name}"\nversion = "${version}"\nwheels = [{ url = "u", hashes = { sha256 = "${hash}" } }]\n`;
  const packages = [PLAIN, CHECKER].map((wheel) => entry(wheel, sha256Of(wheelOf(wheel))));
  const lockfile = ['lock-version = "1.0"\ncreated-by = "test"\n', ...packages].join('\n');
  const job = await perform({ manager: 'pylock', lockfile, base: lockfile });
  expect(expectDone(job.report)).toMatchObject({ lockfile, installed: 2, facts: [] });
  expect(await installed(job)).toContain('plain-1.2.dist-info');
});
