import { readManifest, scriptSign, starts } from '../javascript/package-signs.ts';
import type { ProjectFiles, Sign } from '../runner.ts';
import { mochaArguments } from './arguments.ts';

export function detectMocha(project: ProjectFiles): Sign | null {
  const manifest = readManifest(project);
  const textOf = (path: string) => project.text(path);
  const started = scriptSign(manifest, (words) =>
    ['mocha', '_mocha', 'mocha.js'].some((program) => starts(words, program)) ? mochaArguments(words, textOf) : null,
  );
  if (started !== null) return started;
  const args = () => mochaArguments([], textOf);
  if (manifest?.dependencies.has('mocha') === true)
    return { strength: 'declared', because: 'package.json depends on it', args: args() };
  const config = project.names('').find((name) => name.startsWith('.mocharc.'));
  return config === undefined ? null : { strength: 'declared', because: `there is ${config}`, args: args() };
}
