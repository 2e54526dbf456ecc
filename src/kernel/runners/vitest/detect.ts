import { readManifest, scriptSign, starts } from '../javascript/package-signs.ts';
import type { ProjectFiles, Sign } from '../runner.ts';
import { vitestArguments } from './arguments.ts';

export function detectVitest(project: ProjectFiles): Sign | null {
  const manifest = readManifest(project);
  const textOf = (path: string) => project.text(path);
  const started = scriptSign(manifest, (words) => (starts(words, 'vitest') ? vitestArguments(words, textOf) : null));
  if (started !== null) return started;
  if (manifest?.dependencies.has('vitest') !== true) return null;
  return { strength: 'declared', because: 'package.json depends on it', args: vitestArguments([], textOf) };
}
