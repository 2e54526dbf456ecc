import { programCheck } from './check-source.ts';
import type { CheckSource } from './check-source.ts';

interface PythonTool {
  readonly command: string;
  /** Patterns of its settings, by file. */
  readonly settings: Readonly<Record<string, RegExp>>;
  /**
   * Its hook in `.pre-commit-config.yaml`. The pattern matches single lines: white space that can be matched in several
   * ways could take minutes.
   */
  readonly hook: RegExp;
}

const ANY = /\S/;

/** No command writes sources or a cache. */
const TOOLS: readonly PythonTool[] = [
  {
    command: 'ruff check --no-cache --no-fix .',
    settings: { 'pyproject.toml': /^\[tool\.ruff(?:\]|\.lint)/m, 'ruff.toml': ANY, '.ruff.toml': ANY },
    hook: /^[ \t]*(?:-[ \t]*)?id:[ \t]*['"]?ruff(?:-check)?['"]?[ \t]*\r?$/m,
  },
  {
    command: 'ruff format --no-cache --check .',
    settings: { 'pyproject.toml': /^\[tool\.ruff\.format\]/m },
    hook: /^[ \t]*(?:-[ \t]*)?id:[ \t]*['"]?ruff-format['"]?[ \t]*\r?$/m,
  },
  {
    command: 'black --check --quiet .',
    settings: { 'pyproject.toml': /^\[tool\.black\]/m },
    hook: /^[ \t]*(?:-[ \t]*)?id:[ \t]*['"]?black['"]?[ \t]*\r?$/m,
  },
  {
    command: 'isort --check-only --quiet .',
    settings: { 'pyproject.toml': /^\[tool\.isort\]/m, '.isort.cfg': ANY, 'setup.cfg': /^\[(?:tool:)?isort\]/m },
    hook: /^[ \t]*(?:-[ \t]*)?id:[ \t]*['"]?isort['"]?[ \t]*\r?$/m,
  },
  {
    command: 'flake8',
    settings: { '.flake8': ANY, 'setup.cfg': /^\[flake8\]/m, 'tox.ini': /^\[flake8\]/m },
    hook: /^[ \t]*(?:-[ \t]*)?id:[ \t]*['"]?flake8['"]?[ \t]*\r?$/m,
  },
  {
    command: 'mypy --cache-dir=/dev/null',
    settings: { 'pyproject.toml': /^\[tool\.mypy\]/m, 'mypy.ini': ANY, '.mypy.ini': ANY, 'setup.cfg': /^\[mypy\]/m },
    hook: /^[ \t]*(?:-[ \t]*)?id:[ \t]*['"]?mypy['"]?[ \t]*\r?$/m,
  },
];
const HOOKS = '.pre-commit-config.yaml';

/**
 * Linters, formatters and the type checker for which the project has settings. They must be installed in the project.
 */
export const pythonTools: CheckSource = {
  reads: [...new Set([...TOOLS.flatMap(({ settings }) => Object.keys(settings)), HOOKS])],
  find: (directory) =>
    TOOLS.filter(
      ({ settings, hook }) =>
        Object.entries(settings).some(([name, form]) => form.test(directory.text(name))) ||
        hook.test(directory.text(HOOKS)),
    ).map(({ command }) => ({
      ...programCheck(
        directory,
        withPlaces(
          command,
          directory.text('pyproject.toml') + directory.text('setup.cfg') + directory.text('mypy.ini'),
        ),
      ),
      image: 'python' as const,
    })),
};

/** mypy needs paths, unless its settings name them. */
function withPlaces(command: string, settings: string): string {
  return command.startsWith('mypy') && !/^[ \t]*(?:files|packages|modules)[ \t]*=/m.test(settings)
    ? `${command} .`
    : command;
}
