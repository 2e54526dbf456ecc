import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cargo } from '../../../src/host/packages/cargo.ts';
import { go } from '../../../src/host/packages/go.ts';
import { npm } from '../../../src/host/packages/npm.ts';
import type { HostPackageManager } from '../../../src/host/packages/package-manager.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'fluffy-managers-')));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text = ''): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}

const shell = (output: string): string => `#!/bin/sh\n/bin/cat <<'END'\n${output}\nEND\n`;

/** A manager with a program of its own on PATH, which answers with these settings. */
const INSTALL: Readonly<Record<string, (answer: string) => void>> = {
  npm: (answer) => {
    write('npm/bin/npm-cli.js', `console.log(${JSON.stringify(answer)})`);
    mkdirSync(join(root, 'npm/node_modules'));
    mkdirSync(join(root, 'bin'));
    symlinkSync('../npm/bin/npm-cli.js', join(root, 'bin/npm'));
  },
  cargo: (answer) => {
    write('rust/bin/cargo', shell(answer));
    write('bin/rustc', shell(join(root, 'rust')));
  },
  go: (answer) => {
    write('go/VERSION');
    mkdirSync(join(root, 'go/src/runtime'), { recursive: true });
    write('go/bin/go', shell(answer));
    mkdirSync(join(root, 'bin'));
    symlinkSync('../go/bin/go', join(root, 'bin/go'));
  },
};

const environment = () => ({ PATH: join(root, 'bin'), HOME: root, CARGO_HOME: root });

async function settingsOf(manager: HostPackageManager, answer: unknown) {
  INSTALL[manager.name]?.(typeof answer === 'string' ? answer : JSON.stringify(answer));
  const { grant, hosts } = await manager.settings(environment());
  const from = { program: grant.program?.slice(root.length + 1), registry: grant.registry, settings: grant.settings };
  return { ...from, hosts: hosts.map(({ host, port }) => `${host}:${port}`) };
}

const PROXY = 'https://proxy.example';
const goEnv = (more: object) => ({ GOPROXY: PROXY, GOSUMDB: 'off', GONOSUMDB: '', GONOPROXY: '', ...more });

describe('the settings of the user', () => {
  it('of npm name the registries, and what shapes the lockfile', async () => {
    const answer = {
      registry: 'https://r.example/',
      '@own:registry': 'http://own.example:81/',
      'save-exact': true,
      'lockfile-version': null,
      'save-prefix': '~\n^',
      '//r.example/:_authToken': 'secret',
    };
    expect(await settingsOf(npm, answer)).toEqual({
      program: 'npm/bin/npm-cli.js',
      registry: 'https://r.example/',
      settings: ['registry=https://r.example/', '@own:registry=http://own.example:81/', 'save-exact=true'],
      hosts: ['r.example:443', 'own.example:81'],
    });
  });

  it.each([
    ['crates.io', {}, 'https://index.crates.io/', ['index.crates.io:443', 'static.crates.io:443']],
    [
      'what replaces it, by several steps',
      {
        source: {
          'crates-io': { 'replace-with': 'a' },
          a: { 'replace-with': 'b' },
          b: { registry: 'sparse+https://b.example/' },
        },
      },
      'https://b.example/',
      ['b.example:443'],
    ],
    [
      'a registry that replaces it',
      {
        source: { 'crates-io': { 'replace-with': 'own' } },
        registries: { own: { index: 'sparse+http://own.example/' } },
      },
      'http://own.example/',
      ['own.example:80'],
    ],
  ])('of cargo name %s', async (_what, answer, registry, hosts) => {
    expect(await settingsOf(cargo, answer)).toEqual({ program: 'rust/bin/cargo', registry, settings: [], hosts });
  });

  it.each([
    [
      'the proxies before direct',
      { GOPROXY: `${PROXY}, ,http://b.example|direct,https://never.example` },
      `${PROXY},http://b.example`,
      ['proxy.example:443', 'b.example:80'],
    ],
    [
      'the database of sums by its name',
      { GOSUMDB: 'sum.example+abc' },
      PROXY,
      ['proxy.example:443', 'sum.example:443'],
    ],
    [
      'the database of sums by its address',
      { GOSUMDB: 'sum.example+abc https://other.example' },
      PROXY,
      ['proxy.example:443', 'other.example:443'],
    ],
    ['no database where there is none', { GOSUMDB: '' }, PROXY, ['proxy.example:443']],
  ])('of Go name %s', async (_what, more, list, hosts) => {
    const read = await settingsOf(go, goEnv(more));
    expect(read).toMatchObject({ program: 'go/bin/go', registry: PROXY, hosts });
    expect(read.settings[0]).toBe(`GOPROXY=${list}`);
  });
});

describe('packages cannot be installed, and the reason is said', () => {
  it.each<readonly [string, HostPackageManager, unknown, string]>([
    [
      'npm without a registry',
      npm,
      {},
      'packages of npm cannot be installed: npm config list gave no registry. Look at the configuration of npm',
    ],
    ['npm with no JSON', npm, 'oops', 'npm config list gave no registry'],
    [
      'npm with a registry that is a directory',
      npm,
      { registry: 'file:///r' },
      'its registry is not an http or https address: file:///r',
    ],
    [
      'npm with a password in an address',
      npm,
      { registry: 'https://ada:x@r.example/' },
      'the address of its registry contains a password',
    ],
    [
      'npm with a registry of no proper name',
      npm,
      { registry: 'https://r_.example./' },
      'its registry cannot be reached',
    ],
    [
      'cargo with an index that is a repository',
      cargo,
      { source: { 'crates-io': { registry: 'https://g.example/index' } } },
      'the index https://g.example/index is not a sparse one',
    ],
    [
      'cargo with vendored sources',
      cargo,
      { source: { 'crates-io': { 'replace-with': 'vendored' } } },
      'crates.io is replaced by vendored, which is not a registry',
    ],
    [
      'cargo with sources that replace each other',
      cargo,
      { source: { 'crates-io': { 'replace-with': 'a' }, a: { 'replace-with': 'crates-io' } } },
      'crates.io is replaced by a',
    ],
    ['cargo with no JSON', cargo, 'oops', 'cargo config get gave no settings that can be read'],
    ['Go without a proxy', go, goEnv({ GOPROXY: 'direct' }), 'GOPROXY names no module proxy (direct)'],
    [
      'Go that is switched off',
      go,
      goEnv({ GOPROXY: 'off,https://never.example' }),
      'GOPROXY names no module proxy (off,https://never.example)',
    ],
    ['Go with no JSON', go, 'oops', 'go env gave no settings that can be read'],
  ])('%s', async (_what, manager, answer, why) => {
    await expect(settingsOf(manager, answer)).rejects.toThrow(why);
  });

  it.each([
    [npm, 'bin/npm', 'npm is not installed on this machine with its own modules'],
    [cargo, 'bin/rustc', 'this machine has no Rust with a directory of its own, as rustup makes it'],
  ] as const)('where the program is a script of the system: %o', async (manager, program, why) => {
    write(program, '#!/bin/sh\necho /usr\n');
    expect(await manager.find(environment())).toBeNull();
    await expect(manager.settings(environment())).rejects.toThrow(why);
  });

  it('where a toolchain of Rust has no cargo', async () => {
    write('rust/bin/rustc');
    write('bin/rustc', shell(join(root, 'rust')));
    expect(await cargo.find(environment())).toBeNull();
  });
});
