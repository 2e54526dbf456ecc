import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PackageRequest } from '../../../src/contracts/sandbox/package-managers.ts';
import { cargo as hostCargo } from '../../../src/host/packages/cargo.ts';
import { cargo } from '../../../src/kernel/packages/cargo.ts';
import { installedCrates } from '../../../src/kernel/runners/cargo-test/installed-crates.ts';
import { rustToolchain } from '../../support/rust-toolchain.ts';
import { toolchainEnv } from '../../support/toolchain-env.ts';
import { checksumOf, registryConfig, startCrateRegistry } from '../../support/wire/crate-registry.ts';
import type { ScriptedCrate } from '../../support/wire/crate-registry.ts';
import { expectDone, performJob } from '../../support/wire/package-job.ts';
import type { DoneJob } from '../../support/wire/package-job.ts';
import type { PackageRegistry } from '../../support/wire/package-registry.ts';

/** cargo itself, with the real egress gate, against a registry on the loopback. */

const BASE: ScriptedCrate = { name: 'basework', version: '0.5.0', source: 'pub const ONE: u32 = 1;\n' };
const PLAIN: ScriptedCrate = {
  name: 'plainwork',
  version: '1.2.3',
  needs: ['basework'],
  source: 'pub fn answer() -> u32 { 41 + basework::ONE }\n',
};
const MANIFEST = `[package]
name = "job"
version = "0.1.0"
edition = "2021"

[[bench]]
name = "speed"
harness = false

[[bin]]
name = "tool"
path = "src/tool/main.rs"
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
  readonly crates?: readonly ScriptedCrate[];
  readonly request?: PackageRequest;
  readonly manifest?: string;
  readonly lockfile?: string | null;
  readonly config?: string;
  readonly fetchTimeoutMs?: number;
}

const add = (name: string, version?: string, dev = false): PackageRequest => ({
  kind: 'add',
  name,
  dev,
  ...(version === undefined ? {} : { version }),
});
const INSTALL: PackageRequest = { kind: 'install' };

async function perform(given: Given): Promise<DoneJob> {
  const { crates = [BASE, PLAIN], request = add('plainwork'), manifest = MANIFEST, lockfile = null } = given;
  registry ??= await startCrateRegistry(crates);
  const { PATH, RUSTUP_HOME } = toolchainEnv();
  const env = { PATH, RUSTUP_HOME, CARGO_HOME: configured(given.config ?? registryConfig(registry)) };
  const { fetchTimeoutMs } = given;
  const more = fetchTimeoutMs === undefined ? {} : { fetchTimeoutMs };
  return performJob({ manager: 'cargo', home, env, request, manifest, lockfile, ...more });
}

/** A CARGO_HOME with this configuration. */
function configured(config: string): string {
  const directory = join(home, 'cargo');
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'config.toml'), config);
  return directory;
}

const hasRust = (await rustToolchain()) !== null;

describe.skipIf(!hasRust)('adding a crate', () => {
  test('lists it, locks it and what it needs, brings both, and reports what the index says', async () => {
    const { report, attempts, out, counts } = await perform({});
    const done = expectDone(report);
    expect(counts).toMatch(/^[1-9]\d* 0\n$/);
    expect(done.manifest).toBe(`${MANIFEST}\n[dependencies]\nplainwork = "1.2.3"\n`);
    expect(done.lockfile).toContain(`checksum = "${checksumOf(BASE)}"`);
    expect(done.lockfile).toContain('source = "registry+https://github.com/rust-lang/crates.io-index"');
    expect(done.facts).toEqual([
      {
        name: 'plainwork',
        version: '1.2.3',
        published_ms: Date.UTC(2020, 0, 2, 3, 4, 5),
        maintainers: null,
        licence: 'MIT',
      },
      {
        name: 'basework',
        version: '0.5.0',
        published_ms: Date.UTC(2020, 0, 2, 3, 4, 5),
        maintainers: null,
        licence: 'MIT',
      },
    ]);
    expect((await readdir(join(out, 'project/.crates'))).sort()).toEqual([
      '.gitignore',
      'basework-0.5.0',
      'plainwork-1.2.3',
    ]);
    expect(attempts).toEqual([expect.objectContaining({ outcome: 'allowed' })]);
    const judged = cargo.judge({ manifest: MANIFEST, lockfile: null }, done, add('plainwork'));
    expect(judged).toMatchObject({ kind: 'good', installed: 2 });
  });

  test('is enough for a build without a network', async () => {
    const { out } = await perform({});
    const project = join(out, 'project');
    writeFileSync(join(project, 'src/lib.rs'), '#[test] fn answers() { assert_eq!(plainwork::answer(), 42); }\n');
    writeFileSync(join(project, 'src/tool/main.rs'), 'fn main() {}\n');
    const { PATH, RUSTUP_HOME = '' } = toolchainEnv();
    const settings = installedCrates(join(project, '.crates'));
    const said = execFileSync('cargo', ['test', '--offline', '--lib', ...settings], {
      cwd: project,
      env: { PATH, RUSTUP_HOME, HOME: home, CARGO_HOME: join(home, 'nothing') },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect(said).toContain('1 passed');
  });

  test('takes the name that the registry has, and the features that are named', async () => {
    const crates = [{ ...BASE, name: 'base_work', features: ['extra'] }];
    const request: PackageRequest = { kind: 'add', name: 'base-work', dev: false, features: ['extra'] };
    const done = expectDone((await perform({ crates, request })).report);
    expect(done.manifest).toBe(
      `${MANIFEST}\n[dependencies]\nbase_work = { version = "0.5.0", features = ["extra"] }\n`,
    );
    expect(cargo.judge({ manifest: MANIFEST, lockfile: null }, done, request)).toMatchObject({
      kind: 'good',
      name: 'base_work',
    });
  });

  test('for development goes into its own section, and keeps what was locked', async () => {
    const first = expectDone((await perform({ request: add('basework') })).report);
    const given = { manifest: first.manifest, lockfile: first.lockfile };
    const { report } = await perform({ ...given, request: add('plainwork', '1.2', true) });
    const done = expectDone(report);
    expect(done.manifest).toBe(`${first.manifest}\n[dev-dependencies]\nplainwork = "1.2"\n`);
    expect(cargo.judge(given, done, add('plainwork'))).toMatchObject({
      kind: 'good',
      added: [{ name: 'plainwork', version: '1.2.3', hasInstallScript: false }],
    });
  });

  test.each([
    ['a name that does not exist', { request: add('absentwork') }, 'not_found', 'absentwork'],
    ['a version that does not exist', { request: add('plainwork', '9.9') }, 'not_found', 'plainwork 9.9'],
    [
      'a version that is yanked',
      { crates: [{ ...BASE, yanked: true }], request: add('basework', '=0.5.0') },
      'not_found',
      'yanked',
    ],
    [
      'a crate that needs one that is gone',
      { crates: [PLAIN] },
      'not_found',
      'no matching package named `basework` found',
    ],
    [
      'an archive of another crate',
      { crates: [{ ...BASE, inside: 'otherwork' }], request: add('basework') },
      'impostor',
      'the archive of basework v0.5.0 has another crate in it',
    ],
    [
      'an archive that climbs',
      {
        crates: [{ ...BASE, entries: [{ name: 'basework-0.5.0/../../evil.rs', text: 'x' }] }],
        request: add('basework'),
      },
      'unsafe_archive',
      '',
    ],
    [
      'an archive with a link',
      {
        crates: [{ ...BASE, entries: [{ name: 'basework-0.5.0/key', linkTo: '/etc/passwd' }] }],
        request: add('basework'),
      },
      'unsafe_archive',
      'link',
    ],
    [
      'a digest that is not the archive’s',
      { crates: [{ ...BASE, liesAboutChecksum: true }], request: add('basework') },
      'integrity',
      'checksum',
    ],
    [
      'a registry that hangs',
      { crates: [{ ...BASE, hangs: true }], request: add('basework'), fetchTimeoutMs: 1_000 },
      'unreachable',
      'asked twice for basework v0.5.0, it sent nothing within 1 s',
    ],
    ['no registry', { config: registryConfig({ url: 'http://localhost:9' }) }, 'unreachable', 'localhost:9'],
  ] satisfies readonly [string, Given, string, string][])(
    '%s is a failure with its reason',
    async (_what, given, failure, message) => {
      const { report } = await perform(given);
      expect(report).toMatchObject({ kind: 'failed', failure });
      expect(report.kind === 'failed' ? report.message : '').toContain(message);
    },
  );
});

describe.skipIf(!hasRust)('installing what Cargo.lock names', () => {
  test('brings it, and changes nothing', async () => {
    const { manifest, lockfile } = expectDone((await perform({})).report);
    const { report, out } = await perform({ request: INSTALL, manifest, lockfile });
    expect(expectDone(report)).toMatchObject({ manifest, lockfile, facts: [{ licence: 'MIT' }, { licence: 'MIT' }] });
    expect(await readFile(join(out, 'project/.crates/basework-0.5.0/src/lib.rs'), 'utf8')).toBe(BASE.source);
  });

  test.each([
    ['another digest', (lock: string) => lock.replace(checksumOf(BASE), '0'.repeat(64)), 'integrity'],
    ['a dependency that it does not lock', () => 'version = 4\n', 'out_of_step'],
  ] as const)('with %s brings nothing', async (_what, changed, failure) => {
    const { manifest, lockfile } = expectDone((await perform({})).report);
    const { report } = await perform({ request: INSTALL, manifest, lockfile: changed(lockfile) });
    expect(report).toMatchObject({ kind: 'failed', failure });
  });
});

describe.skipIf(!hasRust)('the registry', () => {
  const settings = (config: string) => {
    const { PATH, RUSTUP_HOME } = toolchainEnv();
    return hostCargo.settings({ PATH, RUSTUP_HOME, HOME: home, CARGO_HOME: configured(config) });
  };

  test('is crates.io, with the host of its archives, where the user names no other', async () => {
    const { grant, hosts } = await settings('');
    expect(grant.registry).toBe('https://index.crates.io/');
    expect(hosts.map((rule) => JSON.stringify(rule)).join()).toMatch(/index\.crates\.io.*static\.crates\.io/);
  });

  test.each([
    ['a directory', '[source.crates-io]\nreplace-with = "v"\n[source.v]\ndirectory = "vendor"\n', /not a registry/],
    ['git', '[source.crates-io]\nreplace-with = "g"\n[source.g]\nregistry = "https://localhost/i"\n', /not a sparse/],
    ['a password', registryConfig({ url: 'https://me:secret@localhost' }), /password/],
  ])('that is %s is none', async (_what, config, why) => {
    await expect(settings(config)).rejects.toThrow(why);
  });
});
