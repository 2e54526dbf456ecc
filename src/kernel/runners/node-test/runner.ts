import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import { parseCaseReport } from '../case-report.ts';
import { namedArguments } from '../command-arguments.ts';
import { nodeJob } from '../node-job.ts';
import { matchesPatterns } from '../file-patterns.ts';
import { missingNodeModule } from '../javascript/missing-node-module.ts';
import { plainScript } from '../javascript/plain-script.ts';
import type { Runner } from '../runner.ts';
import { nodeTestArguments } from './arguments.ts';
import { detectNodeTest } from './detect.ts';

const PROGRAM = 'node-test-run.mjs';
const CODE = '*.{cjs,mjs,js,cts,mts,ts}';

/**
 * Names that `node --test` collects without a pattern (Node's documentation, "Running tests from the command line").
 */
const DEFAULT_PATTERNS = [
  '**/*.test.{cjs,mjs,js,cts,mts,ts}',
  '**/*-test.{cjs,mjs,js,cts,mts,ts}',
  '**/*_test.{cjs,mjs,js,cts,mts,ts}',
  '**/test-*.{cjs,mjs,js,cts,mts,ts}',
  '**/test.{cjs,mjs,js,cts,mts,ts}',
  `**/test/**/${CODE}`,
];

/** Files of types alone are no tests that run. */
const NEVER = ['**/node_modules/**', '**/*.d.{ts,mts,cts}', '**/*.test-d.{ts,mts,cts,tsx}'];

/** The arguments that name files. A directory means all code in it, as in Node up to version 20. */
function namedBy(command: TestCommand): readonly string[] {
  const named = namedArguments(command);
  return named.map((arg) => (/[*?{[]|\.\w+$/.test(arg) ? arg : `${arg.replace(/\/$/, '')}/**/${CODE}`));
}

export const nodeTest: Runner = {
  name: 'node-test',
  title: "Node's own test runner (node --test)",
  program: PROGRAM,
  runsInNode: true,
  separates: true,
  detect: detectNodeTest,

  collects(path, command) {
    return matchesPatterns(path, { own: namedBy(command), usual: DEFAULT_PATTERNS, never: NEVER });
  },

  namedBy,
  pattern: '*.test.js, *-test.js, *_test.js, test-*.js, test.js and all of test/ (also .mjs, .cjs, .ts, .mts, .cts)',
  cleansUp: 'in beforeEach or afterEach of node:test, in the describe that has them',
  fileName: (stem, extension) => `${stem}.test${extension}`,
  loadsFirst: ['package.json', 'tsconfig*.json', 'node.config.json'],

  plan(input) {
    const options = input.command.args.filter((arg) => arg.startsWith('-') && arg !== '--test');
    return nodeJob(input, PROGRAM, { options, caseMs: input.caseMs });
  },

  plain: (command, project) =>
    plainScript(command, project, (words) => nodeTestArguments(words) !== null, ['node', '--test', ...command.args]),

  believableExitCodes: [1],

  parse: (plan, result) => parseCaseReport(plan, result.report, ({ message }) => missingNodeModule(message)),
};
