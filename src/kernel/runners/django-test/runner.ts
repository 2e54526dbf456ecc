import { posix } from 'node:path';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import { isConfigured } from '../command-arguments.ts';
import { parseCaseReport } from '../case-report.ts';
import { matchesAnyGlob } from '../file-patterns.ts';
import { missingPythonModule } from '../python/missing-python-module.ts';
import { plainPython } from '../python/plain-python.ts';
import { LOADS_FIRST, NEVER_TESTS, pythonJob } from '../python/python-job.ts';
import type { Runner } from '../runner.ts';
import { DEFAULT_PATTERN, discoveryOf } from '../unittest/discovery.ts';
import { detectDjango, MANAGE } from './detect.ts';

const PROGRAM = 'django-run.py';

function runnerArguments({ args }: TestCommand): readonly string[] {
  return args.filter((arg) => !isConfigured(arg));
}

export const djangoTest: Runner = {
  name: 'django-test',
  title: "Django's manage.py test",
  program: PROGRAM,
  runsInPython: true,
  separates: true,
  detect: detectDjango,

  collects(path, command) {
    const { pattern } = discoveryOf(command);
    return path.endsWith('.py') && matchesAnyGlob(path, [`**/${pattern}`]) && !matchesAnyGlob(path, NEVER_TESTS);
  },

  namedBy(command) {
    const { pattern } = discoveryOf(command);
    return pattern === DEFAULT_PATTERN ? [] : [`**/${pattern}`];
  },
  pattern: DEFAULT_PATTERN,
  cleansUp: 'in setUp, or by self.addCleanup; django.test.TestCase rolls back what a case writes to the database',
  fileName: (stem) => `test_${stem}.py`,
  whyNotRun: (path) =>
    posix.dirname(path) === '.'
      ? null
      : `${path} is run only where each directory between ${MANAGE} and it has an __init__.py: add one where it is missing`,
  loadsFirst: [...LOADS_FIRST, MANAGE, 'settings.py', 'settings/'],

  plan: (input) => pythonJob(input, PROGRAM, { args: runnerArguments(input.command) }),

  plain: (command, project) => plainPython(command, project, [MANAGE, 'test', ...runnerArguments(command)]),

  believableExitCodes: [1],

  parse: (plan, result) => parseCaseReport(plan, result.report, (line) => missingPythonModule(plan, line)),
};
