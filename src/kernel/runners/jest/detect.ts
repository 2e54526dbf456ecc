import { declaredSign, readManifest, scriptSign, starts } from '../javascript/package-signs.ts';
import type { ProjectFiles, Sign } from '../runner.ts';
import { jestArguments } from './arguments.ts';

export function detectJest(project: ProjectFiles): Sign | null {
  const manifest = readManifest(project);
  const textOf = (path: string) => project.text(path);
  const started = scriptSign(manifest, (words) =>
    starts(words, 'jest') || starts(words, 'jest.js') ? jestArguments(words, textOf) : null,
  );
  if (started !== null) return started;
  return declaredSign(project, 'jest', /^jest\.config\./, () => jestArguments([], textOf));
}
