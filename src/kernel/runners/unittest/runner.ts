import { parseCaseReport } from '../case-report.ts';
import { matchesAnyGlob } from '../file-patterns.ts';
import { missingPythonModule } from '../python/missing-python-module.ts';
import { plainPython } from '../python/plain-python.ts';
import { LOADS_FIRST, NEVER_TESTS, pythonJob } from '../python/python-job.ts';
import { commandDirectory } from '../runner.ts';
import type { Runner } from '../runner.ts';
import { detectUnittest } from './detect.ts';
import { DEFAULT_PATTERN, discoveredGlob, discoveryOf } from './discovery.ts';

const PROGRAM = 'unittest-run.py';

export const unittest: Runner = {
  name: 'unittest',
  title: "Python's unittest",
  program: PROGRAM,
  runsInPython: true,
  separates: true,
  detect: detectUnittest,

  collects(path, command) {
    return (
      path.endsWith('.py') && matchesAnyGlob(path, [discoveredGlob(command)]) && !matchesAnyGlob(path, NEVER_TESTS)
    );
  },

  namedBy: (command) =>
    discoveredGlob(command) === discoveredGlob({ ...command, args: [] }) ? [] : [discoveredGlob(command)],
  pattern: DEFAULT_PATTERN,
  cleansUp: 'in setUp, or by self.addCleanup',
  fileName: (stem) => `test_${stem}.py`,
  loadsFirst: LOADS_FIRST,

  plan(input) {
    const { top } = discoveryOf(input.command);
    if (top === null) return pythonJob(input, PROGRAM, {});
    return pythonJob(input, PROGRAM, { top: [commandDirectory(input), top].filter((part) => part !== '').join('/') });
  },

  plain: (command, project) => plainPython(command, project, ['-m', 'unittest', 'discover', ...command.args]),

  believableExitCodes: [1],

  parse: (plan, result) => parseCaseReport(plan, result.report, (line) => missingPythonModule(plan, line)),
};
