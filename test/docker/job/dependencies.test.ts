import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FluffyEvent } from '../../../src/contracts/session/events.ts';
import { bodies } from '../../support/job/event-bodies.ts';
import { commit, edit, plan, runTests, say, write } from '../../support/job/developer.ts';
import { makeJobProject } from '../../support/job/job-project.ts';
import { jobScene } from '../../support/job/job-scene.ts';
import type { JobScene } from '../../support/job/job-scene.ts';
import { findGoRoot } from '../../../src/host/toolchains/go/go-root.ts';
import { pnpmOnPath } from '../../support/package-programs.ts';
import { rustToolchain } from '../../support/rust-toolchain.ts';
import { toolchainEnv } from '../../support/toolchain-env.ts';
import { checksumOf, registryConfig, startCrateRegistry } from '../../support/wire/crate-registry.ts';
import { startModuleProxy, sumsOf } from '../../support/wire/module-proxy.ts';
import { startPackageRegistry } from '../../support/wire/package-registry.ts';
import { sha256Of, startPythonIndex, wheelOf } from '../../support/wire/python-index.ts';

/**
 * The real package manager in its sandbox. Its registry, which the user's configuration names, is on the loopback. Each manager has one job here; what it does
 * with each form of manifest and lockfile: test/tool-plugins/package-tool/, with the real program and without a container.
 */

const UNITS = {
  name: 'units-of-time',
  version: '2.1.3',
  manifest: { license: 'MIT', type: 'module', main: 'index.js', scripts: { install: 'exit 1' } },
  entries: [
    {
      name: 'package/index.js',
      text: 'export default (text) => (text === "2 min" ? 120_000 : Number.parseInt(text, 10));\n',
    },
  ],
};

/** Approves whatever a run asks, until it has ended. */
async function approved(scene: JobScene, prompt: string, reviews: number): Promise<readonly FluffyEvent[]> {
  const run = scene.start(['-p', prompt, '--input-format', 'stream-json'], { openInput: true });
  for (let asked = 0; asked < reviews; asked += 1) {
    await run.until(
      () =>
        run.events.filter(({ type }) => type === 'review.requested').length > asked ||
        run.events.some(({ type }) => type === 'session.finished'),
    );
    run.child.stdin.write('{"type":"approve"}\n');
  }
  await run.until((event) => event.type === 'session.finished');
  run.child.stdin.end();
  const { code, stderr } = await run.exit;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return run.events;
}

/** Calls that were refused, with the reason. */
function refusalsOf(events: readonly FluffyEvent[]) {
  return bodies(events, 'tool.finished').flatMap(({ tool, error }) => (error ? [{ tool, error }] : []));
}

function noSuchPackage(name: string) {
  const message = expect.stringContaining(`no such package or version: ${name}`) as string;
  return { tool: 'deps.add', error: expect.objectContaining({ message }) as object };
}

/** With another lockfile by its bytes, which nobody has installed yet. */
async function installsAgain(scene: JobScene, lockfile: string, text?: string): Promise<void> {
  const path = join(scene.project.root, lockfile);
  writeFileSync(path, text ?? `${readFileSync(path, 'utf8')}\n`);
  const events = await approved(scene, 'Install the packages', 1);
  expect(bodies(events, 'tool.finished').map(({ tool, ok, summary }) => [tool, ok, summary])).toEqual([
    ['deps.install', true, '1 package installed'],
    ['shell.run', true, expect.anything()],
  ]);
}

const WORKSPACE_FILES = {
  'package.json':
    '{\n  "name": "job",\n  "private": true,\n  "workspaces": [\n    "packages/*"\n  ],\n  "scripts": {\n    "test": "node --test"\n  }\n}\n',
  'packages/clock/package.json':
    '{\n  "name": "@job/clock",\n  "version": "1.0.0",\n  "type": "module",\n  "dependencies": {\n    "@job/text": "^1.0.0"\n  }\n}\n',
  'packages/clock/seconds.js':
    "import { plain } from '@job/text';\n\nexport function seconds(text) {\n  return plain(text);\n}\n",
  'packages/clock/seconds.test.js':
    "import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { seconds } from './seconds.js';\n\ntest('plain', () => assert.equal(seconds('3'), 3));\n",
  'packages/text/package.json':
    '{\n  "name": "@job/text",\n  "version": "1.0.0",\n  "type": "module",\n  "exports": "./plain.js"\n}\n',
  'packages/text/plain.js': 'export function plain(text) {\n  return Number.parseInt(text, 10);\n}\n',
};
const WORKSPACE_SCRIPT = [
  say('A plan.', plan('Read units', 'Add the package to the clock', 'Use it')),
  say('A guess.', { tool: 'deps.add', input: { name: 'units-of-thyme', directory: 'packages/clock' } }),
  say('The package.', { tool: 'deps.add', input: { name: 'units-of-time', directory: 'packages/clock' } }),
  say(
    'The test.',
    write(
      'packages/clock/units.test.js',
      "import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport ms from 'units-of-time';\nimport { seconds } from './seconds.js';\n\ntest('agrees with the package', () => assert.equal(seconds('2 min'), ms('2 min') / 1000));\n",
    ),
    runTests('packages/clock/units.test.js'),
  ),
  say(
    'The code.',
    edit(
      'packages/clock/seconds.js',
      WORKSPACE_FILES['packages/clock/seconds.js'],
      "import { plain } from '@job/text';\nimport ms from 'units-of-time';\n\nexport function seconds(text) {\n  return /^\\d+$/.test(text) ? plain(text) : ms(text) / 1000;\n}\n",
    ),
    runTests(),
  ),
  say('', commit('Read units of time')),
  say('What the lockfile names.', { tool: 'deps.install', input: {} }),
  say('Look.', {
    tool: 'shell.run',
    input: { command: ['node', '--test'], effects: 'discard' },
  }),
  say('Done.'),
];

describe('a workspace of npm', () => {
  it('gets a package in one member, finds the others linked, and is installed again in a clone', async () => {
    const registry = await startPackageRegistry([UNITS]);
    const env = { npm_config_registry: registry.url, npm_config_omit_lockfile_registry_resolved: 'true' };
    const scene = await jobScene(WORKSPACE_SCRIPT, { project: makeJobProject(WORKSPACE_FILES), env });
    try {
      const { project } = scene;
      const events = await approved(scene, 'Read units of time', 3);
      expect(refusalsOf(events)).toEqual([noSuchPackage('units-of-thyme')]);
      const merge = bodies(events, 'review.requested').find(({ kind }) => kind === 'merge');
      expect(merge?.facts?.grade).toEqual({ verified: true, reasons: [] });
      expect(merge?.reasons?.join('\n')).toMatch(
        /New dependency units-of-time 2\.1\.3: published .*2 maintainers, licence MIT, its install script was not run/,
      );
      // No .gitignore names node_modules: what is installed is nobody's uncommitted work anyway.
      expect(merge?.reasons?.join('\n')).not.toMatch(/uncommitted|working tree/);
      expect(project.git('show', '--name-only', '--format=', 'HEAD').trim().split('\n').sort()).toEqual([
        'package-lock.json',
        'packages/clock/package.json',
        'packages/clock/seconds.js',
        'packages/clock/units.test.js',
      ]);
      expect(JSON.parse(readFileSync(join(project.root, 'packages/clock/package.json'), 'utf8'))).toMatchObject({
        dependencies: { 'units-of-time': '^2.1.3' },
      });
      expect(existsSync(join(project.root, 'node_modules'))).toBe(false);
      const log = await scene.home.run(['audit', 'log', '--json'], { cwd: project.root });
      const connections = log.stdout.split('\n').filter((line) => line.includes('"network_connection"'));
      expect(connections.join('\n')).toContain(new URL(registry.url).host);

      await installsAgain(scene, 'package-lock.json');
      expect(existsSync(join(project.root, 'node_modules'))).toBe(false);
    } finally {
      await scene.close();
      await registry.close();
    }
  }, 300_000);
});

/** Before anything was added to it. */
const PNPM_LOCK = `lockfileVersion: '9.0'

settings:
  autoInstallPeers: true
  excludeLinksFromLockfile: false

importers:

  .: {}

  packages/clock:
    dependencies:
      '@job/text':
        specifier: workspace:*
        version: link:../text

  packages/text: {}
`;
const pnpmPath = pnpmOnPath('10.34.9', mkdtempSync(join(tmpdir(), 'fluffy-pnpm-')));

describe.skipIf(pnpmPath === null)('a workspace of pnpm', () => {
  it('gets a package in one member, finds the others linked, and is installed again in a clone', async () => {
    const registry = await startPackageRegistry([UNITS]);
    const env = { npm_config_registry: registry.url, PATH: pnpmPath ?? '' };
    const { workspaces: _, ...top } = JSON.parse(WORKSPACE_FILES['package.json']) as Record<string, unknown>;
    const files = {
      ...WORKSPACE_FILES,
      'package.json': `${JSON.stringify({ ...top, packageManager: 'pnpm@10.34.9' }, null, 2)}\n`,
      'packages/clock/package.json': WORKSPACE_FILES['packages/clock/package.json'].replace(
        /"@job\/text": "[^"]*"/,
        '"@job/text": "workspace:*"',
      ),
      'pnpm-workspace.yaml': 'packages:\n  - "packages/*"\n',
      'pnpm-lock.yaml': PNPM_LOCK,
    };
    const scene = await jobScene(WORKSPACE_SCRIPT, { project: makeJobProject(files), env });
    try {
      const events = await approved(scene, 'Read units of time', 3);
      expect(refusalsOf(events)).toEqual([noSuchPackage('units-of-thyme')]);
      const merge = bodies(events, 'review.requested').find(({ kind }) => kind === 'merge');
      expect(merge?.facts?.grade).toEqual({ verified: true, reasons: [] });
      expect(merge?.reasons?.join('\n')).toMatch(/New dependency units-of-time 2\.1\.3: published .*licence MIT/);
      const { git, root } = scene.project;
      expect(git('show', '--name-only', '--format=', 'HEAD').trim().split('\n').sort()).toEqual([
        'packages/clock/package.json',
        'packages/clock/seconds.js',
        'packages/clock/units.test.js',
        'pnpm-lock.yaml',
      ]);
      expect(existsSync(join(root, 'node_modules'))).toBe(false);

      await installsAgain(scene, 'pnpm-lock.yaml');
    } finally {
      await scene.close();
      await registry.close();
    }
  }, 300_000);
});

const PYTHON_FILES = {
  'seconds.py': 'def seconds(text):\n    return int(text)\n',
  'test_seconds.py':
    'import unittest\nfrom seconds import seconds\n\n\nclass Seconds(unittest.TestCase):\n    def test_plain(self):\n        self.assertEqual(seconds("3"), 3)\n',
};
const UNITS_OF_PYTHON = {
  name: 'timeunits',
  version: '2.1',
  metadata: ['License: MIT'],
  files: { 'timeunits.py': 'def parse(text):\n    return 120_000 if text == "2 min" else int(text)\n' },
};
const PYTHON_SCRIPT = [
  say('A plan.', plan('Read units', 'Add the package', 'Use it')),
  say('The package.', { tool: 'deps.add', input: { name: 'timeunits' } }),
  say(
    'The test.',
    write(
      'test_units.py',
      'import unittest\nimport timeunits\nfrom seconds import seconds\n\n\nclass Units(unittest.TestCase):\n    def test_agrees(self):\n        self.assertEqual(seconds("2 min"), timeunits.parse("2 min") / 1000)\n',
    ),
    runTests('test_units.py'),
  ),
  say(
    'The code.',
    edit(
      'seconds.py',
      PYTHON_FILES['seconds.py'],
      'import timeunits\n\n\ndef seconds(text):\n    return int(text) if text.isdigit() else timeunits.parse(text) / 1000\n',
    ),
    runTests(),
  ),
  say('', commit('Read units of time')),
];

describe('a dependency of pip', () => {
  it('comes as a wheel from the index, with its hashes, and is committed as verified', async () => {
    const index = await startPythonIndex([UNITS_OF_PYTHON]);
    const env = { PIP_CONFIG_FILE: '/dev/null', PIP_INDEX_URL: index.url };
    const project = makeJobProject({ 'requirements.txt': '', ...PYTHON_FILES });
    const scene = await jobScene(PYTHON_SCRIPT, { project, env });
    try {
      const events = await approved(scene, 'Read units of time', 2);
      expect(refusalsOf(events)).toEqual([]);
      const merge = bodies(events, 'review.requested').find(({ kind }) => kind === 'merge');
      expect(merge?.facts?.grade).toEqual({ verified: true, reasons: [] });
      expect(merge?.reasons?.join('\n')).toMatch(/New dependency timeunits 2\.1: published .*licence MIT/);
      expect(project.git('show', 'HEAD:requirements.txt')).toBe(
        `timeunits==2.1 \\\n    --hash=sha256:${sha256Of(wheelOf(UNITS_OF_PYTHON))}\n`,
      );
      expect(existsSync(join(project.root, '.venv'))).toBe(false);
    } finally {
      await scene.close();
      await index.close();
    }
  }, 300_000);
});

const RUST_FILES = {
  'Cargo.toml': '[package]\nname = "job"\nversion = "0.1.0"\nedition = "2021"\n',
  'Cargo.lock': 'version = 4\n\n[[package]]\nname = "job"\nversion = "0.1.0"\n',
  '.gitignore': '/target\n',
  'src/lib.rs': 'pub fn seconds(text: &str) -> u64 {\n    text.parse().unwrap_or(0)\n}\n',
  'tests/plain.rs': '#[test]\nfn plain() {\n    assert_eq!(job::seconds("3"), 3);\n}\n',
};
const CRATE = {
  name: 'timeunits',
  version: '2.1.0',
  source:
    'pub fn parse(text: &str) -> u64 {\n    if text == "2 min" { 120_000 } else { text.parse().unwrap_or(0) }\n}\n',
};
const RUST_SCRIPT = [
  say('A plan.', plan('Read units', 'Add the crate', 'Use it')),
  say('The crate.', { tool: 'deps.add', input: { name: 'timeunits' } }),
  say(
    'The test.',
    write(
      'tests/units.rs',
      '#[test]\nfn agrees() {\n    assert_eq!(job::seconds("2 min"), timeunits::parse("2 min") / 1000);\n}\n',
    ),
    runTests('tests/units.rs'),
  ),
  say(
    'The code.',
    edit(
      'src/lib.rs',
      RUST_FILES['src/lib.rs'],
      'pub fn seconds(text: &str) -> u64 {\n    match text.parse() {\n        Ok(plain) => plain,\n        Err(_) => timeunits::parse(text) / 1000,\n    }\n}\n',
    ),
    runTests(),
  ),
  say('', commit('Read units of time')),
];

describe.skipIf((await rustToolchain()) === null)('a dependency of cargo', () => {
  it('comes from the registry of the user, is built without a network, and is committed as verified', async () => {
    const registry = await startCrateRegistry([CRATE]);
    const cargoHome = mkdtempSync(join(tmpdir(), 'fluffy-cargo-'));
    writeFileSync(join(cargoHome, 'config.toml'), registryConfig(registry));
    const { PATH, RUSTUP_HOME } = toolchainEnv();
    const env = { CARGO_HOME: cargoHome, PATH, RUSTUP_HOME };
    const scene = await jobScene(RUST_SCRIPT, { project: makeJobProject(RUST_FILES), env });
    try {
      const events = await approved(scene, 'Read units of time', 2);
      expect(refusalsOf(events)).toEqual([]);
      const merge = bodies(events, 'review.requested').find(({ kind }) => kind === 'merge');
      expect(merge?.facts?.grade).toEqual({ verified: true, reasons: [] });
      expect(merge?.reasons?.join('\n')).toMatch(/New dependency timeunits 2\.1\.0: published .*licence MIT/);
      expect(scene.project.git('show', 'HEAD:Cargo.toml')).toContain('timeunits = "2.1.0"');
      expect(scene.project.git('show', 'HEAD:Cargo.lock')).toContain(`checksum = "${checksumOf(CRATE)}"`);
      expect(existsSync(join(scene.project.root, '.crates'))).toBe(false);
    } finally {
      await scene.close();
      await registry.close();
      rmSync(cargoHome, { recursive: true });
    }
  }, 300_000);
});

const GO_FILES = {
  'go.mod': 'module job.example/job\n\ngo 1.21\n',
  'seconds.go':
    'package job\n\nimport "strconv"\n\nfunc Seconds(text string) int {\n\tplain, _ := strconv.Atoi(text)\n\treturn plain\n}\n',
  'seconds_test.go':
    'package job\n\nimport "testing"\n\nfunc TestPlain(t *testing.T) {\n\tif Seconds("3") != 3 {\n\t\tt.Error("not 3")\n\t}\n}\n',
};
const MODULE = {
  path: 'units.example/timeunits',
  version: 'v1.2.0',
  files: {
    'parse.go':
      'package timeunits\n\nfunc Parse(text string) int {\n\tif text == "2 min" {\n\t\treturn 120_000\n\t}\n\treturn 0\n}\n',
    LICENSE: 'Permission is hereby granted, free of charge, to any person\n',
  },
};
const GO_SCRIPT = [
  say('A plan.', plan('Read units', 'Add the module', 'Use it')),
  say('A guess.', { tool: 'deps.add', input: { name: 'units.example/thymeunits' } }),
  say('The module.', { tool: 'deps.add', input: { name: MODULE.path } }),
  say(
    'The test.',
    write(
      'units_test.go',
      'package job\n\nimport (\n\t"testing"\n\n\t"units.example/timeunits"\n)\n\nfunc TestAgrees(t *testing.T) {\n\tif got, want := Seconds("2 min"), timeunits.Parse("2 min")/1000; got != want {\n\t\tt.Errorf("%d is not %d", got, want)\n\t}\n}\n',
    ),
    runTests('units_test.go'),
  ),
  say(
    'The code.',
    edit(
      'seconds.go',
      GO_FILES['seconds.go'],
      'package job\n\nimport (\n\t"strconv"\n\n\t"units.example/timeunits"\n)\n\nfunc Seconds(text string) int {\n\tif plain, err := strconv.Atoi(text); err == nil {\n\t\treturn plain\n\t}\n\treturn timeunits.Parse(text) / 1000\n}\n',
    ),
    runTests(),
  ),
  say('', commit('Read units of time')),
  say('What go.sum names.', { tool: 'deps.install', input: {} }),
  say('Look.', { tool: 'shell.run', input: { command: ['go', 'test', './...'] } }),
  say('Done.'),
];

describe.skipIf((await findGoRoot(toolchainEnv().PATH, () => true)) === null)('a dependency of Go', () => {
  it('comes from the module proxy of the user, is committed as verified, and is installed again by its go.sum', async () => {
    const proxy = await startModuleProxy([MODULE]);
    const env = { PATH: toolchainEnv().PATH, GOENV: 'off', GOPROXY: `${proxy.url},direct`, GOSUMDB: 'off' };
    const scene = await jobScene(GO_SCRIPT, { project: makeJobProject(GO_FILES), env });
    try {
      const { project } = scene;
      const events = await approved(scene, 'Read units of time', 3);
      expect(refusalsOf(events)).toEqual([noSuchPackage('units.example/thymeunits')]);
      const merge = bodies(events, 'review.requested').find(({ kind }) => kind === 'merge');
      expect(merge?.facts?.grade).toEqual({ verified: true, reasons: [] });
      expect(merge?.reasons?.join('\n')).toMatch(
        /New dependency units\.example\/timeunits v1\.2\.0: published .*licence MIT/,
      );
      expect(project.git('show', 'HEAD:go.mod')).toContain('require units.example/timeunits v1.2.0\n');
      expect(project.git('show', 'HEAD:go.sum')).toBe(sumsOf(MODULE));
      expect(existsSync(join(project.root, '.gomodcache'))).toBe(false);

      await installsAgain(scene, 'go.sum', `${sumsOf(MODULE)}\n`);
    } finally {
      await scene.close();
      await proxy.close();
    }
  }, 300_000);
});
