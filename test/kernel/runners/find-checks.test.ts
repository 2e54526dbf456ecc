import { describe, expect, it } from 'vitest';
import { findChecks } from '../../../src/kernel/runners/checks/find-checks.ts';
import { plainEnvironment } from '../../../src/kernel/runners/plain-command.ts';

const found = (files: Readonly<Record<string, string>>) =>
  findChecks({ text: (name) => files[name] ?? '', env: plainEnvironment([]), projectRoot: '/project', image: 'node' });
const words = (files: Readonly<Record<string, string>>) => found(files).map((each) => each.words);

describe('checks of a project', () => {
  it.each<[string, Record<string, string>, string[]]>([
    [
      'scripts',
      { 'package.json': '{"scripts": {"lint": "eslint .", "lint:fix": "x", "types": "tsc"}}' },
      ['npm run types', 'npm run lint'],
    ],
    ['not a script that writes', { 'package.json': '{"scripts": {"lint": "eslint --fix ."}}' }, []],
    ['ruff in its own file', { '.ruff.toml': 'line-length = 90\n' }, ['ruff check --no-cache --no-fix .']],
    [
      'tools in pyproject.toml',
      { 'pyproject.toml': '[tool.ruff.lint]\nselect = ["E"]\n[tool.black]\n[tool.mypy]\nstrict = true\n' },
      ['ruff check --no-cache --no-fix .', 'black --check --quiet .', 'mypy --cache-dir=/dev/null .'],
    ],
    ['mypy with places of its own', { 'mypy.ini': '[mypy]\nfiles = src\n' }, ['mypy --cache-dir=/dev/null']],
    [
      'flake8 and isort in setup.cfg',
      { 'setup.cfg': '[isort]\nprofile = black\n[flake8]\n' },
      ['isort --check-only --quiet .', 'flake8'],
    ],
    ['no tool that is only a dependency', { 'pyproject.toml': '[project]\ndependencies = ["ruff"]\n' }, []],
    ['go vet', { 'go.mod': 'module a\n' }, ['go vet ./...']],
    ['the format of Rust', { 'Cargo.toml': '[package]\nname = "clippy"\n' }, ['cargo fmt --check']],
    [
      'clippy with settings',
      { 'Cargo.toml': '[package]\n[lints.clippy]\nall = "deny"\n' },
      ['cargo fmt --check', 'cargo clippy'],
    ],
    [
      'targets of make',
      { Makefile: 'LINT := x\ntest check: all\n\tx\nlint:\n\truff .\ntypes := 1\n' },
      ['make lint', 'make check'],
    ],
    ['the first makefile alone', { GNUmakefile: 'all:\n', Makefile: 'lint:\n' }, []],
  ])('%s', (_, files, expected) => {
    expect(words(files)).toEqual(expected);
  });

  it('run in the image of their language', () => {
    expect(found({ 'ruff.toml': 'x', Makefile: 'lint:\n' }).map(({ image }) => image)).toEqual(['python', 'node']);
  });

  it('end with the exit code for a missing program if their program is not installed', () => {
    expect(found({ 'ruff.toml': 'x' })[0]?.script).toMatch(/^command -v ruff .* exit 127; \}; ruff check/);
  });
});

describe('hooks before a commit', () => {
  const PACKAGE = {
    'package.json': '{"scripts": {"test": "x", "verify": "tsc && npm run style", "style": "eslint ."}}',
  };
  it.each<[string, Record<string, string>, [string, string][]]>([
    [
      'of husky, without those that need the index or run the tests',
      {
        ...PACKAGE,
        '.husky/pre-commit': '#!/bin/sh\n. "$(dirname "$0")/_/husky.sh"\nnpx lint-staged\nnpm test\nnpm run verify\n',
      },
      [['.husky/pre-commit', '( tsc && ( eslint . ) )']],
    ],
    ['of husky, with nothing else', { '.husky/pre-commit': 'npx lint-staged\n' }, []],
    [
      'of lefthook',
      {
        'lefthook.yml':
          'pre-commit:\n  commands:\n    types:\n      run: npx tsc --noEmit\n    style:\n      run: eslint {staged_files}\n  jobs:\n    - run: cargo deny check\n',
      },
      [
        ['lefthook types', 'tsc --noEmit'],
        ['lefthook 1', 'cargo deny check'],
      ],
    ],
    [
      'of pre-commit that are of the project, and tools that it names',
      {
        '.pre-commit-config.yaml':
          'repos:\n- repo: https://example.com/ruff\n  hooks:\n  - id: ruff-check\n- repo: local\n  hooks:\n  - id: docs\n    entry: python tools/docs.py\n    language: system\n    pass_filenames: false\n  - id: files\n    entry: x\n    language: system\n',
      },
      [
        ['ruff check --no-cache --no-fix .', expect.stringContaining('ruff check') as string],
        ['pre-commit docs', 'python tools/docs.py'],
      ],
    ],
    ['in a file that cannot be read', { 'lefthook.yml': 'pre-commit: [\n', '.pre-commit-config.yaml': '&a [*a]' }, []],
  ])('%s', (_, files, expected) => {
    const hooks = found(files).filter((each) => !each.words.startsWith('npm run'));
    expect(hooks.map((each) => [each.words, each.script])).toEqual(expected);
  });
});
