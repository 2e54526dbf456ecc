import type { ProjectFiles, Sign } from '../runner.ts';

/** Detects a Maven project, with or without modules. */
export function detectMaven(project: ProjectFiles): Sign | null {
  if (!project.has('pom.xml')) return null;
  return { strength: 'tests', because: 'there is pom.xml', args: [] };
}
