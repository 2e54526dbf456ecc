import { PYTEST_FILES } from '../pytest/settings.ts';
import { pathsBesideTests, pythonManifests } from '../python/python-project.ts';
import type { ProjectFiles, Sign } from '../runner.ts';

/** Where a project of Django has its commands. */
export const MANAGE = 'manage.py';

/** A manage.py of Django, unless pytest starts Django itself: by its plugin, by settings that it has, or in a conftest.py. */
export function detectDjango(project: ProjectFiles): Sign | null {
  if (!/\bdjango\.core\.management\b/.test(project.text(MANAGE)) || startsInPytest(project)) return null;
  return { strength: 'script', because: `${MANAGE} starts it`, args: [] };
}

function startsInPytest(project: ProjectFiles): boolean {
  const settings = PYTEST_FILES.some((name) => /\bDJANGO_SETTINGS_MODULE\b|--ds[= ]/.test(project.text(name)));
  if (settings || pythonManifests(project).some(({ text }) => /\bpytest[-_]django\b/i.test(text))) return true;
  const conftests = pathsBesideTests(project).filter((path) => /(?:^|\/)conftest\.py$/.test(path));
  return conftests.some((path) => /\bdjango\.setup\(|\bsettings\.configure\(/.test(project.text(path)));
}
