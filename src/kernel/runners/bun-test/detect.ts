import { readManifest, scriptSign } from '../javascript/package-signs.ts';
import { testWith } from '../javascript/importing-test.ts';
import type { ProjectFiles, Sign } from '../runner.ts';
import { bunfigArguments, bunTestArguments } from './arguments.ts';

const TESTS = {
  directories: ['', 'test', 'tests', '__tests__', 'src', 'lib'],
  isTest: (name: string) => /[._](?:test|spec)\.[cm]?[jt]sx?$/.test(name),
};
/** Imports of a module that only Bun has. */
const USES_IT = /(?:\bfrom|\bimport|\brequire\s*\()\s*['"]bun:test['"]/;

/**
 * Detects a script that starts `bun test`, settings for its tests, or a test that only Bun can run. A lock file alone
 * says nothing, because Bun may only install the packages.
 */
export function detectBunTest(project: ProjectFiles): Sign | null {
  const textOf = (path: string) => project.text(path);
  const started = scriptSign(readManifest(project), (words) => bunTestArguments(words, textOf));
  if (started !== null) return started;
  const bunfig = project.text('bunfig.toml');
  const declared = (because: string): Sign => ({ strength: 'declared', because, args: bunfigArguments(bunfig) });
  if (/^[ \t]*\[test[.\]]/m.test(bunfig)) return declared('bunfig.toml has settings of its tests');
  const importing = testWith(project, TESTS, USES_IT);
  if (importing !== undefined) return declared(`${importing} imports bun:test`);
  const lock = ['bun.lock', 'bun.lockb'].find((name) => project.has(name));
  const test = lock === undefined ? undefined : testWith(project, TESTS, /(?:)/);
  if (lock === undefined || test === undefined) return null;
  return { strength: 'tests', because: `there are ${lock} and ${test}`, args: bunfigArguments(bunfig) };
}
