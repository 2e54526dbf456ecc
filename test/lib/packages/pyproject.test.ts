import { describe, expect, it } from 'vitest';
import {
  installedLists,
  onlyRequirementsDiffer,
  readPyproject,
  withRequirement,
} from '../../../src/lib/packages/pyproject.ts';

const projectOf = (text: string) => {
  const read = readPyproject(text);
  if (read.kind === 'unreadable') throw new Error(read.why);
  return read.project;
};
const installed = (text: string): string[] => [...installedLists(projectOf(text)).values()].flat();

describe('the lists of a pyproject.toml', () => {
  it('are those of the project, its extras and its groups', () => {
    const { name, version, lists } = projectOf(
      [
        '[project]\nname = "App"\nversion = "1.0"\ndependencies = [ # why\n  "idna>=3", \'six\',\n]',
        '[project.optional-dependencies]\ntest = ["pytest"]',
        '[dependency-groups]\nlint = ["ruff"]\ndev = [{include-group = "Lint"}, "mypy"]\n',
      ].join('\n'),
    );
    expect([name, version]).toEqual(['App', '1.0']);
    expect(Object.fromEntries(lists)).toEqual({
      dependencies: ['idna>=3', 'six'],
      'optional-dependencies.test': ['pytest'],
      'dependency-groups.lint': ['ruff'],
      'dependency-groups.dev': ['ruff', 'mypy'],
    });
  });

  it.each([
    ['extras for tests and not for documentation', 'test = ["pytest"]\ndocs = ["sphinx"]', ['six', 'pytest']],
    [
      'extras that another names',
      'tests = ["app[cli,web]"]\ncli = ["click"]\nweb = ["flask"]',
      ['six', 'click', 'flask'],
    ],
    ['an extra that names itself', 'all = ["App[all]"]\ndev = ["app[all]", "mypy"]', ['six', 'mypy']],
  ])('are installed: %s', (_what, extras, expected) => {
    const text = `[project]\nname = "app"\ndependencies = ["six"]\n[project.optional-dependencies]\n${extras}\n`;
    expect(installed(text)).toEqual(expected);
  });

  it('may have the older form with brackets', () => {
    expect(
      installed('[project]\nname = "a"\ndependencies = ["idna (>=3,<4)", "x[y] (>1) ; python_version > \'3\'"]'),
    ).toEqual(['idna >=3,<4', "x[y] >1 ; python_version > '3'"]);
  });

  it('a group that includes itself ends', () => {
    expect(installed('[dependency-groups]\ndev = [{include-group = "dev"}, "mypy"]')).toEqual(['mypy']);
  });

  it.each([
    ['no TOML', '[project', 'it is no TOML'],
    ['a list that is none', '[project]\nname = "a"\ndependencies = "six"', 'project.dependencies'],
  ])('%s is a reason', (_what, text, why) => {
    expect(readPyproject(text)).toMatchObject({ kind: 'unreadable', why: expect.stringContaining(why) as string });
  });
});

describe('one requirement more', () => {
  const head = '[project]\nname = "a"\n';
  it.each([
    ['an empty list', `${head}dependencies = []\n`, `${head}dependencies = ["six>=1"]\n`],
    ['a list on one line', `${head}dependencies = ["idna"]\n`, `${head}dependencies = ["idna", "six>=1"]\n`],
    [
      'a list on several lines, with comments',
      `${head}dependencies = [\n    "idna",  # why\n    'x[y]'  # ] and "\n    # the end\n]\n[tool.x]\na = 1\n`,
      `${head}dependencies = [\n    "idna",  # why\n    'x[y]',  # ] and "\n    # the end\n    "six>=1",\n]\n[tool.x]\na = 1\n`,
    ],
    ['no list, before the next table', `${head}[tool.x]\n`, `${head}dependencies = [\n  "six>=1",\n]\n[tool.x]\n`],
  ])('of the project: %s', (_what, text, expected) => {
    expect(withRequirement(text, 'six>=1', false)).toBe(expected);
  });

  it.each([
    ['no groups', head, `${head}\n[dependency-groups]\ndev = [\n  "six>=1",\n]\n`],
    [
      'other groups',
      `[dependency-groups]\nlint = ["ruff"]\n`,
      `[dependency-groups]\nlint = ["ruff"]\ndev = [\n  "six>=1",\n]\n`,
    ],
    ['a group', `[dependency-groups]\ndev = ["ruff"]\n`, `[dependency-groups]\ndev = ["ruff", "six>=1"]\n`],
  ])('for development: %s', (_what, text, expected) => {
    expect(withRequirement(text, 'six>=1', true)).toBe(expected);
  });

  it.each([
    ['a list in an inline table', 'project = { name = "a", dependencies = ["idna"] }\n'],
    ['no TOML', '['],
  ])('finds no place: %s', (_what, text) => {
    expect(withRequirement(text, 'six', false)).toBeNull();
  });
});

it.each([
  ['a package', true, '[project]\nname = "a"\ndependencies = ["six"]\n[tool.pytest]\nx = 1\n'],
  ['a group', true, '[project]\nname = "a"\n[dependency-groups]\ndev = ["six"]\n[tool.pytest]\nx = 1\n'],
  ['how tests run', false, '[project]\nname = "a"\n[tool.pytest]\nx = 2\n'],
  ['the name', false, '[project]\nname = "b"\n[tool.pytest]\nx = 1\n'],
])('whether only lists differ: %s', (_what, expected, after) => {
  expect(onlyRequirementsDiffer('[project]\nname = "a"\n[tool.pytest]\nx = 1\n', after)).toBe(expected);
});
