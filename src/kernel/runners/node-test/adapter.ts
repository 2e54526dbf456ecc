import type { TestCommand } from '../../../contracts/session-protocol.ts';
import { IN_L2 } from '../../../contracts/container-paths.ts';
import type { RunnerAdapter } from '../runner-adapter.ts';
import { matchesAnyGlob } from '../file-patterns.ts';
import { parseNodeTestReport } from './parse.ts';
import { wrapperName, wrapperSource } from './wrapper.ts';

const REPORTER = '/opt/fluffy/tools/test-tool/node-test-reporter.mjs';

/** What node --test collects when it is given no pattern (Node's documentation, "Running tests from the command line"). */
const DEFAULT_PATTERNS = [
  '**/*.test.{cjs,mjs,js,cts,mts,ts}',
  '**/*-test.{cjs,mjs,js,cts,mts,ts}',
  '**/*_test.{cjs,mjs,js,cts,mts,ts}',
  '**/test-*.{cjs,mjs,js,cts,mts,ts}',
  '**/test.{cjs,mjs,js,cts,mts,ts}',
  '**/test/**/*.{cjs,mjs,js,cts,mts,ts}',
];

const NEVER = ['**/node_modules/**'];

/**
 * Arguments that name files, as against flags of node. A flag that takes its value as a word of its own is written with `=` in configuration. A directory
 * stands for all the code in it, as it did up to Node 20.
 */
function namedBy(command: TestCommand): readonly string[] {
  const named = command.args.filter((arg) => !arg.startsWith('-'));
  return named.map((arg) =>
    /[*?{[]|\.\w+$/.test(arg) ? arg : `${arg.replace(/\/$/, '')}/**/*.{cjs,mjs,js,cts,mts,ts}`,
  );
}

export const nodeTestAdapter: RunnerAdapter = {
  name: 'node-test',
  image: 'node',

  collects(path, command) {
    const own = namedBy(command);
    return matchesAnyGlob(path, own.length > 0 ? own : DEFAULT_PATTERNS) && !matchesAnyGlob(path, NEVER);
  },

  namedBy,

  plan(input) {
    const flags = input.command.args.filter((arg) => arg.startsWith('-') && arg !== '--test');
    return {
      argv: [
        '/usr/local/bin/node',
        '--test',
        ...flags,
        `--test-reporter=${REPORTER}`,
        `--test-reporter-destination=${IN_L2.out}/${input.canary.reportName}`,
        ...input.files.map((_, index) => `${IN_L2.job}/${wrapperName(index)}`),
      ],
      env: {},
      cwd: input.command.cwd,
      files: input.files.map((file, index) => ({
        name: wrapperName(index),
        content: wrapperSource(`${input.projectRoot}/${file}`, input.canary.prefix, index),
      })),
      reportName: input.canary.reportName,
      image: 'node',
    };
  },

  /** The canaries fail in every run, so 1 is the only code that a true one ends with. */
  believableExitCodes: [1],

  parse: (plan, result) => parseNodeTestReport(plan, result.report),
};
