import type { ProjectFiles, Sign } from '../runner.ts';

/** Detects a package or a workspace. */
export function detectCargoTest(project: ProjectFiles): Sign | null {
  if (!project.has('Cargo.toml')) return null;
  return { strength: 'tests', because: 'there is Cargo.toml', args: [] };
}
