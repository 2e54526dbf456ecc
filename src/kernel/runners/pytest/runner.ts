import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import { parseCaseReport } from '../case-report.ts';
import { flagArguments, namedArguments } from '../command-arguments.ts';
import { matchesAnyGlob } from '../file-patterns.ts';
import { missingPythonModule } from '../python/missing-python-module.ts';
import { plainPython } from '../python/plain-python.ts';
import { LOADS_FIRST, NEVER_TESTS, pythonJob } from '../python/python-job.ts';
import type { Runner } from '../runner.ts';
import { detectPytest } from './detect.ts';
import { PYTEST_FILES } from './settings.ts';

const PROGRAM = 'pytest-run.py';

/**
 * Names that pytest collects without `python_files`. `detect` adds the names that the project defines to the arguments.
 */
const DEFAULT_PATTERNS = ['**/test_*.py', '**/*_test.py'];

/** The arguments that name directories, files or globs. */
function namedBy(command: TestCommand): readonly string[] {
  return namedArguments(command).map((arg) => arg.replace(/^\.\/|\/$/g, ''));
}

function matchesDefault(path: string): boolean {
  return matchesAnyGlob(path, DEFAULT_PATTERNS) && !matchesAnyGlob(path, NEVER_TESTS);
}

export const pytest: Runner = {
  name: 'pytest',
  title: 'pytest',
  program: PROGRAM,
  runsInPython: true,
  separates: true,
  detect: detectPytest,

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
  pattern: 'test_*.py, *_test.py',
  cleansUp: 'in a fixture with autouse=True, after its yield',
  fileName: (stem) => `test_${stem}.py`,
  loadsFirst: [...LOADS_FIRST, ...PYTEST_FILES, 'conftest.py'],
  plan: (input) => pythonJob(input, PROGRAM, { args: flagArguments(input.command) }),

  plain: (command, project) => plainPython(command, project, ['-m', 'pytest', ...flagArguments(command)], 'pytest'),

  believableExitCodes: [1],

  parse: (plan, result) => parseCaseReport(plan, result.report, (line) => missingPythonModule(plan, line)),
};
