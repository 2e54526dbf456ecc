import { configuredArgument } from '../command-arguments.ts';
import { pathsBesideTests } from '../python/python-project.ts';
import type { ProjectFiles } from '../runner.ts';
import { PYTEST_FILES } from './settings.ts';

/**
 * Returns the plugins that the project's settings and its conftest.py name, as arguments. A plugin may be a module of
 * the project.
 */
export function pluginArguments(project: ProjectFiles): string[] {
  const named = PYTEST_FILES.flatMap((name) => [...project.text(name).matchAll(/(?:^|[\s"'=])-p[\s=]*([\w.]+)/gm)]);
  const conftests = pathsBesideTests(project).filter((path) => /(?:^|\/)conftest\.py$/.test(path));
  const listed = conftests.flatMap((path) => {
    const [, value = ''] =
      /^pytest_plugins\s*=\s*(\[[^\]]*\]|\([^)]*\)|["'][^"'\n]*["'])/m.exec(project.text(path)) ?? [];
    return [...value.matchAll(/["']([\w.]+)["']/g)];
  });
  const names = [...named, ...listed].map(([, name = '']) => name).filter((name) => name !== 'no');
  return [...new Set(names)].map((name) => configuredArgument('plugin', name));
}
