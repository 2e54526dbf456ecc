import type { TestCommand } from '../../../contracts/session-protocol.ts';
import { PYTEST_FILES, pytestArguments, pytestSettings } from './pytest-settings.ts';
import type { ProjectDirectory } from './project-directory.ts';
import { wordsOf } from './script-commands.ts';

/** Files that say what a project depends on, or how it is built. */
const MANIFESTS = [
  'pyproject.toml',
  'setup.cfg',
  'tox.ini',
  'Pipfile',
  'requirements.txt',
  'requirements-dev.txt',
  'requirements-test.txt',
  'dev-requirements.txt',
  'test-requirements.txt',
];
const TEST_DIRECTORIES = ['', 'tests', 'test'];
const MAX_READ_TESTS = 50;

/** A test that unittest would not find: a function, or one with pytest's own means. */
const NEEDS_PYTEST = /^(?:import|from)\s+pytest\b|^(?:async\s+)?def\s+test_/m;
const DISCOVERY = new Set(['-s', '--start-directory', '-t', '--top-level-directory', '-p', '--pattern']);

/** How the tests of a Python project run, read from its settings, its dependencies, and the tests themselves; null when it is none. */
export async function detectPython(directory: ProjectDirectory, cwd: string): Promise<TestCommand | null> {
  const texts = Object.fromEntries(
    await Promise.all(PYTEST_FILES.map(async (name) => [name, await directory.text(name)] as const)),
  );
  const settings = pytestSettings(texts);
  if (settings !== null) return { runner: 'pytest', cwd, args: pytestArguments(settings) };

  const manifests = (await Promise.all(MANIFESTS.map((name) => directory.text(name)))).join('\n');
  const tests = await testTexts(directory);
  const conftest = (await Promise.all(TEST_DIRECTORIES.map((path) => directory.names(path)))).flat();
  const namesPytest = /\bpytest\b/.test(manifests) || directory.has('pytest.ini') || conftest.includes('conftest.py');
  if (namesPytest || tests.some((text) => NEEDS_PYTEST.test(text))) return { runner: 'pytest', cwd, args: [] };

  const python = manifests.trim() !== '' || directory.has('setup.py') || tests.length > 0;
  if (!python) return null;
  return {
    runner: 'unittest',
    cwd,
    args: discoveryArguments(`${await directory.text('tox.ini')}\n${await directory.text('Makefile')}`),
  };
}

async function testTexts(directory: ProjectDirectory): Promise<string[]> {
  const found: string[] = [];
  for (const path of TEST_DIRECTORIES) {
    const names = (await directory.names(path)).filter((name) => /^test.*\.py$|_test\.py$/.test(name));
    found.push(...names.map((name) => (path === '' ? name : `${path}/${name}`)));
  }
  return Promise.all(found.slice(0, MAX_READ_TESTS).map((path) => directory.text(path)));
}

/** Options of a `python -m unittest discover` that a tox.ini or Makefile holds. */
function discoveryArguments(text: string): string[] {
  const words = wordsOf(/-m\s+unittest\s+discover([^\n&|;#]*)/.exec(text)?.[1] ?? '');
  return words.flatMap((word, index) => {
    const [flag = '', inline] = word.split(/=(.*)/s);
    if (!DISCOVERY.has(flag)) return [];
    return inline !== undefined ? [word] : [flag, words[index + 1] ?? ''];
  });
}
