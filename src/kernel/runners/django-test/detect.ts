import { configuredArgument } from '../command-arguments.ts';
import { PYTEST_FILES } from '../pytest/settings.ts';
import { pathsBesideTests, pythonManifests } from '../python/python-project.ts';
import type { ProjectFiles, Sign } from '../runner.ts';

/** The file with the commands of a Django project. */
export const MANAGE = 'manage.py';

/** Detects Django's manage.py, unless pytest starts Django: by its plugin, its settings, or a conftest.py. */
export function detectDjango(project: ProjectFiles): Sign | null {
  if (!/\bdjango\.core\.management\b/.test(project.text(MANAGE)) || startsInPytest(project)) return null;
  return { strength: 'script', because: `${MANAGE} starts it`, args: loadedByDjango(project) };
}

/** The settings module that manage.py names, and the test runner that these settings name. */
function loadedByDjango(project: ProjectFiles): string[] {
  const [, settings = ''] = /\bDJANGO_SETTINGS_MODULE["']\s*,\s*["']([\w.]+)["']/.exec(project.text(MANAGE)) ?? [];
  const text = project.text(`${settings.replaceAll('.', '/')}.py`);
  const [, runner = ''] = /^TEST_RUNNER\s*=\s*["']([\w.]+)\.\w+["']/m.exec(text) ?? [];
  return [
    ...(settings === '' ? [] : [configuredArgument('settings', settings)]),
    ...(runner === '' ? [] : [configuredArgument('runner', runner)]),
  ];
}

function startsInPytest(project: ProjectFiles): boolean {
  const settings = PYTEST_FILES.some((name) => /\bDJANGO_SETTINGS_MODULE\b|--ds[= ]/.test(project.text(name)));
  if (settings || pythonManifests(project).some(({ text }) => /\bpytest[-_]django\b/i.test(text))) return true;
  const conftests = pathsBesideTests(project).filter((path) => /(?:^|\/)conftest\.py$/.test(path));
  return conftests.some((path) => /\bdjango\.setup\(|\bsettings\.configure\(/.test(project.text(path)));
}
