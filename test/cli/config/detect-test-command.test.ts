import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { detectTestCommand } from '../../../src/cli/config/detect-test-command.ts';

let root = '';

afterEach(() => rmSync(root, { recursive: true, force: true }));

function project(files: Readonly<Record<string, string>>): string {
  root = mkdtempSync(join(tmpdir(), 'fluffy-detect-'));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

const script = (test: string, more: Readonly<Record<string, string>> = {}) => ({
  'package.json': JSON.stringify({ scripts: { test, ...more } }),
});
const found = async (files: Readonly<Record<string, string>>, cwd = '') => {
  const command = await detectTestCommand(project(files), cwd);
  return command === null ? null : [command.runner, ...command.args];
};

describe('a package script', () => {
  it.each<[string, string[] | null]>([
    ['node --test', ['node-test']],
    ['node --test test/', ['node-test', 'test/']],
    ['node --test --test-reporter spec', ['node-test']],
    ['node --test --test-reporter=spec --test-concurrency 1 "test/**/*.js"', ['node-test', 'test/**/*.js']],
    ['node --test --test-name-pattern "one of them" --test-only --watch', ['node-test']],
    [
      'NODE_ENV=test c8 node --import tsx -r ./setup.cjs --test',
      ['node-test', '--import=tsx', '--require=./setup.cjs'],
    ],
    ['tsx --test src/**/*.test.ts', ['node-test', '--import=tsx', 'src/**/*.test.ts']],
    ['tsc --noEmit && node --experimental-strip-types --test', ['node-test', '--experimental-strip-types']],
    ['vitest', ['vitest']],
    ['npm run lint && cross-env CI=1 npx vitest run --coverage', ['vitest']],
    ['vitest run --reporter verbose -c unit.config.ts --globals', ['vitest', '--config=unit.config.ts', '--globals']],
    ['./node_modules/.bin/vitest --root web --environment=jsdom', ['vitest', '--root=web', '--environment=jsdom']],
    ['jest --ci', ['jest']],
    ['mocha "test/**/*.js"', ['mocha']],
    ['echo "Error: no test specified" && exit 1', null],
    ['cat tests.txt | xargs node --test', null],
  ])('%s', async (test, expected) => {
    expect(await found(script(test))).toEqual(expected);
  });

  it.each<[string, Record<string, string>, string[] | null]>([
    ['npm run -s unit', { unit: 'vitest run' }, ['vitest']],
    ['pnpm lint && pnpm test:unit', { lint: 'eslint .', 'test:unit': 'node --test' }, ['node-test']],
    ['run-s lint unit', { lint: 'eslint .', unit: 'vitest run --mode ci' }, ['vitest', '--mode=ci']],
    ['npm run a', { a: 'npm run b', b: 'npm run a' }, null],
    ['playwright test', { 'test:unit': 'vitest' }, ['vitest']],
  ])('%s, with the scripts it runs', async (test, more, expected) => {
    expect(await found(script(test, more))).toEqual(expected);
  });

  it('is not needed where the dependencies say it', async () => {
    expect(await found({ 'package.json': '{"devDependencies": {"vitest": "*"}}' })).toEqual(['vitest']);
  });
});

describe("the tests that vitest's configuration includes", () => {
  const DEFAULT = '**/*.{test,spec}.?(c|m)[jt]s?(x)';
  it.each<[string, string, string[]]>([
    ['none of its own', `export default { test: { globals: true } };`, []],
    [
      'a list',
      `export default defineConfig({ test: { include: ['tests/**/*.ts', "./unit/*.ts"] } });`,
      ['tests/**/*.ts', 'unit/*.ts'],
    ],
    [
      'in quotes, behind comments',
      `export default { /* include: ['a'] */ 'test': { // include: ['b']\n 'include': [\`c/*.ts\`], }, }`,
      ['c/*.ts'],
    ],
    [
      'not that of coverage or of the type checker',
      `x({ test: { coverage: { include: ['src'] }, typecheck: { include: ['t'] } } })`,
      [],
    ],
    ['not that of Vite', `x({ optimizeDeps: { include: ['dep'] }, test: { include: ['t/*.ts'] } })`, ['t/*.ts']],
    ['and the defaults', `x({ test: { include: [...configDefaults.include, 'a/*.ts'] } })`, [DEFAULT, 'a/*.ts']],
    ['that only running it would tell', `x({ test: { include: globs } })`, []],
    ['partly so', `x({ test: { include: ['a/*.ts', mine] } })`, []],
    ['below a root', `x({ root: './web', test: { include: ['t/*.ts'] } })`, ['web/t/*.ts']],
    [
      'below a root that is the project',
      `x({ root: fileURLToPath(new URL('./', import.meta.url)), test: { include: ['t/*.ts'] } })`,
      ['t/*.ts'],
    ],
    [
      'of several projects',
      `x({ test: { projects: [{ test: { include: ['a/*.ts'] } }, { test: { name: 'b' } }] } })`,
      ['a/*.ts', DEFAULT],
    ],
    [
      'with regular expressions about',
      `x({ resolve: { alias: [{ find: /^['"{]/, to: 'x' }] }, test: { include: ['t/*.ts'] } })`,
      ['t/*.ts'],
    ],
    ['in a file that breaks off', `x({ test: { include: ['t/*.ts'`, []],
  ])('%s', async (_, config, globs) => {
    expect(await found({ ...script('vitest run'), 'vitest.config.ts': config })).toEqual(['vitest', ...globs]);
  });

  it('are read from the configuration that the script names', async () => {
    const files = {
      ...script('vitest -c unit.mts'),
      'vitest.config.ts': `x({test:{include:['a']}})`,
      'unit.mts': `x({test:{include:['b/*.ts']}})`,
    };
    expect(await found(files)).toEqual(['vitest', '--config=unit.mts', 'b/*.ts']);
  });

  it('are below the root that the script names', async () => {
    const files = { ...script('vitest --root web'), 'web/vite.config.js': `x({test:{include:['b/*.ts']}})` };
    expect(await found(files)).toEqual(['vitest', '--root=web', 'web/b/*.ts']);
  });

  it('are not read through a link', async () => {
    const directory = project(script('vitest'));
    writeFileSync(join(directory, 'elsewhere'), `x({test:{include:['b/*.ts']}})`);
    symlinkSync('elsewhere', join(directory, 'vitest.config.ts'));
    expect(await detectTestCommand(directory, '')).toEqual({ runner: 'vitest', cwd: '', args: [] });
  });
});

describe("pytest's settings", () => {
  it.each<[string, Record<string, string>, string[]]>([
    ['none but a section', { 'pytest.ini': '[pytest]\n' }, []],
    ['one place', { 'pytest.ini': '[pytest]\ntestpaths = tests\n' }, ['tests']],
    [
      'places on lines of their own',
      {
        'setup.cfg':
          '[metadata]\nname = x\n[tool:pytest]\ntestpaths =\n    unit\n    # not this\n    more/\naddopts = -q\n',
      },
      ['unit', 'more'],
    ],
    [
      'TOML, a list',
      { 'pyproject.toml': '[tool.pytest.ini_options]\ntestpaths = [\n  "a", # one\n  "b",\n]\n' },
      ['a', 'b'],
    ],
    ['TOML, a text', { 'pyproject.toml': '[tool.pytest.ini_options]\ntestpaths = "a b"\n' }, ['a', 'b']],
    [
      'names of its own',
      { 'pyproject.toml': '[tool.pytest.ini_options]\npython_files = ["check_*.py", "tests.py"]\n' },
      ['**/check_*.py', '**/tests.py'],
    ],
    [
      'names and places',
      { 'tox.ini': '[tox]\n\n[pytest]\npython_files = *_check.py\ntestpaths = ./unit src/*/checks\n' },
      ['unit/**/*_check.py', 'src/*/checks/**/*_check.py'],
    ],
    [
      'places with wildcards',
      { 'pytest.ini': '[pytest]\ntestpaths = src/*/tests\n' },
      ['src/*/tests/**/test_*.py', 'src/*/tests/**/*_test.py'],
    ],
    [
      'the first file alone',
      { 'pytest.ini': '[pytest]\n', 'pyproject.toml': '[tool.pytest.ini_options]\ntestpaths = ["a"]\n' },
      [],
    ],
    [
      'not those of another section',
      {
        'pyproject.toml':
          '[tool.other]\ntestpaths = ["x"]\n[tool.pytest.ini_options]\naddopts = "-q"\n[tool.last]\ntestpaths = ["y"]\n',
      },
      [],
    ],
  ])('%s', async (_, files, args) => {
    expect(await found(files)).toEqual(['pytest', ...args]);
  });
});

const UNITTEST = 'import unittest\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        pass\n';

describe('a Python project without settings', () => {
  it.each<[string, Record<string, string>, string[] | null]>([
    ['that depends on pytest', { 'requirements.txt': 'pytest>=8\n', 'tests/test_a.py': UNITTEST }, ['pytest']],
    ['with a conftest.py', { 'tests/conftest.py': '' }, ['pytest']],
    [
      'whose tests are functions',
      { 'setup.py': '', 'tests/test_a.py': 'def test_a():\n    assert True\n' },
      ['pytest'],
    ],
    ['whose tests use pytest', { 'a.py': '', 'test_a.py': 'import pytest\n' }, ['pytest']],
    ['whose tests are cases', { 'tests/test_a.py': UNITTEST }, ['unittest']],
    ['that has none yet', { 'setup.py': '' }, ['unittest']],
    [
      'that says how they are found',
      { 'setup.py': '', Makefile: 'test:\n\tpython3 -m unittest discover -v -s checks --pattern="*_check.py"\n' },
      ['unittest', '-s', 'checks', '--pattern=*_check.py'],
    ],
    ['that has nothing of the kind', { 'main.py': '' }, null],
  ])('%s', async (_, files, expected) => {
    expect(await found(files)).toEqual(expected);
  });
});

describe('where', () => {
  it('is the nearest directory that says how, up to the project', async () => {
    const files = { ...script('vitest'), 'packages/api/pytest.ini': '[pytest]\n', 'packages/web/README.md': '' };
    expect(await detectTestCommand(project(files), 'packages/api')).toMatchObject({
      runner: 'pytest',
      cwd: 'packages/api',
    });
    expect(await detectTestCommand(root, 'packages/web')).toMatchObject({ runner: 'vitest', cwd: '' });
  });

  it('is a package before a Python project in the same place, if it says anything', async () => {
    expect(await found({ 'package.json': '{}', 'pytest.ini': '[pytest]\n' })).toEqual(['pytest']);
    expect(await found({ ...script('vitest'), 'pytest.ini': '[pytest]\n' })).toEqual(['vitest']);
  });
});
