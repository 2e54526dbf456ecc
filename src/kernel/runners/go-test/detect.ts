import type { ProjectFiles, Sign } from '../runner.ts';

/** Detects a module or a workspace. `go test` is the only runner of Go. */
export function detectGoTest(project: ProjectFiles): Sign | null {
  const file = ['go.mod', 'go.work'].find((name) => project.has(name));
  return file === undefined ? null : { strength: 'tests', because: `there is ${file}`, args: [] };
}
