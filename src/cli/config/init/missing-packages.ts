import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { VIRTUAL_ENVIRONMENTS } from '../../../contracts/sandbox/virtual-environments.ts';
import type { EventOf } from '../../../contracts/session/events.ts';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import { readRegularTextSync } from '../../../lib/files/read-regular-file.ts';
import { parseJson } from '../../../lib/parse-json.ts';

const MAX_MANIFEST_BYTES = 1024 * 1024;

/** A directory without installed packages. */
export interface MissingPackages {
  /** Relative to the project. */
  readonly directory: string;
  /** The command that installs them, as a person types it there. */
  readonly install: string;
  /** A session cannot install them. */
  readonly byHand?: true;
}

/** The first existing file decides how packages are installed. */
const JAVASCRIPT = [
  ['pnpm-lock.yaml', 'pnpm install'],
  ['yarn.lock', 'yarn install'],
  ['bun.lock', 'bun install'],
  ['bun.lockb', 'bun install'],
  ['package-lock.json', 'npm ci'],
  ['npm-shrinkwrap.json', 'npm ci'],
  ['package.json', 'npm install'],
] as const;
const VENV = 'python3 -m venv .venv && .venv/bin/pip install';

/** How the packages of some runners are installed. */
interface Installer {
  readonly runners: readonly string[];
  /** Directories of installed packages; if one exists, nothing is missing. */
  readonly directories: readonly string[];
  /** The error text if a package is missing. */
  readonly lacks: RegExp;
  /** The first existing file decides. */
  readonly commands: readonly (readonly [file: string, install: string])[];
  readonly byHand?: true;
}

const INSTALLERS: readonly Installer[] = [
  {
    runners: ['pytest', 'unittest', 'django-test'],
    directories: VIRTUAL_ENVIRONMENTS,
    lacks: /\bNo module named '|Django cannot be used/,
    commands: [
      ['uv.lock', 'uv sync'],
      ['poetry.lock', 'poetry config virtualenvs.in-project true && poetry install'],
      ['pdm.lock', 'pdm install'],
      ['requirements.txt', `${VENV} -r requirements.txt`],
      ['pyproject.toml', `${VENV} -e .`],
      ['setup.py', `${VENV} -e .`],
    ],
  },
  {
    runners: ['go-test'],
    directories: [],
    lacks: /module lookup disabled by GOPROXY=off/,
    commands: [['go.mod', 'go mod download']],
  },
  {
    runners: ['cargo-test'],
    directories: [],
    lacks: /using offline mode \(--offline\)|--offline was specified/,
    commands: [['Cargo.toml', 'cargo fetch']],
  },
  {
    runners: ['phpunit'],
    directories: ['vendor'],
    lacks: /\bClass (?:or interface )?"[^"]+" (?:not found|does not exist)|vendor\/autoload\.php/,
    commands: [['composer.json', 'composer install']],
    byHand: true,
  },
  {
    runners: ['rspec', 'minitest'],
    directories: ['vendor/bundle'],
    lacks: /cannot load such file -- \w|Could not find gem /,
    commands: [['Gemfile', 'bundle install']],
    byHand: true,
  },
];

/**
 * Directories in which a test command runs without the packages of its manifest. For JavaScript nothing is installed in the directory or in the
 * project root; for other languages the failure of the run says so.
 */
export function missingPackages(
  root: string,
  command: TestCommand,
  run: EventOf<'test.finished'> | null,
): MissingPackages[] {
  const parts = [command, ...(command.others ?? [])];
  const found = parts.flatMap(({ runner, cwd }): MissingPackages[] => {
    const at = join(root, cwd);
    const has = (name: string): boolean => [at, root].some((each) => existsSync(join(each, name)));
    const installer = INSTALLERS.find(({ runners }) => runners.includes(runner));
    const isMissing =
      installer === undefined
        ? !has('node_modules') && namesPackages(join(at, 'package.json'))
        : !installer.directories.some(has) && says(run, installer.lacks);
    const install = (installer?.commands ?? JAVASCRIPT).find(([file]) => has(file))?.[1];
    const byHand = installer?.byHand === true ? { byHand: true as const } : {};
    return isMissing && install !== undefined ? [{ directory: cwd, install, ...byHand }] : [];
  });
  return [...new Map(found.map((each) => [each.directory, each])).values()];
}

function says(run: EventOf<'test.finished'> | null, what: RegExp): boolean {
  return run?.cases?.some(({ failure }) => what.test(failure?.message ?? '')) === true;
}

function namesPackages(path: string): boolean {
  const text = readRegularTextSync(path, { maxBytes: MAX_MANIFEST_BYTES, links: 'followed' });
  const manifest = text === null ? undefined : parseJson(text);
  if (typeof manifest !== 'object' || manifest === null) return false;
  const { dependencies, devDependencies } = manifest as Record<string, unknown>;
  return [dependencies, devDependencies].some(
    (each) => typeof each === 'object' && each !== null && Object.keys(each).length > 0,
  );
}
