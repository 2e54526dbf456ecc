import picomatch from 'picomatch';
import type { TestCommand } from '../../contracts/session/session-protocol.ts';
import { partsOf } from './command-parts.ts';
import { runnerNamed } from './registry.ts';

/**
 * Returns whether a runner of the command loads a file before any test. Names match in any directory and in any case,
 * because some file systems ignore case.
 */
export function loadedFirst(command: TestCommand): (path: string) => boolean {
  const names = partsOf(command).flatMap(({ runner }) => runnerNamed(runner)?.loadsFirst ?? []);
  if (names.length === 0) return () => false;
  const globs = names.map((name) => (name.endsWith('/') ? `**/${name}**` : `**/${name}`));
  return picomatch([...globs], { dot: true, nocase: true });
}
