import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { projectConfigSchema } from '../../../src/cli/config/config-schema.ts';
import { loadedFirst } from '../../../src/kernel/runners/loaded-first.ts';
import { RUNNERS, RUNNER_NAMES, requireRunner, runnerNamed } from '../../../src/kernel/runners/registry.ts';
import { commandDirectory } from '../../../src/kernel/runners/runner.ts';
import { REPOSITORY } from '../../support/source/source-files.ts';

test('no two runners have the same name', () => {
  expect(new Set(RUNNER_NAMES).size).toBe(RUNNER_NAMES.length);
});

test.each(RUNNER_NAMES)('%s is a name that a configuration may have', (runner) => {
  expect(projectConfigSchema.safeParse({ test: { runner } }).success).toBe(true);
});

test('a runner that nobody knows is none of a configuration', () => {
  expect(projectConfigSchema.safeParse({ test: { runner: 'nose' } }).success).toBe(false);
});

describe.each(RUNNERS)('$name', (runner) => {
  const command = { runner: runner.name, cwd: 'sub', args: [] };

  it('has its part inside the sandbox', () => {
    const source = join(REPOSITORY, 'tool-plugins/test-tool/runtime', runner.program);
    expect(existsSync(source) || existsSync(source.replace(/\.mjs$/, '.ts'))).toBe(true);
  });

  it('collects a file under the name that it proposes', () => {
    const extension = runner.program.endsWith('.py') ? '.py' : '.js';
    const names = ['src', 'test'].map((directory) => `${directory}/${runner.fileName('mul', extension)}`);
    expect(names.some((name) => runner.collects(name, command))).toBe(true);
  });

  it('starts its part in the directory of the command and writes the report where it is read', () => {
    const plan = {
      command,
      projectRoot: '/p',
      files: ['sub/a'],
      canary: { prefix: 'c4n4ry', reportName: 'r3p0rt', progressName: 'c0unts' },
    };
    const job = runner.plan(plan);
    expect(commandDirectory(plan)).toBe('/p/sub');
    expect(job).toMatchObject({ cwd: 'sub', reportName: 'r3p0rt' });
    expect(job.argv.join(' ')).toContain(`/opt/fluffy/tools/test-tool/${runner.program}`);
    expect(JSON.stringify(job)).toContain('/var/local/r3p0rt');
  });

  it('believes no exit code of a run in which nothing failed', () => {
    expect(runner.believableExitCodes).not.toContain(0);
  });
});

it.each<[string, Readonly<Record<string, boolean>>]>([
  ['node-test', { 'package.json': true, 'sub/tsconfig.test.json': true, 'src/a.js': false, 'conftest.py': false }],
  [
    'vitest',
    { 'Vitest.Config.TS': true, 'vitest.projects.ts': true, 'a/postcss.config.cjs': true, 'src/vite.ts': false },
  ],
  [
    'pytest',
    { 'tests/conftest.py': true, '.pytest.ini': true, 'pytest.toml': true, 'a.dist-info/entry_points.txt': true },
  ],
  ['unittest', { 'sitecustomize.py': true, 'lib/x.pth': true, 'x.egg-info/PKG-INFO': true, 'conftest.py': false }],
  [
    'django-test',
    { 'manage.py': true, 'a/settings.py': true, 'a/settings/test.py': true, 'a/models.py': false, 'a.pth': true },
  ],
  ['jest', { 'jest.config.mjs': true, 'a/babel.config.js': true, 'src/jest.js': false }],
  [
    'maven',
    {
      'core/pom.xml': true,
      '.mvn/jvm.config': true,
      'src/test/resources/junit-platform.properties': true,
      'src/A.java': false,
    },
  ],
  ['minitest', { Gemfile: true, 'a.gemspec': true, 'core/Rakefile': true, '.bundle/config': true, 'lib/a.rb': false }],
  [
    'phpunit',
    {
      'phpunit.xml.dist': true,
      'composer.json': true,
      'api/tests/bootstrap.php': true,
      'vendor/a/b.php': true,
      'src/bootstrap/a.php': false,
    },
  ],
  ['rspec', { '.rspec': true, 'core/spec/spec_helper.rb': true, Gemfile: true, 'spec/a_spec.rb': false }],
  ['cargo-test', { 'Cargo.toml': true, 'a/build.rs': true, '.cargo/config.toml': true, 'src/lib.rs': false }],
  ['go-test', { 'go.mod': true, 'api/go.sum': true, 'main.go': false }],
  ['mocha', { '.mocharc.yaml': true, 'test/mocha.opts': false }],
  ['bun-test', { 'bunfig.toml': true, 'web/package.json': true, 'src/bun.ts': false }],
  ['deno-test', { 'deno.jsonc': true, 'web/import_map.json': true, 'src/deno.ts': false }],
  ['generic', { 'package.json': false, 'src/Makefile': true }],
  ['gradle', { 'package.json': false }],
])('%s loads before any test', (runner, paths) => {
  const isLoadedFirst = loadedFirst({ runner, cwd: '', args: [] });
  expect(Object.fromEntries(Object.keys(paths).map((path) => [path, isLoadedFirst(path)]))).toEqual(paths);
});

test('a runner that is not supported is an error of configuration that names it, the reason, and those that are', () => {
  expect(runnerNamed('gradle')).toBeNull();
  expect(() => requireRunner('gradle', 'package.json depends on it')).toThrow(
    expect.objectContaining({
      code: 'unknown_test_runner',
      exitCode: 2,
      what: 'Tests run by JUnit by Gradle cannot be judged yet',
      why: `package.json depends on it; results can be judged from ${RUNNERS.map(({ name }) => name).join(', ')}`,
    }) as Error,
  );
});
