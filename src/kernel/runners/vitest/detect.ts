import { declaredSign, readManifest, scriptSign, starts } from '../javascript/package-signs.ts';
import type { ProjectFiles, Sign } from '../runner.ts';
import { vitestArguments } from './arguments.ts';

export function detectVitest(project: ProjectFiles): Sign | null {
  const manifest = readManifest(project);
  const textOf = (path: string) => project.text(path);
  const started = scriptSign(manifest, (words) => (starts(words, 'vitest') ? vitestArguments(words, textOf) : null));
  if (started !== null) return started;
  return declaredSign(project, 'vitest', /^vitest\.config\./, () => vitestArguments([], textOf));
}
