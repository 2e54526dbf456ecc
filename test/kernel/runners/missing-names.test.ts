import { describe, expect, it } from 'vitest';
import type { LoadLine } from '../../../src/kernel/runners/case-report.ts';
import { gitHooks } from '../../../src/kernel/runners/checks/git-hooks.ts';
import { cargo } from '../../../src/kernel/runners/checks/cargo.ts';
import type { CheckedDirectory } from '../../../src/kernel/runners/checks/check-source.ts';
import { stringsAtKey } from '../../../src/kernel/runners/javascript/strings-at-key.ts';
import type { Token } from '../../../src/kernel/runners/javascript/source-tokens.ts';
import { loadedFirst } from '../../../src/kernel/runners/loaded-first.ts';
import { pathInside } from '../../../src/kernel/runners/missing-module.ts';
import { missingPhpName } from '../../../src/kernel/runners/phpunit/missing-php-name.ts';
import { missingRubyName } from '../../../src/kernel/runners/ruby/missing-ruby-name.ts';
import type { PlanInput } from '../../../src/kernel/runners/runner.ts';

const PLAN = {
  projectRoot: '/project',
  command: { runner: 'x', cwd: '', args: [] },
  files: [],
} as unknown as PlanInput;
const line = (message: string, more: Partial<LoadLine> = {}): LoadLine =>
  ({ index: 0, type: '', message, place: 'project', ...more }) as LoadLine;
const inPackage = (name: string) => ({ specifier: '/project/(package)', export: name });

describe('what a test file of Ruby lacks', () => {
  it.each<readonly [string, LoadLine, object | null]>([
    [
      'is a file of lib',
      line('cannot load such file -- job/mul', { type: 'LoadError' }),
      { specifier: '/project/lib/job/mul.rb' },
    ],
    [
      'is a file by its path',
      line('cannot load such file -- /project/mul.rb', { type: 'LoadError' }),
      { specifier: '/project/mul.rb' },
    ],
    ['is not a helper of tests', line('cannot load such file -- spec_helper', { type: 'LoadError' }), null],
    ['is nothing in a message of another form', line('cannot open', { type: 'LoadError' }), null],
    ['is a constant', line('uninitialized constant Job::Mul', { type: 'NameError' }), inPackage('Job::Mul')],
    ['is not what the text of another error says', line('uninitialized constant Job', { type: 'RuntimeError' }), null],
    [
      'is not what a gem lacks',
      line('cannot load such file -- job', { type: 'LoadError', place: 'elsewhere' as never }),
      null,
    ],
    [
      'is not what comes from nowhere',
      line('cannot load such file -- job', { type: 'LoadError', place: undefined as never }),
      null,
    ],
  ])('%s', (_what, read, missing) => {
    expect(missingRubyName(PLAN, read)).toEqual(missing);
  });
});

describe('what a test file of PHP lacks', () => {
  it.each<readonly [string, LoadLine, object | null]>([
    ['is a file', line("Failed opening required 'src/Mul.php' (include_path)"), { specifier: '/project/src/Mul.php' }],
    ['is not a file of a package', line("Failed opening required 'vendor/autoload.php' (include_path)"), null],
    ['is not the bootstrap file', line("Failed opening required '/project/bootstrap.php' (include_path)"), null],
    ['is a class', line('Class "Job\\Mul" not found'), inPackage('Job\\Mul')],
    ['is not a class of the runner', line('Class "PHPUnit\\Framework\\X" not found'), null],
    ['is not what a package lacks', line('Class "Job\\Mul" not found', { place: 'elsewhere' as never }), null],
  ])('%s', (_what, read, missing) => {
    expect(missingPhpName(PLAN, read)).toEqual(missing);
  });
});

it.each<readonly [string, string | null]>([
  ['./mul.js', 'test/mul.js'],
  ['../src/mul.js', 'src/mul.js'],
  ['/project/src/mul.js', 'src/mul.js'],
  ['file:///project/src/m%C3%BCl.js', 'src/mül.js'],
  ['file:///project/%', null],
  ['../../x.js', null],
  ['/etc/x.js', null],
  ['../node_modules/x/a.js', null],
  ['lodash', null],
])('an import of %s leads to %j', (specifier, path) => {
  expect(pathInside('/project', 'test/a.test.js', specifier)).toBe(path);
});

describe('the strings at a key', () => {
  const mark = (value: string): Token => ({ kind: 'mark', value });
  const string = (value: string): Token => ({ kind: 'string', value });
  const name = (value: string): Token => ({ kind: 'name', value });
  const KEY = [name('include'), mark(':')];

  it.each<readonly [string, Token[], readonly string[] | null]>([
    ['are one', [...KEY, string('a')], ['a']],
    ['are a list', [...KEY, mark('['), string('a'), mark(','), string('b'), mark(']')], ['a', 'b']],
    ['are none where there is no such key', [name('other'), mark(':'), string('a')], []],
    ['are unknown where the value is computed', [...KEY, name('names')], null],
    ['are unknown where a list has something else', [...KEY, mark('['), name('name'), mark(']')], null],
    ['are unknown where a list does not end', [...KEY, mark('['), string('a')], null],
  ])('%s', (_what, tokens, expected) => {
    expect(stringsAtKey(tokens, 'include')).toEqual(expected);
  });
});

it('a runner that loads nothing by itself has no such files', () => {
  const isLoaded = (runner: string) => loadedFirst({ runner, cwd: '', args: [] });
  expect(isLoaded('unknown')('conftest.py')).toBe(false);
  expect(isLoaded('pytest')('deep/ConfTest.py')).toBe(true);
});

describe('a hook before a commit', () => {
  const directory = (files: Readonly<Record<string, string>>): CheckedDirectory =>
    ({
      env: {},
      image: 'node',
      projectRoot: '/project',
      cwd: '',
      text: (path: string) => files[path] ?? '',
    }) as unknown as CheckedDirectory;
  const found = (files: Readonly<Record<string, string>>) =>
    gitHooks.find(directory(files)).map(({ words, script }) => [words, script]);

  it.each<readonly [string, Readonly<Record<string, string>>, string[][]]>([
    [
      'of husky is its lines, without those for the index and tests',
      { '.husky/pre-commit': '#!/bin/sh\n. husky.sh\nnpx lint-staged\nnpm test\nnpx eslint .\n' },
      [['.husky/pre-commit', 'eslint .']],
    ],
    ['of husky may be empty', { '.husky/pre-commit': '#!/bin/sh\n' }, []],
    [
      'of lefthook is its commands',
      {
        'lefthook.yml':
          'pre-commit:\n  commands:\n    lint: { run: npx eslint . }\n    staged: { run: "x {staged_files}" }\n    git: { run: git diff }\n    none: { glob: x }\n  jobs:\n    - run: make check\n',
      },
      [
        ['lefthook lint', 'eslint .'],
        ['lefthook 1', 'make check'],
      ],
    ],
    ['of lefthook may be another one', { 'lefthook.yml': 'pre-push: {}\n' }, []],
    [
      'of pre-commit is what is written here',
      {
        '.pre-commit-config.yaml':
          'repos:\n  - repo: local\n    hooks:\n      - { id: a, entry: make check, language: system, pass_filenames: false }\n      - { id: b, entry: make b, language: system }\n      - { id: c, entry: git diff, language: system, pass_filenames: false }\n  - repo: https://host.example/x\n    hooks: [{ id: d, entry: x, language: system, pass_filenames: false }]\n',
      },
      [['pre-commit a', 'make check']],
    ],
    ['of pre-commit may be unreadable', { '.pre-commit-config.yaml': 'repos: 1\n' }, []],
  ])('%s', (_what, files, expected) => {
    expect(found(files)).toEqual(expected);
  });

  it('a project without a Cargo.toml has no check of cargo', () => {
    expect(cargo.find(directory({}))).toEqual([]);
  });
});
