import { programCheck } from './check-source.ts';
import type { CheckSource } from './check-source.ts';

interface PythonTool {
  readonly command: string;
  /** What settings of it look like, by file. */
  readonly settings: Readonly<Record<string, RegExp>>;
  /** Its hooks in a `.pre-commit-config.yaml`. */
  readonly hook: RegExp;
}

const ANY = /\S/;

/** None of them writes: neither sources nor a cache. */
const TOOLS: readonly PythonTool[] = [
  {
    command: 'ruff check --no-cache --no-fix .',
    settings: { 'pyproject.toml': /^\[tool\.ruff(?:\]|\.lint)/m, 'ruff.toml': ANY, '.ruff.toml': ANY },
    hook: /^\s*-?\s*id:\s*['"]?ruff(?:-check)?['"]?\s*$/m,
  },
  {
    command: 'ruff format --no-cache --check .',
    settings: { 'pyproject.toml': /^\[tool\.ruff\.format\]/m },
    hook: /^\s*-?\s*id:\s*['"]?ruff-format['"]?\s*$/m,
  },
  {
    command: 'black --check --quiet .',
    settings: { 'pyproject.toml': /^\[tool\.black\]/m },
    hook: /^\s*-?\s*id:\s*['"]?black['"]?\s*$/m,
  },
  {
    command: 'isort --check-only --quiet .',
    settings: { 'pyproject.toml': /^\[tool\.isort\]/m, '.isort.cfg': ANY, 'setup.cfg': /^\[(?:tool:)?isort\]/m },
    hook: /^\s*-?\s*id:\s*['"]?isort['"]?\s*$/m,
  },
  {
    command: 'flake8',
    settings: { '.flake8': ANY, 'setup.cfg': /^\[flake8\]/m, 'tox.ini': /^\[flake8\]/m },
    hook: /^\s*-?\s*id:\s*['"]?flake8['"]?\s*$/m,
  },
  {
    command: 'mypy --cache-dir=/dev/null',
    settings: { 'pyproject.toml': /^\[tool\.mypy\]/m, 'mypy.ini': ANY, '.mypy.ini': ANY, 'setup.cfg': /^\[mypy\]/m },
    hook: /^\s*-?\s*id:\s*['"]?mypy['"]?\s*$/m,
  },
];
const HOOKS = '.pre-commit-config.yaml';

/** Linters, formatters and the type checker that the project has settings for, as they are installed in it. */
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

/** mypy refuses to run without places, which its settings may name. */
function withPlaces(command: string, settings: string): string {
  return command.startsWith('mypy') && !/^\s*(?:files|packages|modules)\s*=/m.test(settings) ? `${command} .` : command;
}
