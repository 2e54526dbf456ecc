import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import { parseCaseReport } from '../case-report.ts';
import { namedArguments } from '../command-arguments.ts';
import { matchesAnyGlob } from '../file-patterns.ts';
import { missingRequiredModule } from '../javascript/missing-required-module.ts';
import { plainScript } from '../javascript/plain-script.ts';
import { nodeJob } from '../node-job.ts';
import { commandDirectory } from '../runner.ts';
import type { Runner } from '../runner.ts';
import { bunTestArguments, LOADED_BY_BUNFIG } from './arguments.ts';
import { detectBunTest } from './detect.ts';

const PROGRAM = 'bun-run.mjs';
/** Names that `bun test` collects below its directory (Bun's documentation, "Test runner"). */
const NAMES = ['**/*{.,_}{test,spec}.{js,jsx,ts,tsx,mjs,cjs,mts,cts}'];
const NEVER = ['**/node_modules/**', '**/.*/**'];

/** Words that must be part of the path of every test. With `./` they are a file or directory. */
function namedBy(command: TestCommand): readonly string[] {
  return namedArguments(command).map((arg) => arg.replace(/^\.\/|\/$/g, ''));
}

function flagsOf(command: TestCommand): readonly string[] {
  return command.args.filter((arg) => arg.startsWith('-') && !arg.startsWith(LOADED_BY_BUNFIG));
}

function isNamed(path: string, word: string): boolean {
  return !word.startsWith('./')
    ? path.includes(word)
    : path === word.slice(2) || path.startsWith(`${word.slice(2).replace(/\/$/, '')}/`);
}

export const bunTest: Runner = {
  name: 'bun-test',
  title: 'bun test',
  program: PROGRAM,
  separates: true,
  detect: detectBunTest,

  collects(path, command) {
    const words = namedArguments(command);
    if (words.includes(`./${path}`)) return true;
    if (!matchesAnyGlob(path, NAMES) || matchesAnyGlob(path, NEVER)) return false;
    return words.length === 0 || words.some((word) => isNamed(path, word));
  },

  namedBy,
  pattern: '*.test.ts, *_test.ts, *.spec.ts and *_spec.ts (also .js, .jsx, .tsx, .mjs, .cjs, .mts, .cts)',
  cleansUp: 'in beforeEach or afterEach of the describe that has them',
  fileName: (stem, extension) => `${stem}.test${extension}`,
  loadsFirst: ['bunfig.toml', 'package.json', 'tsconfig*.json', 'jsconfig.json', '.env*'],

  plan: (input) => nodeJob(input, PROGRAM, { options: { args: flagsOf(input.command) } }),

  plain: (command, project) =>
    plainScript(command, project, (words) => bunTestArguments(words, () => '') !== null, [
      'bun',
      'test',
      ...flagsOf(command),
      ...namedArguments(command),
    ]),

  believableExitCodes: [1],

  parse: (plan, result) =>
    parseCaseReport(plan, result.report, (line) => missingRequiredModule(line.message, commandDirectory(plan))),
};
