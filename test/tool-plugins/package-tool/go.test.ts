import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PackageRequest } from '../../../src/contracts/sandbox/package-managers.ts';
import { go as hostGo } from '../../../src/host/packages/go.ts';
import { findGoRoot } from '../../../src/host/toolchains/go/go-root.ts';
import { go } from '../../../src/kernel/packages/go.ts';
import { toolchainEnv } from '../../support/toolchain-env.ts';
import { databaseKey, startModuleProxy, sumsOf } from '../../support/wire/module-proxy.ts';
import type { ScriptedModule } from '../../support/wire/module-proxy.ts';
import { expectDone, performJob } from '../../support/wire/package-job.ts';
import type { DoneJob } from '../../support/wire/package-job.ts';
import type { PackageRegistry } from '../../support/wire/package-registry.ts';

/** Go itself, with the real egress gate, against a module proxy on the loopback. */

const BASE: ScriptedModule = {
  path: 'work.example/base',
  version: 'v0.5.0',
  files: {
    'base.go': 'package base\n\nconst One = 1\n',
    LICENSE: 'Permission is hereby granted, free of charge, to any person\n',
  },
};
const PLAIN: ScriptedModule = {
  path: 'work.example/Plain',
  version: 'v1.2.3',
  needs: ['work.example/base@v0.5.0'],
  files: {
    'plain.go': 'package plain\n',
    'deep/deep.go': 'package deep\n\nimport "work.example/base"\n\nfunc Answer() int { return 41 + base.One }\n',
    'cmd/tool/main.go': 'package main\n\nimport _ "work.example/absent"\n\nfunc main() {}\n',
  },
};
const MANIFEST = 'module job.example/job\n\ngo 1.21\n';
const REQUIRED = 'require work.example/Plain v1.2.3\n\nrequire work.example/base v0.5.0 // indirect\n';
const LOCKFILE = `${sumsOf(PLAIN)}${sumsOf(BASE)}`;

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
  // Go counts its own runs in the background, in the home directory.
  await rm(home, { recursive: true, maxRetries: 10 });
});

interface Given {
  readonly modules?: readonly ScriptedModule[];
  readonly request?: PackageRequest;
  readonly manifest?: string;
  readonly lockfile?: string | null;
  readonly fetchTimeoutMs?: number;
  readonly env?: Readonly<Record<string, string>>;
}

const add = (name: string, version?: string): PackageRequest => ({
  kind: 'add',
  name,
  dev: false,
  ...(version === undefined ? {} : { version }),
});
const INSTALL: PackageRequest = { kind: 'install' };
const ADD_BASE = add('work.example/base');

async function perform(given: Given): Promise<DoneJob> {
  const { modules = [BASE, PLAIN], request = add(PLAIN.path), manifest = MANIFEST, lockfile = null } = given;
  registry ??= await startModuleProxy(modules);
  const env = {
    PATH: toolchainEnv().PATH,
    GOENV: 'off',
    GOPROXY: `${registry.url},direct`,
    GOSUMDB: 'off',
    ...given.env,
  };
  const { fetchTimeoutMs } = given;
  const more = fetchTimeoutMs === undefined ? {} : { fetchTimeoutMs };
  return performJob({ manager: 'go', home, env, request, manifest, lockfile, ...more });
}

const hasGo = (await findGoRoot(toolchainEnv().PATH, () => true)) !== null;

describe.skipIf(!hasGo)('adding a module', () => {
  test('requires it, brings what its packages need, and reports what the proxy says', async () => {
    const { report, attempts, out, counts } = await perform({});
    const done = expectDone(report);
    expect(counts).toMatch(/^[1-9]\d* 0\n$/);
    expect(done.manifest).toBe(`${MANIFEST}\n${REQUIRED}`);
    expect(done.lockfile).toBe(LOCKFILE);
    const published = Date.UTC(2020, 0, 2, 3, 4, 5);
    expect(done.facts).toEqual([
      { name: PLAIN.path, version: 'v1.2.3', published_ms: published, maintainers: null, licence: null },
      { name: BASE.path, version: 'v0.5.0', published_ms: published, maintainers: null, licence: 'MIT' },
    ]);
    expect((await readdir(join(out, 'project/.gomodcache'))).sort()).toEqual(['.gitignore', 'cache', 'work.example']);
    expect(attempts).toEqual([expect.objectContaining({ outcome: 'allowed' })]);
    expect(go.judge({ manifest: MANIFEST, lockfile: null }, done, add(PLAIN.path))).toMatchObject({
      kind: 'good',
      name: PLAIN.path,
      installed: 2,
      added: [{ name: PLAIN.path }, { name: BASE.path }],
    });
  });

  test('is enough for tests without a network', async () => {
    const { out } = await perform({});
    const project = join(out, 'project');
    writeFileSync(
      join(project, 'job_test.go'),
      'package job\n\nimport (\n\t"testing"\n\n\t"work.example/Plain/deep"\n)\n\nfunc TestAnswer(t *testing.T) {\n\tif deep.Answer() != 42 {\n\t\tt.Fail()\n\t}\n}\n',
    );
    const said = execFileSync('go', ['vet', './...'], {
      cwd: project,
      env: {
        PATH: toolchainEnv().PATH,
        HOME: home,
        GOENV: 'off',
        GOPROXY: 'off',
        GOTOOLCHAIN: 'local',
        CGO_ENABLED: '0',
        GOMODCACHE: join(project, '.gomodcache'),
      },
      encoding: 'utf8',
    });
    expect(said).toBe('');
  });

  test('takes one package, with what that one needs', async () => {
    const modules = [PLAIN];
    const manifest = MANIFEST;
    const without = {
      ...PLAIN,
      needs: [],
      files: { 'a/a.go': 'package a\n', 'b/b.go': 'package b\nimport _ "work.example/absent"\n' },
    };
    const done = expectDone(
      (await perform({ modules: [without, ...modules.slice(1)], manifest, request: add(`${PLAIN.path}/a`, 'v1') }))
        .report,
    );
    expect(done.manifest).toBe(`${MANIFEST}\nrequire work.example/Plain v1.2.3\n`);
    expect(go.judge({ manifest, lockfile: null }, done, add(`${PLAIN.path}/a`))).toMatchObject({
      kind: 'good',
      name: PLAIN.path,
    });
  });

  test('keeps what go.mod and go.sum said, and takes a later Go where the module needs one', async () => {
    const manifest = `${MANIFEST}\n// Why.\nreplace work.example/old => work.example/new v1.0.0\n`;
    const first = expectDone(
      (await perform({ modules: [BASE, { ...PLAIN, go: '1.22' }], manifest, request: ADD_BASE })).report,
    );
    const second = expectDone((await perform({ ...first, request: add(PLAIN.path) })).report);
    expect(second.manifest).toContain('go 1.22\n');
    expect(second.manifest).not.toContain('toolchain');
    expect(second.manifest).toContain('// Why.\nreplace work.example/old => work.example/new v1.0.0\n');
    expect(go.judge(first, second, add(PLAIN.path))).toMatchObject({ kind: 'good', added: [{ name: PLAIN.path }] });
  });

  test('downloads no other Go for a toolchain line', async () => {
    const manifest = `${MANIFEST}\ntoolchain go1.999.0\n`;
    const done = expectDone((await perform({ manifest, request: ADD_BASE })).report);
    expect(done.manifest).toContain('toolchain go1.999.0\n');
    expect(registry?.asked.filter((path) => path.includes('toolchain'))).toEqual([]);
  });

  test.each([
    ['a module that does not exist', { request: add('work.example/absent') }, 'not_found', 'work.example/absent'],
    ['a version that does not exist', { request: add(PLAIN.path, 'v9.9.9') }, 'not_found', 'v9.9.9'],
    ['a module that needs one that is gone', { modules: [PLAIN] }, 'not_found', 'work.example/base@v0.5.0'],
    [
      'a module of another name',
      { modules: [{ ...BASE, declared: 'work.example/other' }], request: ADD_BASE },
      'impostor',
      'declares its path as: work.example/other',
    ],
    [
      'an archive of another module',
      { modules: [{ ...BASE, inside: 'work.example/other' }], request: ADD_BASE },
      'impostor',
      'work.example/other',
    ],
    [
      'an archive that climbs',
      {
        modules: [{ ...BASE, entries: [{ name: `${BASE.path}@v0.5.0/../../evil.go`, text: 'x' }] }],
        request: ADD_BASE,
      },
      'unsafe_archive',
      'evil.go',
    ],
    [
      'an archive with a link',
      {
        modules: [{ ...BASE, entries: [{ name: `${BASE.path}@v0.5.0/key`, text: '/etc/passwd', isLink: true }] }],
        request: ADD_BASE,
      },
      'unsafe_archive',
      'link',
    ],
    [
      'a module that needs a later Go',
      { modules: [{ ...BASE, go: '1.999' }], request: ADD_BASE },
      'other',
      'No other Go is downloaded',
    ],
    [
      'a project that needs a later Go',
      { manifest: MANIFEST.replace('1.21', '1.999'), request: ADD_BASE },
      'other',
      'No other Go is downloaded',
    ],
    [
      'a proxy that hangs',
      { modules: [{ ...BASE, hangs: true }], request: ADD_BASE, fetchTimeoutMs: 1_000 },
      'unreachable',
      'it sent nothing within 1 s',
    ],
    ['no proxy', { env: { GOPROXY: 'http://localhost:9' } }, 'unreachable', 'localhost:9'],
    ['a module that no proxy may be asked for', { env: { GONOPROXY: 'work.example' } }, 'refused', 'work.example'],
    [
      'a checksum database that cannot be reached',
      { env: { GOSUMDB: `${databaseKey('sum.example')} http://localhost:9` } },
      'unreachable',
      'The checksum database is needed',
    ],
  ] satisfies readonly [string, Given, string, string][])(
    '%s is a failure with its reason',
    async (_what, given, failure, message) => {
      const { report } = await perform(given);
      expect(report).toMatchObject({ kind: 'failed', failure });
      expect(report.kind === 'failed' ? report.message : '').toContain(message);
    },
  );

  test('is none where the checksum database does not know it and go.sum neither', async () => {
    const database = await startModuleProxy([]);
    try {
      const { report } = await perform({
        request: ADD_BASE,
        env: { GOSUMDB: `${databaseKey('sum.example')} ${database.url}` },
      });
      expect(report).toMatchObject({
        kind: 'failed',
        message: expect.stringContaining('nothing confirms the content of') as string,
      });
      const known = { env: { GOSUMDB: `${databaseKey('sum.example')} ${database.url}`, GONOSUMDB: 'work.example' } };
      expectDone((await perform({ request: ADD_BASE, ...known })).report);
    } finally {
      await database.close();
    }
  });

  test('asks the next proxy for what the first one does not have', async () => {
    const second = await startModuleProxy([BASE]);
    try {
      registry = await startModuleProxy([]);
      const env = { GOPROXY: `${registry.url},${second.url}` };
      expectDone((await perform({ request: ADD_BASE, env })).report);
    } finally {
      await second.close();
    }
  });
});

describe.skipIf(!hasGo)('installing what go.sum names', () => {
  const given = { request: INSTALL, manifest: `${MANIFEST}\n${REQUIRED}`, lockfile: LOCKFILE };

  test('brings it without a checksum database, and changes nothing', async () => {
    const env = { GOSUMDB: `${databaseKey('sum.example')} http://localhost:9` };
    const { report, out } = await perform({ ...given, env });
    expect(expectDone(report)).toMatchObject({ manifest: given.manifest, lockfile: LOCKFILE });
    const file = join(out, 'project/.gomodcache/work.example/base@v0.5.0/base.go');
    expect(await readFile(file, 'utf8')).toBe(BASE.files['base.go']);
  });

  test.each([
    ['another digest', LOCKFILE.replace(/(base v0\.5\.0) h1:..../, '$1 h1:AAAA'), 'integrity', 'SECURITY ERROR'],
    [
      'another digest of a go.mod',
      LOCKFILE.replace(/(base v0\.5\.0\/go\.mod) h1:..../, '$1 h1:AAAA'),
      'integrity',
      'SECURITY ERROR',
    ],
    ['no line of a module', sumsOf(PLAIN), 'out_of_step', 'missing go.sum entry'],
  ] as const)('with %s brings nothing', async (_what, lockfile, failure, message) => {
    const { report } = await perform({ ...given, lockfile });
    expect(report).toMatchObject({ kind: 'failed', failure });
    expect(report.kind === 'failed' ? report.message : '').toContain(message);
  });
});

describe.skipIf(!hasGo)('the proxy', () => {
  const settings = (env: Readonly<Record<string, string>>) =>
    hostGo.settings({ PATH: toolchainEnv().PATH, HOME: home, GOENV: 'off', ...env });

  test('is the one that go env names, with the database that confirms it', async () => {
    const file = join(home, 'env');
    writeFileSync(
      file,
      'GOPROXY=https://one.example/go|https://two.example,direct\nGOSUMDB=sum.example+1+a\nGOFLAGS=-insecure\n',
    );
    const { grant, hosts } = await settings({ GOENV: file });
    expect(grant.registry).toBe('https://one.example/go');
    expect(grant.settings).toEqual([
      'GOPROXY=https://one.example/go|https://two.example',
      'GOSUMDB=sum.example+1+a',
      'GONOSUMDB=',
      'GONOPROXY=',
    ]);
    expect(hosts.map((rule) => JSON.stringify(rule)).join()).toMatch(/one\.example.*two\.example.*sum\.example/);
  });

  test.each([
    ['direct', 'direct', /names no module proxy/],
    ['off', 'off', /names no module proxy/],
    ['a directory', 'file:///srv/modules', /not an http or https address/],
    ['a password', 'https://me:secret@localhost', /password/],
  ])('that is %s is none', async (_what, GOPROXY, why) => {
    await expect(settings({ GOPROXY })).rejects.toThrow(why);
  });

  test('is not what a project says', async () => {
    mkdirSync(join(home, 'project'));
    writeFileSync(join(home, 'project/go.env'), 'GOPROXY=http://localhost:9\n');
    const { grant } = await settings({ GOPROXY: 'https://one.example', PWD: join(home, 'project') });
    expect(grant.registry).toBe('https://one.example');
  });
});
