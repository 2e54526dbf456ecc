import type { TestCommand } from '../../../contracts/session-protocol.ts';
import { parseCaseReport } from '../case-report.ts';
import { matchesAnyGlob } from '../file-patterns.ts';
import { missingPythonModule } from '../python/missing-python-module.ts';
import { NEVER_TESTS, pythonJob } from '../python/python-job.ts';
import type { RunnerAdapter } from '../runner-adapter.ts';

/** What pytest collects unless `python_files` says otherwise; a project with names of its own writes globs into `test.args`. */
const DEFAULT_PATTERNS = ['**/test_*.py', '**/*_test.py'];

/** Arguments that name directories, files or globs, as against flags. A flag that takes its value as a word of its own is written with `=`. */
function namedBy(command: TestCommand): readonly string[] {
  return command.args.filter((arg) => !arg.startsWith('-')).map((arg) => arg.replace(/^\.\/|\/$/g, ''));
}

function matchesDefault(path: string): boolean {
  return matchesAnyGlob(path, DEFAULT_PATTERNS) && !matchesAnyGlob(path, NEVER_TESTS);
}

export const pytestAdapter: RunnerAdapter = {
  name: 'pytest',
  image: 'python',

  collects(path, command) {
    if (!path.endsWith('.py')) return false;
    const own = namedBy(command);
    if (own.length === 0) return matchesDefault(path);
    return own.some((pattern) =>
      /[*?{[]/.test(pattern) || pattern.endsWith('.py')
        ? matchesAnyGlob(path, [pattern]) && !(pattern.startsWith('**/') && matchesAnyGlob(path, NEVER_TESTS))
        : path.startsWith(`${pattern}/`) && matchesDefault(path),
    );
  },

  namedBy,

  plan(input) {
    return pythonJob(input, 'pytest-run.py', { args: input.command.args.filter((arg) => arg.startsWith('-')) });
  },

  /** The canaries fail in every run, so pytest itself ends with 1 ("tests failed"). */
  believableExitCodes: [1],

  parse: (plan, result) => parseCaseReport(plan, result.report, (line) => missingPythonModule(plan, line)),
};
