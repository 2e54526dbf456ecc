import { describe, expect, it } from 'vitest';
import { namedByCommand } from '../../../src/kernel/proof/command-paths.ts';
import { detectRunners } from '../../../src/kernel/runners/detect-runners.ts';
import { jestArguments } from '../../../src/kernel/runners/jest/arguments.ts';
import { DEFAULT_PATTERNS } from '../../../src/kernel/runners/jest/read-projects.ts';
import { mochaArguments } from '../../../src/kernel/runners/mocha/arguments.ts';
import type { ProjectFiles } from '../../../src/kernel/runners/runner.ts';

type Texts = Readonly<Record<string, string>>;

/** A project in memory: paths with the text of each file. */
function project(files: Texts): ProjectFiles {
  const names = (directory: string) => {
    const prefix = directory === '' ? '' : `${directory}/`;
    const below = Object.keys(files).filter((path) => path.startsWith(prefix));
    return [...new Set(below.map((path) => path.slice(prefix.length).split('/')[0] ?? ''))];
  };
  return { has: (name) => names('').includes(name), names, text: (path) => files[path] ?? '' };
}

const script = (test: string, more: Readonly<Record<string, string>> = {}) => ({
  'package.json': JSON.stringify({ scripts: { test, ...more } }),
});
const found = (files: Texts) => {
  const [first] = detectRunners(project(files), '');
  return first === undefined ? null : [first.command.runner, ...first.command.args];
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
    [
      "borp --coverage -p 'test/**/*.js' -t 500 --pattern=lib/*.test.js",
      ['node-test', 'test/**/*.js', 'lib/*.test.js'],
    ],
    ['tsx --test src/**/*.test.ts', ['node-test', '--import=tsx', 'src/**/*.test.ts']],
    ['tsc --noEmit && node --experimental-strip-types --test', ['node-test', '--experimental-strip-types']],
    ['vitest', ['vitest']],
    ['npm run lint && cross-env CI=1 npx vitest run --coverage', ['vitest']],
    ['vitest run --reporter verbose -c unit.config.ts --globals', ['vitest', '--config=unit.config.ts', '--globals']],
    ['./node_modules/.bin/vitest --root web --environment=jsdom', ['vitest', '--root=web', '--environment=jsdom']],
    ['jest --ci', ['jest']],
    [
      'cross-env NODE_OPTIONS=--experimental-vm-modules jest -c unit.config.js -t one --coverage',
      ['jest', '--experimental-vm-modules', '--config=unit.config.js'],
    ],
    [
      'node --experimental-vm-modules node_modules/jest/bin/jest.js --maxWorkers 2',
      ['jest', '--experimental-vm-modules'],
    ],
    ['mocha "test/**/*.js"', ['mocha', 'test/**/*.js']],
    [
      'nyc mocha -r ts-node/register --extension ts --recursive -R dot -g one spec',
      ['mocha', '--require=ts-node/register', '--extension=ts', '--recursive', 'spec'],
    ],
    ['node --import tsx node_modules/mocha/bin/mocha.js -b', ['mocha', '--import=tsx']],
    ['bun test --coverage -t one --timeout 9000', ['bun-test', '--timeout=9000']],
    ['bun --smol test -r ./setup.ts unit', ['bun-test', '--smol', '--preload=./setup.ts', 'unit']],
    [
      'deno test -A --filter one -R=. -c ci.json --unstable-kv --coverage=out checks',
      ['deno-test', '--allow-read=.', '--unstable-kv', '--allow-all', '--config=ci.json', 'checks'],
    ],
    ['echo "Error: no test specified" && exit 1', null],
    ['cat tests.txt | xargs node --test', null],
  ])('%s', (test, expected) => {
    expect(found(script(test))).toEqual(expected);
  });

  it.each<[string, Record<string, string>, string[] | null]>([
    ['npm run -s unit', { unit: 'vitest run' }, ['vitest']],
    ['pnpm lint && pnpm test:unit', { lint: 'eslint .', 'test:unit': 'node --test' }, ['node-test']],
    ['npm-run-all -s test:*', { 'test:types': 'tsc', 'test:unit': 'vitest run --mode ci' }, ['vitest', '--mode=ci']],
    ['run-s test:*', { 'test:a:b': 'jest', 'test:unit': 'vitest run --mode ci' }, ['vitest', '--mode=ci']],
    [
      'pnpm run "/^test:.*/"',
      { 'test:lint': 'eslint .', 'test:spec': 'vitest run --mode ci' },
      ['vitest', '--mode=ci'],
    ],
    ['run-s lint unit', { lint: 'eslint .', unit: 'vitest run --mode ci' }, ['vitest', '--mode=ci']],
    ['npm run a', { a: 'npm run b', b: 'npm run a' }, null],
    ['playwright test', { 'test:unit': 'vitest' }, ['vitest']],
  ])('%s, with the scripts it runs', (test, more, expected) => {
    expect(found(script(test, more))).toEqual(expected);
  });

  it.each<[string, Texts, string[]]>([
    [
      'of jest',
      {
        'jest.config.ts': `export default { testMatch: ['<rootDir>/checks/**/*.ts', '!**/skip.ts'], setupFilesAfterEnv: ['<rootDir>/setup.ts', 'jest-extended/all'] };`,
      },
      ['--config.setupFilesAfterEnv=setup.ts', 'checks/**/*.ts'],
    ],
    [
      'of jest, with all that it loads',
      {
        'jest.config.js': `const { own } = require('./tools/own.js');
          module.exports = { testMatch: ['a/*.js'], transform: { '\\.js$': ['<rootDir>/tools/transform.js', {}], '\\.ts$': 'ts-jest' },
            testEnvironment: require.resolve('./tools/env.js'), snapshotSerializers: ['./tools/print.js'], reporters: ['default', ['./tools/report.js', {}]] };`,
      },
      [
        '--config.import=tools/own.js',
        '--config.transform=tools/transform.js',
        '--config.testEnvironment=tools/env.js',
        '--config.snapshotSerializers=tools/print.js',
        '--config.reporters=tools/report.js',
        'a/*.js',
      ],
    ],
    [
      'of jest in package.json',
      { 'package.json': `{ "jest": { "testRegex": "_check\\\\.js$" } }` },
      ['--testRegex=_check\\.js$'],
    ],
    [
      'of several projects of jest',
      {
        'jest.config.js': `module.exports = { testMatch: ['none'], projects: [
          { displayName: 'unit', testMatch: ['<rootDir>/unit/**/*.js'], setupFiles: ['./one.js'] },
          { displayName: 'web', rootDir: 'web', testMatch: ['**/*_check.js'], setupFiles: ['./two.js'] },
          { displayName: 'e2e', testRegex: 'e2e/.*\\\\.js$' },
        ] };`,
      },
      [
        '--config.setupFiles=one.js',
        '--config.setupFiles=two.js',
        '--testRegex=e2e/.*\\.js$',
        'unit/**/*.js',
        'web/**/*_check.js',
      ],
    ],
    [
      'of a project of jest without names of its own',
      { 'jest.config.js': `module.exports = { projects: [{ testMatch: ['a/*.js'] }, { displayName: 'b' }] };` },
      ['a/*.js', ...DEFAULT_PATTERNS],
    ],
    [
      'of projects of jest by their directories',
      { 'jest.config.js': `module.exports = { projects: ['<rootDir>/packages/*'] };` },
      DEFAULT_PATTERNS.map((glob) => `packages/*/${glob}`),
    ],
    [
      'of projects of jest by the files of their configurations',
      { 'jest.config.js': `module.exports = { projects: ['<rootDir>/a/jest.config.js', 'b/jest.config.json'] };` },
      ['a', 'b'].flatMap((directory) => DEFAULT_PATTERNS.map((glob) => `${directory}/${glob}`)),
    ],
    [
      'of projects of jest that names stand for',
      {
        'jest.config.js': `const a = { testMatch: ['a/*.js'] }; const b = { testMatch: ['b/*.js'] }; module.exports = { projects: [a, b] };`,
      },
      ['a/*.js', 'b/*.js'],
    ],
    [
      'of jest with an expression that could take forever',
      { 'jest.config.js': `module.exports = { testRegex: '(a+)+$' };` },
      [],
    ],
  ])('has what the configuration %s says', (_, files, args) => {
    expect(jestArguments(['jest'], (path) => files[path] ?? '')).toEqual(args);
  });

  it.each<[string, Texts, string[]]>([
    [
      '.mocharc.yml',
      { '.mocharc.yml': 'spec: checks\nrecursive: true\nrequire: [./hooks.js]\nnode-option: [import=tsx]' },
      ['--import=tsx', '--require=./hooks.js', '--recursive', 'checks'],
    ],
    ['.mocharc.jsonc', { '.mocharc.jsonc': '// tests\n{ "extension": ["ts"] }' }, ['--extension=ts']],
    [
      '.mocharc.cjs',
      { '.mocharc.cjs': `module.exports = { spec: ['a/*.js', 'b/*.js'], recursive: true };` },
      ['--recursive', 'a/*.js', 'b/*.js'],
    ],
    ['package.json', { 'package.json': '{ "mocha": { "file": "first.js" } }' }, ['--file=first.js']],
  ])('has what %s says of mocha', (_, files, args) => {
    expect(mochaArguments(['mocha'], (path) => files[path] ?? '')).toEqual(args);
  });

  it('is not needed where the dependencies say it', () => {
    expect(found({ 'package.json': '{"devDependencies": {"vitest": "*"}}' })).toEqual(['vitest']);
  });
});

describe('a package without tests', () => {
  const INITIAL = { scripts: { test: 'echo "Error: no test specified" && exit 1' } };
  it.each<[string, Texts, string | null]>([
    ['as npm init writes it', { 'package.json': JSON.stringify(INITIAL), 'index.js': '' }, 'index.js'],
    ['without a script', { 'package.json': '{"dependencies": {"express": "*"}}', 'src/app.ts': '' }, 'src/app.ts'],
    ['without a manifest', { 'tool.mjs': '' }, 'tool.mjs'],
    ['without sources of its own', { 'package.json': '{}', 'eslint.config.js': '', '.eslintrc.cjs': '' }, null],
    ['whose script is for another framework', { ...script('lab -v'), 'index.js': '' }, null],
    [
      'that depends on another framework',
      { 'package.json': '{"devDependencies": {"zora": "*"}}', 'index.js': '' },
      null,
    ],
  ])('%s', (_, files, source) => {
    const [first] = detectRunners(project(files), '');
    expect(first?.because ?? null).toBe(
      source === null ? null : `there is ${source}, and nothing names another runner`,
    );
    const strength = 'package.json' in files ? 'language' : 'sources';
    if (source !== null) expect(first).toMatchObject({ command: { runner: 'node-test' }, strength });
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
  ])('%s', (_, config, globs) => {
    expect(found({ ...script('vitest run'), 'vitest.config.ts': config })).toEqual(['vitest', ...globs]);
  });

  it('are behind the files that the configuration loads', () => {
    const config = `import { own } from './tools/own.ts';
      x({ test: { include: ['t/*.ts'], environment: 'jsdom', setupFiles: ['support/env.ts', resolve(here, './more.ts')], globalSetup: './support/all.ts' } })`;
    expect(found({ ...script('vitest run'), 'vitest.config.ts': config })).toEqual([
      'vitest',
      '--config.import=tools/own.ts',
      '--config.setupFiles=support/env.ts',
      '--config.setupFiles=more.ts',
      '--config.globalSetup=support/all.ts',
      't/*.ts',
    ]);
  });

  it('are read from the configuration that the script names', () => {
    const files = {
      ...script('vitest -c unit.mts'),
      'vitest.config.ts': `x({test:{include:['a']}})`,
      'unit.mts': `x({test:{include:['b/*.ts']}})`,
    };
    expect(found(files)).toEqual(['vitest', '--config=unit.mts', 'b/*.ts']);
  });

  it('are below the root that the script names', () => {
    const files = { ...script('vitest --root web'), 'web/vite.config.js': `x({test:{include:['b/*.ts']}})` };
    expect(found(files)).toEqual(['vitest', '--root=web', 'web/b/*.ts']);
  });
});

describe("pytest's settings", () => {
  it.each<[string, Record<string, string>, string[]]>([
    ['none but a section', { 'pytest.ini': '[pytest]\n' }, []],
    [
      'plugins of its own',
      {
        'pytest.ini': '[pytest]\naddopts = -q -p tools.quiet\ntestpaths = tests\n',
        'conftest.py': 'pytest_plugins = ["support.more", "pytester"]\n',
      },
      ['--config.plugin=tools.quiet', '--config.plugin=support.more', '--config.plugin=pytester', 'tests'],
    ],
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
  ])('%s', (_, files, args) => {
    expect(found(files)).toEqual(['pytest', ...args]);
  });
});

describe('a runner that another package brings', () => {
  const dependsOn = (...names: string[]) => ({
    'package.json': JSON.stringify({
      scripts: { test: 'kcd-scripts test' },
      devDependencies: Object.fromEntries(names.map((name) => [name, '*'])),
    }),
  });

  it.each<[string, Texts, string[]]>([
    ['jest, by its settings', { 'jest.config.js': '' }, ['jest', 'vitest']],
    ['vitest, where both have settings', { 'jest.config.js': '', 'vitest.config.ts': '' }, ['vitest', 'jest']],
    ['vitest, which is a dependency', {}, ['vitest']],
  ])('is found: %s', (_, files, runners) => {
    const detected = detectRunners(project({ ...dependsOn('vitest'), ...files }), '');
    expect(detected.map(({ command }) => command.runner)).toEqual(runners);
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
    ['that is one of C++', { 'conanfile.py': '' }, null],
    [
      'that says how they are found',
      { 'setup.py': '', Makefile: 'test:\n\tpython3 -m unittest discover -v -s checks --pattern="*_check.py"\n' },
      ['unittest', '-s', 'checks', '--pattern=*_check.py'],
    ],
    ['that is one file', { 'main.py': '' }, ['unittest']],
    ['that has nothing of the kind', { 'docs/conf.py': '' }, null],
  ])('%s', (_, files, expected) => {
    expect(found(files)).toEqual(expected);
  });
});

describe('a project of Django', () => {
  it('has the settings that manage.py names, and the runner that they name', () => {
    const files = {
      'manage.py':
        'from django.core.management import execute_from_command_line\nos.environ.setdefault("DJANGO_SETTINGS_MODULE", "shop.config")\n',
      'shop/config.py': 'DEBUG = False\nTEST_RUNNER = "tools.runner.Quiet"\n',
    };
    expect(found(files)).toEqual(['django-test', '--config.settings=shop.config', '--config.runner=tools.runner']);
  });

  const MANAGE = { 'manage.py': 'from django.core.management import execute_from_command_line\n' };
  const PYTEST = { 'pytest.ini': '[pytest]\nDJANGO_SETTINGS_MODULE = a.settings\n' };
  it.each<[string, Texts, string]>([
    ['without anything else', {}, 'django-test'],
    ['whose requirements name pytest', { 'requirements.txt': 'django\npytest\n' }, 'django-test'],
    ['with tests of another kind', { 'tests/test_a.py': 'def test_a():\n    pass\n' }, 'django-test'],
    ['that names pytest-django', { 'pyproject.toml': 'dependencies = ["pytest-django"]\n' }, 'pytest'],
    ['whose settings of pytest name those of Django', PYTEST, 'pytest'],
    ['whose conftest.py starts it', { 'conftest.py': 'import django\ndjango.setup()\n' }, 'pytest'],
    [
      'that names its settings to pytest as an option',
      { 'tox.ini': '[pytest]\naddopts = --ds=a.settings\n' },
      'pytest',
    ],
  ])('%s', (_, files, runner) => {
    expect(found({ ...MANAGE, ...files })?.[0]).toBe(runner);
  });

  it('is not detected if another program is called manage.py', () => {
    expect(found({ 'manage.py': 'import flask_script\n' })).toEqual(['unittest']);
  });
});

describe('of several signs', () => {
  const PLAYWRIGHT = { devDependencies: { '@playwright/test': '*' } };
  it.each<[string, Texts, string]>([
    ['a script says more than settings', { ...script('vitest'), 'pytest.ini': '[pytest]\n' }, 'vitest'],
    ['tests say more than sources', { 'index.js': '', 'go.mod': '' }, 'go-test'],
    ['settings say more than an empty package', { 'package.json': '{}', 'pytest.ini': '[pytest]\n' }, 'pytest'],
    ['the first script counts', script('vitest run && node --test'), 'vitest'],
    [
      'a dependency says more than tests',
      { 'package.json': JSON.stringify(PLAYWRIGHT), 'test_a.py': UNITTEST },
      'playwright',
    ],
    [
      'a supported runner counts before another',
      { 'package.json': JSON.stringify(PLAYWRIGHT), 'pytest.ini': '[pytest]\n' },
      'pytest',
    ],
    ['a package of Rust is enough', { 'Cargo.toml': '[package]\n' }, 'cargo-test'],
    ['tests say more than a language', { 'go.mod': '', 'requirements.txt': 'mkdocs\n' }, 'go-test'],
    [
      'tests that import node:test say more than a script that starts another program',
      { ...script('bnt --coverage 100', {}), 'test/a.js': "import { test } from 'node:test'\n" },
      'node-test',
    ],
    [
      'a test that takes a helper of node:test is one of its runner',
      { 'test/a.ts': "import { describe } from 'node:test'\nimport { it } from 'vitest'\n", 'pytest.ini': '' },
      'pytest',
    ],
    ['a project of Maven is enough', { 'pom.xml': '' }, 'maven'],
    [
      'tests of a supported runner count',
      { 'build.gradle': '', 'setup.py': '', 'tests/test_a.py': UNITTEST },
      'unittest',
    ],
  ])('%s', (_, files, runner) => {
    expect(found(files)?.[0]).toBe(runner);
  });

  it('all are named, each with its reason, and the runner that is used comes first', () => {
    const files = { ...script('node_modules/.bin/vitest run'), 'go.mod': '', 'conftest.py': '' };
    expect(
      detectRunners(project(files), 'web').map(({ command, supported, because }) => [command, supported, because]),
    ).toEqual([
      [{ runner: 'vitest', cwd: 'web', args: [] }, true, 'the script "test" in package.json starts it'],
      [{ runner: 'pytest', cwd: 'web', args: [] }, true, 'there is conftest.py'],
      [{ runner: 'go-test', cwd: 'web', args: [] }, true, 'there is go.mod'],
    ]);
  });
});

const MINITEST = 'require "minitest/autorun"\nclass ATest < Minitest::Test; end\n';

describe('minitest', () => {
  it.each<[string, Texts, string, string[]]>([
    ['a Gemfile that names it', { Gemfile: "gem 'minitest', '~> 5'\n" }, 'Gemfile names it', []],
    ['a gemspec that names it', { 'a.gemspec': 's.add_development_dependency "minitest"\n' }, 'a.gemspec names it', []],
    [
      'a lock file that names it',
      { 'Gemfile.lock': 'DEPENDENCIES\n  minitest (~> 5.0)\n' },
      'Gemfile.lock names it',
      [],
    ],
    ['tests that use it', { 'test/deep/a_test.rb': MINITEST }, 'test/deep/a_test.rb uses it', []],
    ['tests beside sources', { 'two_fer_test.rb': MINITEST }, 'two_fer_test.rb uses it', []],
    ['specs of its own', { 'spec/a_spec.rb': MINITEST }, 'spec/a_spec.rb uses it', ['spec/**/*_spec.rb']],
    [
      'tasks of rake',
      {
        'test/test_a.rb': MINITEST,
        Rakefile:
          'require "minitest"\nRake::TestTask.new do |t|\n  t.libs << "test" << "support"\n  # t.pattern = "no/*.rb"\n  t.pattern = "test/**/test_*.rb"\nend\n',
      },
      'Rakefile names it',
      ['-Itest', '-Isupport', 'test/**/test_*.rb'],
    ],
  ])('is found by %s', (_, files, because, args) => {
    const [first] = detectRunners(project(files), '');
    expect(first).toMatchObject({ because, command: { runner: 'minitest', args } });
  });

  it.each<[string, Texts]>([
    ['a comment', { Gemfile: "# gem 'minitest'\n" }],
    ['a gem that has it in its name', { Gemfile: "gem 'my-minitest'\n" }],
    ['a library of tests', { 'lib/a.rb': MINITEST }],
  ])('is not found by %s', (_, files) => {
    expect(detectRunners(project(files), '').map(({ command }) => command.runner)).not.toContain('minitest');
  });
});

describe('bun test', () => {
  const test = { 'src/mul.test.ts': `import { expect, test } from "bun:test";` };

  it.each<[string, Texts, string[] | null]>([
    ['a test that only it can run', { 'package.json': '{}', ...test }, ['bun-test']],
    [
      'its settings',
      {
        'bunfig.toml':
          'preload = "./first.ts"\n[test]\n# ["no"]\nroot = "checks"\npreload = ["./a.ts", "./b.ts"]\n[run]\n',
      },
      ['bun-test', '--test.preload=./first.ts', '--test.preload=./a.ts', '--test.preload=./b.ts', './checks'],
    ],
    [
      'settings that a script names',
      { ...script('bun test -c ci.toml'), 'ci.toml': '[test]\nroot = "./ci"' },
      ['bun-test', '--config=ci.toml', './ci'],
    ],
    [
      'its lock file, and tests',
      { 'bun.lock': '', 'package.json': '{"dependencies": {"zod": "*"}}', 'a.test.ts': '' },
      ['bun-test'],
    ],
    [
      'its lock file alone',
      { 'bun.lock': '', 'package.json': '{"dependencies": {"zod": "*"}, "scripts": {"test": "x"}}' },
      null,
    ],
    [
      'its lock file beside another runner',
      { 'bun.lock': '', 'package.json': '{"devDependencies": {"vitest": "*"}}', 'a.test.ts': '' },
      ['vitest'],
    ],
  ])('is found by %s', (_, files, expected) => {
    expect(found(files)).toEqual(expected);
  });

  it('has files that are loaded first as those of its command', () => {
    const command = { runner: 'bun-test', cwd: 'web', args: ['--test.preload=./setup.ts', '--preload=./hooks'] };
    const isNamed = namedByCommand(command, '/p');
    expect(['web/setup.ts', 'web/hooks/index.ts', 'web/bunfig.toml', 'web/src/a.ts'].map(isNamed)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

const SUITES = `<phpunit><testsuites>
  <testsuite name="unit"><directory>./tests/Unit</directory><exclude>tests/Unit/Old</exclude></testsuite>
  <testsuite name="more"><directory suffix="Check.php">checks/</directory><file>tests/Single.php</file></testsuite>
  <!-- <testsuite name="no"><directory>no</directory></testsuite> -->
</testsuites></phpunit>`;
const GLOBS = ['tests/Unit/**/*Test.php', 'checks/**/*Check.php', 'tests/Single.php'];

describe('PHPUnit', () => {
  const composer = (content: object): Texts => ({ 'composer.json': JSON.stringify(content) });
  it.each<[string, Texts, string, string[]]>([
    ['a package', composer({ 'require-dev': { 'phpunit/phpunit': '^11' } }), 'composer.json names it', []],
    [
      'a lock file',
      { 'composer.lock': '{"packages-dev": [{"name": "phpunit/phpunit"}]}' },
      'composer.lock names it',
      [],
    ],
    ['its settings', { 'phpunit.xml.dist': SUITES }, 'there is phpunit.xml.dist', GLOBS],
    [
      'tests that use it',
      { 'tests/ATest.php': '<?php use PHPUnit\\Framework\\TestCase;' },
      'tests/ATest.php uses it',
      [],
    ],
    [
      'a script with arguments',
      {
        ...composer({
          scripts: { cs: 'phpcs', test: ['@php vendor/bin/phpunit -c build/phpunit.xml --colors=always'] },
        }),
        'build/phpunit.xml': SUITES,
      },
      '"test" in composer.json starts it',
      ['--configuration=build/phpunit.xml', ...GLOBS],
    ],
    [
      'a script with directories',
      composer({ scripts: { test: 'phpunit --bootstrap vendor/autoload.php ./tests/' } }),
      '"test" in composer.json starts it',
      ['--bootstrap=vendor/autoload.php', 'tests'],
    ],
  ])('is found by %s', (_, files, because, args) => {
    const [first] = detectRunners(project(files), '');
    expect(first).toMatchObject({ because, command: { runner: 'phpunit', args } });
  });

  it.each<[string, Texts]>([
    ['a package with another name', composer({ 'require-dev': { 'my/phpunit': '*' } })],
    ['a script that writes its name', composer({ scripts: { a: 'echo phpunit' } })],
    ['a class with such a name', { 'tests/ATest.php': '<?php class ATest {}' }],
  ])('is not found by %s', (_, files) => {
    expect(detectRunners(project(files), '').map(({ command }) => command.runner)).not.toContain('phpunit');
  });
});

describe('deno test', () => {
  it.each<[string, Texts, string, string[]]>([
    [
      'a task, with what it calls',
      {
        'deno.jsonc':
          '{\n  // all\n  "tasks": { "test": "deno fmt --check && deno task unit", "unit": { "command": "deno test -P" } },\n}',
      },
      'the task "test" in deno.jsonc starts it',
      ['--permission-set'],
    ],
    [
      'its settings',
      { 'deno.json': '{"test": {"include": ["checks"]}, "importMap": "./import_map.json"}' },
      'deno.json has settings of its tests',
      ['--import-map=./import_map.json', 'checks'],
    ],
    [
      'a test that only it can run',
      { 'src/mul_test.ts': "Deno.test('a', () => {});" },
      'src/mul_test.ts is written for it',
      [],
    ],
    ['its manifest', { 'deno.json': '{ "name": "@a/b" }' }, 'there is deno.json', []],
  ])('is found by %s', (_, files, because, args) => {
    expect(detectRunners(project(files), '')[0]).toMatchObject({ because, command: { runner: 'deno-test', args } });
  });

  it('is not found by a manifest that cannot be read', () => {
    expect(found({ 'deno.json': '{ "tasks": ' })).toBeNull();
  });
});

describe('RSpec', () => {
  it.each<[string, Texts, string, string[]]>([
    [
      'its settings',
      { '.rspec': '--require spec_helper -I support\n--pattern "checks/**/*_check.rb"\n' },
      'there is .rspec',
      ['-Isupport', 'checks/**/*_check.rb'],
    ],
    ['a Gemfile that names it', { Gemfile: "gem 'rspec'\n" }, 'Gemfile names it', []],
    [
      'a gemspec that names it',
      { 'a.gemspec': "s.add_development_dependency('rspec-core')\n" },
      'a.gemspec names it',
      [],
    ],
    [
      'specs that are its own',
      { 'spec/a/b_spec.rb': 'RSpec.describe Object do\nend\n' },
      'spec/a/b_spec.rb uses it',
      [],
    ],
    ['specs beside sources', { 'two_fer_spec.rb': 'require "rspec"\n' }, 'two_fer_spec.rb uses it', []],
  ])('is found by %s', (_, files, because, args) => {
    const [first] = detectRunners(project(files), '');
    expect(first).toMatchObject({ because, command: { runner: 'rspec', args } });
  });

  it('comes after minitest where a Gemfile names both and the tests are of minitest', () => {
    const Gemfile = "gem 'minitest'\ngem 'rspec'\n";
    expect(found({ Gemfile, 'test/a_test.rb': MINITEST })?.[0]).toBe('minitest');
    expect(found({ Gemfile, 'spec/a_spec.rb': 'RSpec.describe Object do\nend\n' })?.[0]).toBe('rspec');
  });
});

describe('a runner that is not supported yet', () => {
  it.each<[string, Texts, string]>([
    ['gradle', { 'build.gradle.kts': '' }, 'there is build.gradle.kts'],
    ['dotnet-test', { 'App.sln': '' }, 'there is App.sln'],
    ['playwright', { 'package.json': '{"devDependencies": {"@playwright/test": "*"}}' }, 'package.json depends on it'],
    ['ava', script('xo && ava && tsd'), 'the script "test" in package.json starts it'],
    [
      'tape',
      script('npm run test:unit', { 'test:unit': 'tape test/**/*.js' }),
      'the script "test" in package.json starts it',
    ],
    [
      'minijasminenode',
      {
        'package.json': JSON.stringify({
          scripts: { test: 'minijasminenode test.js' },
          devDependencies: { mocha: '*' },
        }),
      },
      'the script "test" in package.json starts it',
    ],
    ['tea-time', script('tea-time -R dot'), 'the script "test" in package.json starts it'],
  ])('%s is recognised', (runner, files, because) => {
    expect(detectRunners(project(files), '')[0]).toMatchObject({ command: { runner }, supported: false, because });
  });

  it('is not seen where only a word is like its name', () => {
    expect(
      found({
        'CMakeLists.txt': 'project(a)\n',
        Gemfile: "gem 'rails'\n",
        'package.json': '{"scripts": {"test": "bun run lint"}}',
      }),
    ).toBeNull();
  });
});
