import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { userDirs } from '../../../../src/contracts/host-layout.ts';
import type { EventOf } from '../../../../src/contracts/session/events.ts';
import { OLDEST_NODE } from '../../../../src/host/images/sandbox-node.ts';
import { FluffyError } from '../../../../src/contracts/fluffy-error.ts';
import { describeTrial } from '../../../../src/cli/config/init/describe-trial.ts';
import { missingPackages } from '../../../../src/cli/config/init/missing-packages.ts';
import { listSessions } from '../../../../src/cli/session/read-sessions.ts';
import type { FakeTestRunner } from '../../../support/kernel/fake-sandboxes.ts';
import { capturedOutput } from '../../../support/cli/captured-output.ts';
import { cliServices } from '../../../support/cli/cli-services.ts';
import { readLine } from '../../../support/cli/read-line.ts';
import { cliScene } from '../../../support/cli/cli-scene.ts';
import type { CliScene } from '../../../support/cli/cli-scene.ts';
import { nodeTestReports } from '../../../support/kernel/node-test-report.ts';
import { turn } from '../../../support/wire/script.ts';

let scene: CliScene;
let cases: Readonly<Record<string, boolean>> = {};
let ends: FakeTestRunner | null = null;
let timeoutMs = 0;
const runTests: FakeTestRunner = (run) => {
  timeoutMs = run.operation.deadlineMs;
  return ends === null ? nodeTestReports(run, () => cases) : ends(run);
};

beforeAll(async () => {
  scene = await cliScene({ runTests });
});
afterAll(() => scene.close());

const TRIAL = [turn({ calls: [{ tool: 'test.run', input: {} }] }), turn({ text: 'They were run.' })];

/** The configuration is written once, so each case begins without. */
async function init(...args: string[]): Promise<string> {
  scene.begin(TRIAL);
  rmSync(join(scene.project.root, '.fluffy'), { recursive: true, force: true });
  const { code, stdout } = await scene.cli(['config', 'init', ...args]);
  expect(code).toBe(0);
  return stdout.split('\n').slice(1).join('\n');
}

it('runs the tests once, says how that ended, and leaves no session in the list', async () => {
  cases = { one: true, two: true };
  expect(await init()).toMatch(/^The tests were run once in a sandbox \(.*\): 2 passed, 0 failed\.\n$/);
  expect(listSessions(scene.dirs.database).map(({ archived }) => archived)).toEqual([true]);
});

it('needs no author: it commits nothing', async () => {
  cases = { one: true };
  const { git } = scene.project;
  git('config', '--unset', 'user.email');
  try {
    expect(await init()).toMatch(/1 passed, 0 failed/);
  } finally {
    git('config', 'user.email', 'ada@example.invalid');
  }
});

it('begins a coverage baseline without a figure, also in a project with a configuration, and leaves one that is there', async () => {
  cases = { one: true };
  const file = join(scene.project.root, '.fluffy/coverage-baseline.json');
  await init('--no-run');
  const begun = await scene.cli(['config', 'init', '--coverage']);
  expect(begun).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Wrote .*coverage-baseline.json. Commit it/) as string,
  });
  const text = readFileSync(file, 'utf8');
  expect(JSON.parse(text)).toEqual({ version: 1, lines: null, runner: '', languages: [] });
  writeFileSync(file, 'mine');
  expect((await scene.cli(['config', 'init', '--coverage'])).stdout).toContain('is there already');
  expect(readFileSync(file, 'utf8')).toBe('mine');
});

it("names the user's own command for the project, and tries that one", async () => {
  const { configFile } = userDirs(scene.env);
  const entry = { project: scene.project.root, command: ['make', 'check all'], report: 'tap' };
  mkdirSync(dirname(configFile), { recursive: true, mode: 0o700 });
  const before = existsSync(configFile) ? readFileSync(configFile, 'utf8') : null;
  writeFileSync(configFile, `${before ?? ''}\ntest: ${JSON.stringify({ commands: [entry] })}\n`);
  let argv = '';
  ends = (run) => {
    argv = JSON.stringify(run);
    return nodeTestReports(run, () => ({}));
  };
  try {
    const said = await init();
    expect(said).toMatch(/^It is make 'check all', judged by its report \(tap\)\. A human decides/);
    expect(argv).toContain('generic-run.mjs');
    expect(readFileSync(join(scene.project.root, '.fluffy/config.yaml'), 'utf8')).not.toMatch(/^test:/m);
  } finally {
    ends = null;
    if (before === null) rmSync(configFile);
    else writeFileSync(configFile, before);
  }
});

it('names what fails before any change', async () => {
  cases = Object.fromEntries(Array.from({ length: 7 }, (_, n) => [`case ${n}`, n === 0]));
  expect(await init()).toMatch(
    /: 1 passed, 6 failed\.\n {2}test\/parse-config\.test\.js: case 1: .+\n(?: {2}.*\n){4} {2}and 1 more\nWhat fails before a change may fail after it\.\n$/,
  );
});

it('says that the project asks for another Node', async () => {
  const file = join(scene.project.root, '.nvmrc');
  writeFileSync(file, '14\n');
  const said = await init('--no-run').finally(() => rmSync(file));
  const major = process.versions.node.split('.')[0];
  expect(said).toBe(
    `.nvmrc asks for Node 14; tests and commands run with Node ${major}. Runners of JavaScript need Node ${OLDEST_NODE} or later: if a test fails only in a session, change the project so that it works with Node ${major} too.\n`,
  );
  expect(await init('--no-run')).toBe('');
});

it('says how a first test is called where there is none', async () => {
  const empty = await cliScene({ files: { 'package.json': '{}', 'index.js': '' } });
  empty.begin(TRIAL);
  const { stdout } = await empty.cli(['config', 'init']);
  await empty.close();
  expect(stdout).toContain('There are no tests yet. A test is found by its name: node-test, which collects *.test');
});

it.each([
  ['that ended by themselves too late', { exit: { kind: 'timed-out', after_ms: 1 } }, 'The tests did not end in time'],
  ['whose runner crashed', { exit: { kind: 'exited', code: 9 }, report: null }, 'The test runner crashed'],
  ['that need more memory', { exit: { kind: 'out-of-memory' } }, 'The tests used more memory than their sandbox has'],
] as const)('says what became of tests %s, and never that none failed', async (_what, result, words) => {
  ends = () => result;
  const said = await init().finally(() => (ends = null));
  expect(said).toContain(words);
  expect(said).not.toContain('0 failed');
});

it('gives the tests as long as a session would', async () => {
  await scene.cli(['config', 'set', 'test.timeout', '20s']);
  await init();
  expect(timeoutMs).toBe(20_000);
});

describe('packages that are not installed', () => {
  const failed = (messages: readonly string[], name = '(load)') =>
    ({
      type: 'test.finished',
      valid: true,
      outcome: 'failed',
      passed: 0,
      failed: messages.length,
      skipped: 0,
      cases: messages.map((message, n) => ({
        file: `tests/test_${n}.py`,
        name,
        status: 'failed',
        failure: { kind: 'error', message },
      })),
    }) as unknown as EventOf<'test.finished'>;

  it.each<readonly [string, string, Record<string, string>, readonly string[], string | null]>([
    ['npm', 'jest', { 'package-lock.json': '' }, [], 'npm ci'],
    ['no lockfile', 'jest', {}, [], 'npm install'],
    ['pnpm', 'vitest', { 'pnpm-lock.yaml': '' }, [], 'pnpm install'],
    ['uv', 'pytest', { 'uv.lock': '' }, ["No module named 'attr'"], 'uv sync'],
    [
      'setup.py',
      'unittest',
      { 'setup.py': '' },
      ["No module named 'a'"],
      'python3 -m venv .venv && .venv/bin/pip install -e .',
    ],
    ['Go', 'go-test', { 'go.mod': '' }, ['a.go:1:2: module lookup disabled by GOPROXY=off'], 'go mod download'],
    [
      'Rust',
      'cargo-test',
      { 'Cargo.toml': '' },
      ["As a reminder, you're using offline mode (--offline) which"],
      'cargo fetch',
    ],
    ['PHP', 'phpunit', { 'composer.json': '' }, ['Error: Class "A\\\\B" not found'], 'composer install'],
    ['PHP, and packages', 'phpunit', { 'composer.json': '', 'vendor/a': '' }, ['Error: Class "A" not found'], null],
    ['Ruby', 'rspec', { Gemfile: '' }, ['cannot load such file -- warning'], 'bundle install'],
    ['Go, and nothing that was missing', 'go-test', { 'go.mod': '' }, ['got 1'], null],
    ['Python, and nothing that was missing', 'pytest', { 'uv.lock': '' }, ['1 != 2'], null],
    ['Python, and a virtual environment', 'pytest', { 'uv.lock': '', 'venv/a': '' }, ["No module named 'a'"], null],
  ])('are named with what installs them: %s', (_what, runner, files, messages, install) => {
    const root = mkdtempSync(join(tmpdir(), 'fluffy-missing-'));
    for (const [path, text] of Object.entries({ 'package.json': '{"devDependencies":{"jest":"1"}}', ...files })) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const missing = missingPackages(root, { runner, cwd: '', args: [] }, failed(messages));
    rmSync(root, { recursive: true });
    expect(missing).toMatchObject(install === null ? [] : [{ directory: '', install }]);
    expect(missing).toHaveLength(install === null ? 0 : 1);
  });

  it.each([
    ['without a result', null],
    ['with an invalid result', { ...failed([]), outcome: 'invalid' } as EventOf<'test.finished'>],
  ])('tests that were not run, %s, are reported as the call says', (_what, run) => {
    const refused = { error: { message: 'no image' }, summary: 'refused' } as EventOf<'tool.finished'>;
    const command = { runner: 'jest', cwd: '', args: [] };
    const said = (call: EventOf<'tool.finished'> | null) => describeTrial(command, { run, call, summary: 'ended' }, []);
    expect(said(refused)).toBe('The tests were not run: no image\n');
    expect(said({ ...refused, error: undefined, summary: 'cut' } as EventOf<'tool.finished'>)).toContain(': cut\n');
    expect(said({ ...refused, error: undefined, summary: '' } as EventOf<'tool.finished'>)).toContain(': ended\n');
    expect(said(null)).toBe('The tests were not run: ended\n');
  });

  it('are named after a crash without a reason', () => {
    const crashed = { ...failed([]), valid: false, outcome: 'crashed' } as EventOf<'test.finished'>;
    const missing = [{ directory: '', install: 'npm ci' }];
    const command = { runner: 'jest', cwd: '', args: [] };
    const why = 'the service redis ended at once: Address in use';
    expect(describeTrial(command, { run: { ...crashed, why }, call: null, summary: 'crashed' }, [])).toBe(
      'The test runner crashed, so nothing was tested: the service redis ended at once: Address in use\n',
    );
    expect(describeTrial(command, { run: crashed, call: null, summary: 'crashed' }, [])).toContain(
      'so nothing was tested.\nRun the tests yourself to see why',
    );
    expect(describeTrial(command, { run: crashed, call: null, summary: 'crashed' }, missing)).toBe(
      'The test runner crashed, so nothing was tested.\nPackages are not installed in this project: run npm ci there. In a session the model can call deps.install for the project itself.\n',
    );
  });

  it('are installed by the model only where it can', () => {
    const missing = [{ directory: '', install: 'composer install', byHand: true as const }];
    const command = { runner: 'phpunit', cwd: '', args: [] };
    const said = describeTrial(command, { run: failed(['a']), call: null, summary: '' }, missing);
    expect(said).toMatch(/not installed in this project: run composer install there\.\n$/);
  });

  it('are named by the line that says what is wrong', () => {
    const message =
      '   Compiling a v0.1.0\nwarning: a key is deprecated\n  (in the manifest)\n# example.com/a\nerror: linking with `cc` failed\nnote: more\n';
    const command = { runner: 'cargo-test', cwd: '', args: [] };
    expect(describeTrial(command, { run: failed([message]), call: null, summary: '' }, [])).toContain(
      'tests/test_0.py: (load): error: linking with `cc` failed\n',
    );
  });

  it('are one line where they keep many files from being loaded', () => {
    const command = { runner: 'pytest', cwd: '', args: [] };
    const shown = (name: string) =>
      describeTrial(command, { run: failed(['a', 'a', 'a'], name), call: null, summary: '' }, [])
        .split('\n')
        .slice(1, -2);
    expect(shown('(load)')).toEqual(['  tests/test_0.py: (load): a (and 2 more files for the same reason)']);
    expect(shown('adds')).toHaveLength(3);
  });
});

it('runs nothing where it is told so', async () => {
  expect(await init('--no-run')).toBe('');
});

it('has written the file where nothing can be run', async () => {
  const line = await readLine('config', 'init', '--project', scene.project.root);
  rmSync(join(scene.project.root, '.fluffy'), { recursive: true, force: true });
  const output = capturedOutput();
  const none = new FluffyError({
    code: 'no_runtime',
    what: 'No engine',
    why: 'none runs',
    fix: 'Start it',
    exitCode: 3,
  });
  const services = cliServices({ env: scene.env, output, connect: () => Promise.reject(none) });
  expect(await line.run(services)).toBe(0);
  expect(output.text.stdout).toContain('The tests were not run: No engine: none runs\nStart it\n');
  const written = join(scene.project.root, '.fluffy/config.yaml');
  expect(existsSync(written)).toBe(true);
  // Root may write in a project of somebody else's, whose kernel has to read it.
  const owner = statSync(scene.project.root).uid;
  expect([statSync(written).uid, statSync(dirname(written)).uid]).toEqual([owner, owner]);
});
