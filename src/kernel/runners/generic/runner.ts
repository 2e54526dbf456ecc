import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import { shellWords } from '../../../lib/text/shell-words.ts';
import { parseCaseReport } from '../case-report.ts';
import { nodeJob } from '../node-job.ts';
import { matchesPatterns } from '../file-patterns.ts';
import { plainEnvironment, SYSTEM_PATH } from '../plain-command.ts';
import { virtualenvPrograms } from '../python/virtualenvs.ts';
import type { Runner } from '../runner.ts';

const PROGRAM = 'generic-run.mjs';
/** Usual names of tests in most languages. `files` in the user's configuration replaces them. */
const USUAL = [
  '**/{test,tests,spec}/**',
  '**/*[._-]{test,tests,spec}.*',
  '**/{test,tests}[._-]*.*',
  '**/*{Test,Tests,Spec}.*',
];
const NEVER = ['**/node_modules/**', '**/.*/**', '**/{target,build,dist,vendor}/**'];
/** Placeholder for the files to run. */
const FILES = '{files}';

function namedBy({ files = [] }: TestCommand): readonly string[] {
  return files;
}

/**
 * A command from the user's own configuration, with its own report. No code of the kernel runs in it, so it is not
 * checked that a failed assertion fails. A person decides about each change.
 */
export const generic: Runner = {
  name: 'generic',
  title: 'a command of your own',
  program: PROGRAM,
  unchecked: 'the results come from the command itself: no test of the kernel runs in it',
  detect: () => null,

  collects: (path, command) => matchesPatterns(path, { own: namedBy(command), usual: USUAL, never: NEVER }),
  namedBy,
  pattern: 'test/**, tests/**, *_test.*, *.spec.*, test_*.*',
  cleansUp: 'with a value of its own, or a reset at its start',
  fileName: (stem, extension) => `${stem}_test${extension}`,
  loadsFirst: ['Makefile', 'CMakeLists.txt', '*.mk', 'configure'],

  plan(input) {
    const { args, report = null, report_file = null } = input.command;
    const job = nodeJob(input, PROGRAM, { options: { args, report, reportFile: report_file } });
    const virtualenvs = virtualenvPrograms(input.projectRoot, input.command.cwd);
    return { ...job, env: { PATH: [...virtualenvs, SYSTEM_PATH].join(':') } };
  },

  plain({ args, cwd }, { projectRoot }) {
    const words = shellWords(args.filter((arg) => arg !== FILES));
    return {
      words,
      script: words,
      build: null,
      env: plainEnvironment(virtualenvPrograms(projectRoot, cwd)),
      image: 'node',
    };
  },

  believableExitCodes: [1],

  parse: (plan, result) => parseCaseReport(plan, result.report, () => null, 'unchecked'),
};
