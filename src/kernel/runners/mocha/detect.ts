import { declaredSign, readManifest, scriptSign, starts } from '../javascript/package-signs.ts';
import type { ProjectFiles, Sign } from '../runner.ts';
import { mochaArguments } from './arguments.ts';

export function detectMocha(project: ProjectFiles): Sign | null {
  const manifest = readManifest(project);
  const textOf = (path: string) => project.text(path);
  const started = scriptSign(manifest, (words) =>
    ['mocha', '_mocha', 'mocha.js'].some((program) => starts(words, program)) ? mochaArguments(words, textOf) : null,
  );
  if (started !== null) return started;
  return declaredSign(project, 'mocha', /^\.mocharc\./, () => mochaArguments([], textOf));
}
