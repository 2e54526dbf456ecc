import type { ProjectFiles, Sign } from '../runner.ts';

/** A module or a workspace. Nothing else runs the tests of Go. */
export function detectGoTest(project: ProjectFiles): Sign | null {
  const file = ['go.mod', 'go.work'].find((name) => project.has(name));
  return file === undefined ? null : { strength: 'tests', because: `there is ${file}`, args: [] };
}
