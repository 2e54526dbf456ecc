import type { DetectedRunner } from '../../../kernel/runners/detect-runners.ts';
import { runnerNamed } from '../../../kernel/runners/registry.ts';

/** Where a JavaScript package without a sign of a runner can get its first test. */
const FIRST_TESTS = ['', 'src/', 'test/', '__tests__/', 'src/__tests__/'].flatMap((directory) =>
  ['js', 'ts'].map((extension) => `${directory}a.test.${extension}`),
);

/**
 * Whether a package has tests only by their names, or none yet, and a runner above it collects them: in a workspace in which only the root has the
 * runner. Pure.
 */
export function belongsTo(above: DetectedRunner, { command, strength, named }: DetectedRunner): boolean {
  const runner = runnerNamed(above.command.runner);
  const isNamed = above.strength === 'script' || above.strength === 'declared';
  if (runner === null || !isNamed || command.runner !== 'node-test' || command.cwd === above.command.cwd) return false;
  const tests = named ?? (strength === 'language' ? FIRST_TESTS : []);
  return tests.some((path) => runner.collects(`${insideOf(above, command.cwd)}/${path}`, above.command));
}

function insideOf({ command: { cwd } }: DetectedRunner, below: string): string {
  return below.slice(cwd === '' ? 0 : cwd.length + 1);
}

/**
 * Whether the runner of a directory also runs the tests of a package below it with the same runner. It does not if only the dependencies or settings
 * above name it, and a script of the package starts it for files that the one above does not collect. Pure.
 */
export function goesThrough(above: DetectedRunner, below: DetectedRunner): boolean {
  if (above.strength === 'script' || below.strength !== 'script') return true;
  if (below.command.args.some((arg) => !arg.startsWith('-'))) return false;
  return (
    runnerNamed(above.command.runner)?.collects(
      `${insideOf(above, below.command.cwd)}/test/a.test.js`,
      above.command,
    ) ?? false
  );
}
