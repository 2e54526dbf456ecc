import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import { parseCaseReport } from '../case-report.ts';
import { flagArguments, namedArguments } from '../command-arguments.ts';
import { nodeJob } from '../node-job.ts';
import { matchesAnyGlob, matchesPatterns } from '../file-patterns.ts';
import { missingRequiredModule } from '../javascript/missing-required-module.ts';
import { starts } from '../javascript/package-signs.ts';
import { plainScript } from '../javascript/plain-script.ts';
import { commandDirectory } from '../runner.ts';
import type { Runner } from '../runner.ts';
import { detectJest } from './detect.ts';
import { DEFAULT_PATTERNS } from './read-projects.ts';

const PROGRAM = 'jest-run.mjs';

const NEVER = ['**/node_modules/**', '**/.git/**'];
/** Settings of jest that are passed on. Flags of Node come before the program, and other flags only name files. */
const SETTINGS = new Set(['config', 'rootDir', 'env', 'preset']);
const NODE_FLAG = /^--(?:experimental-|import=|loader=|conditions=|require=|no-warnings)/;

function settingsOf(command: TestCommand): Record<string, string> {
  const found: Record<string, string> = {};
  for (const arg of command.args) {
    const [, name = '', value = ''] = /^--([A-Za-z]+)=(.*)$/s.exec(arg) ?? [];
    if (SETTINGS.has(name)) found[name] = value;
  }
  return found;
}

function regexesOf(command: TestCommand): readonly RegExp[] {
  const prefix = '--testRegex=';
  return command.args.flatMap((arg) => {
    if (!arg.startsWith(prefix)) return [];
    try {
      return [new RegExp(arg.slice(prefix.length))];
    } catch {
      return [];
    }
  });
}

export const jest: Runner = {
  name: 'jest',
  title: 'jest',
  program: PROGRAM,
  runsInNode: true,
  detect: detectJest,

  collects(path, command) {
    const regexes = regexesOf(command);
    const own = namedArguments(command);
    if (regexes.some((regex) => regex.test(`/${path}`))) return !matchesAnyGlob(path, NEVER);
    // `detect` adds the names that the project defines to the arguments.
    const usual = regexes.length > 0 ? [] : DEFAULT_PATTERNS;
    return matchesPatterns(path, { own, usual, never: NEVER });
  },

  namedBy: namedArguments,
  pattern: '*.test.js, *.spec.js and all of __tests__/ (also .mjs, .cjs, .ts, .mts, .cts, .jsx, .tsx)',
  cleansUp: 'in beforeEach or afterEach of the describe that has them',
  fileName: (stem, extension) => `${stem}.test${extension}`,
  loadsFirst: ['jest.config.*', 'jest.setup.*', 'babel.config.*', '.babelrc*', 'tsconfig*.json', 'package.json'],

  plan(input) {
    const flags = input.command.args.filter((arg) => NODE_FLAG.test(arg));
    return nodeJob(input, PROGRAM, { options: settingsOf(input.command), flags });
  },

  plain: (command, project) => {
    const node = command.args.filter((arg) => NODE_FLAG.test(arg));
    const flags = flagArguments(command).filter((arg) => !/^--testRegex=/.test(arg) && !NODE_FLAG.test(arg));
    const program = node.length === 0 ? ['jest'] : ['node', ...node, 'node_modules/.bin/jest'];
    return plainScript(command, project, (words) => starts(words, 'jest'), [...program, ...flags]);
  },

  believableExitCodes: [1],

  parse: (plan, result) =>
    parseCaseReport(plan, result.report, ({ message, index }) =>
      missingRequiredModule(message, commandDirectory(plan), `${plan.projectRoot}/${plan.files[index] ?? ''}`),
    ),
};
