import { testWith } from '../javascript/importing-test.ts';
import { readManifest, scriptSign } from '../javascript/package-signs.ts';
import type { ProjectFiles, Sign } from '../runner.ts';
import { configArguments, denoTestArguments } from './arguments.ts';
import { readDenoConfig } from './config.ts';

const TESTS = {
  directories: ['', 'test', 'tests', '__tests__', 'src', 'lib'],
  isTest: (name: string, directory: string) =>
    /(?:^|[._])test\.m?[jt]sx?$/.test(name) || (directory === '__tests__' && /\.m?[jt]sx?$/.test(name)),
};
/** Texts that only tests for Deno contain. */
const USES_IT = /\bDeno\.test\b|['"]jsr:@std\//;

/**
 * Detects a task or script that starts `deno test`, settings for tests, a test that only Deno can run, or its manifest.
 */
export function detectDenoTest(project: ProjectFiles): Sign | null {
  const config = readDenoConfig(project);
  const argumentsOf = (words: readonly string[]) => denoTestArguments(words, config);
  const inTasks = scriptSign(
    config === null ? null : { scripts: config.tasks, dependencies: new Set() },
    argumentsOf,
    (name) => `the task "${name}" in ${config?.name ?? ''} starts it`,
  );
  const started = scriptSign(readManifest(project), argumentsOf) ?? inTasks;
  if (started !== null) return started;
  const args = configArguments(config);
  if (config?.include !== undefined)
    return { strength: 'declared', because: `${config.name} has settings of its tests`, args };
  const using = testWith(project, TESTS, USES_IT);
  if (using !== undefined) return { strength: 'declared', because: `${using} is written for it`, args };
  return config === null ? null : { strength: 'language', because: `there is ${config.name}`, args };
}
