import { needsPytest, pathsBesideTests, pythonManifests, pythonTests } from '../python/python-project.ts';
import type { ProjectFiles, Sign } from '../runner.ts';
import { pluginArguments } from './plugins.ts';
import { PYTEST_FILES, pytestArguments, pytestSettings } from './settings.ts';

/** Detects settings of pytest, a dependency on it, a conftest.py, or tests that only pytest runs. */
export function detectPytest(project: ProjectFiles): Sign | null {
  const sign = signOfPytest(project);
  return sign === null ? null : { ...sign, args: [...pluginArguments(project), ...sign.args] };
}

function signOfPytest(project: ProjectFiles): Sign | null {
  const settings = pytestSettings(Object.fromEntries(PYTEST_FILES.map((name) => [name, project.text(name)])));
  if (settings !== null)
    return { strength: 'declared', because: `its settings are in ${settings.file}`, args: pytestArguments(settings) };
  if (project.has('pytest.ini')) return { strength: 'declared', because: 'there is pytest.ini', args: [] };
  const manifest = pythonManifests(project).find(({ text }) => /\bpytest\b/.test(text));
  if (manifest !== undefined) return { strength: 'declared', because: `${manifest.path} names it`, args: [] };
  const conftest = pathsBesideTests(project).find((path) => /(?:^|\/)conftest\.py$/.test(path));
  if (conftest !== undefined) return { strength: 'declared', because: `there is ${conftest}`, args: [] };
  const test = pythonTests(project).find(needsPytest);
  return test === undefined ? null : { strength: 'tests', because: `${test.path} can run with it alone`, args: [] };
}
