import type { DetectedRunner } from '../../../kernel/runners/detect-runners.ts';
import { runnerNamed } from '../../../kernel/runners/registry.ts';

/**
 * Pure: whether the runner of a directory also runs the tests of a package below it with the same runner. It does not, where only the dependencies or
 * settings above name it, and a script of the package starts it for other files than the one above collects.
 */
export function goesThrough(above: DetectedRunner, below: DetectedRunner): boolean {
  if (above.strength === 'script' || below.strength !== 'script') return true;
  if (below.command.args.some((arg) => !arg.startsWith('-'))) return false;
  const inside = below.command.cwd.slice(above.command.cwd === '' ? 0 : above.command.cwd.length + 1);
  return runnerNamed(above.command.runner)?.collects(`${inside}/test/a.test.js`, above.command) ?? false;
}
