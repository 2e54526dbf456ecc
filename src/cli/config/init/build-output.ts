import { posix } from 'node:path';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import { runnerNamed } from '../../../kernel/runners/registry.ts';
import { ignoredIn } from '../../project/ignored-in.ts';
import { readProjectFiles } from './project-files.ts';

/** Tests that are built before they run. */
export interface BuildOutput {
  /** The first path of the project that the command names and git ignores: `dist`. */
  readonly path: string;
  /** The project's own test command, as a POSIX shell runs it: it builds, then tests. */
  readonly script: string;
}

/**
 * Whether all tests that a command names are files that git ignores, and so the output of a build. Then no newly written test would be found, and no
 * test that is found could be committed. null if some are not. Nothing is executed.
 */
export function buildOutputOf(projectRoot: string, command: TestCommand): BuildOutput | null {
  const runner = runnerNamed(command.runner);
  if (runner === null || command.runner === 'generic') return null;
  const named = runner.namedBy(command).map((pattern) => posix.join(command.cwd, fixedPart(pattern)));
  const [first] = named;
  if (first === undefined) return null;
  const ignored = ignoredIn(projectRoot);
  if (!named.every((path) => path !== '.' && !path.startsWith('..') && ignored.isIgnored(path, true))) return null;
  const manifest = readProjectFiles(posix.join(projectRoot, command.cwd)).text('package.json');
  return { path: first, script: runner.plain(command, { projectRoot, manifest }).script };
}

/** The directories of a pattern before its first wildcard: `dist/test` of `./dist/test/**`. */
function fixedPart(pattern: string): string {
  const parts = pattern.split('/');
  const wild = parts.findIndex((part) => /[*?{}[\]()!]/.test(part));
  const fixed = wild === -1 ? parts : parts.slice(0, wild);
  return posix.normalize(fixed.filter((part) => part !== '').join('/') || '.');
}
