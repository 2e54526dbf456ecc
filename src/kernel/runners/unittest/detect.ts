import { wordsOf } from '../command-words.ts';
import { needsPytest, pythonManifests, pythonTests } from '../python/python-project.ts';
import type { ProjectFiles, Sign } from '../runner.ts';

const DISCOVERY = new Set(['-s', '--start-directory', '-t', '--top-level-directory', '-p', '--pattern']);

/** Detects tests that need no other runner, or any sign of Python: the runner is part of the language. */
export function detectUnittest(project: ProjectFiles): Sign | null {
  const args = discoveryArguments(`${project.text('tox.ini')}\n${project.text('Makefile')}`);
  const test = pythonTests(project).find((each) => !needsPytest(each));
  if (test !== undefined) return { strength: 'tests', because: `there is ${test.path}`, args };
  const manifest = project.has('setup.py') ? 'setup.py' : pythonManifests(project)[0]?.path;
  const path = manifest ?? firstSource(project);
  if (path === undefined) return null;
  const strength = manifest === undefined ? 'sources' : 'language';
  return { strength, because: `there is ${path}, and nothing names another runner`, args };
}

function firstSource(project: ProjectFiles): string | undefined {
  return project
    .names('')
    .filter((name) => /^(?!(?:conftest|conanfile)\.py$)[^.].*\.pyw?$/.test(name))
    .sort()[0];
}

/** Options of `python -m unittest discover` in a tox.ini or Makefile. */
function discoveryArguments(text: string): string[] {
  const words = wordsOf(/-m\s+unittest\s+discover([^\n&|;#]*)/.exec(text)?.[1] ?? '');
  return words.flatMap((word, index) => {
    const [flag = '', inline] = word.split(/=(.*)/s);
    if (!DISCOVERY.has(flag)) return [];
    return inline !== undefined ? [word] : [flag, words[index + 1] ?? ''];
  });
}
