import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import { parseCaseReport } from '../case-report.ts';
import { namedArguments } from '../command-arguments.ts';
import { nodeJob } from '../node-job.ts';
import { matchesAnyGlob } from '../file-patterns.ts';
import { missingRequiredModule } from '../javascript/missing-required-module.ts';
import { starts } from '../javascript/package-signs.ts';
import { plainScript } from '../javascript/plain-script.ts';
import { commandDirectory } from '../runner.ts';
import type { Runner } from '../runner.ts';
import { detectMocha } from './detect.ts';

const PROGRAM = 'mocha-run.mjs';
const NEVER = ['**/node_modules/**', '**/.git/**'];
/** Flags of Node. `--require` and `--extension` are flags of mocha. */
const NODE_FLAG = /^--(?:import=|loader=|conditions=|experimental-|no-warnings)/;

/**
 * The patterns of test files; without arguments, mocha runs the files in `test`. A directory means the files in it,
 * with `--recursive` also below it. If there is no such directory, the name is a file without its extension.
 */
function namedBy(command: TestCommand): readonly string[] {
  const named = namedArguments(command);
  const extensions = command.args
    .filter((arg) => arg.startsWith('--extension='))
    .flatMap((arg) => arg.slice('--extension='.length).split(','))
    .map((each) => each.replace(/^\./, ''));
  const endings = [...new Set(['js', 'cjs', 'mjs', ...extensions])];
  const below = command.args.includes('--recursive') ? '**/*' : '*';
  return (named.length > 0 ? named : ['test']).flatMap((arg) => {
    if (/[*?{[]|\.\w+$/.test(arg)) return [arg];
    const ending = `.{${endings.join(',')}}`;
    const name = arg.replace(/^\.\//, '');
    return [`${name.replace(/\/$/, '')}/${below}${ending}`, ...(name.endsWith('/') ? [] : [`${name}${ending}`])];
  });
}

export const mocha: Runner = {
  name: 'mocha',
  title: 'mocha',
  program: PROGRAM,
  runsInNode: true,
  detect: detectMocha,

  collects: (path, command) => matchesAnyGlob(path, namedBy(command)) && !matchesAnyGlob(path, NEVER),
  namedBy,
  pattern: 'test/*.js or test.js (also .cjs, .mjs)',
  cleansUp: 'in beforeEach or afterEach of the describe that has them',
  fileName: (stem, extension) => `${stem}${extension}`,
  loadsFirst: ['.mocharc.*', 'tsconfig*.json', '.babelrc*', 'babel.config.*', 'package.json'],

  plan(input) {
    const flags = input.command.args.filter((arg) => NODE_FLAG.test(arg));
    const args = input.command.args.filter((arg) => arg.startsWith('--') && !NODE_FLAG.test(arg));
    return nodeJob(input, PROGRAM, { options: { args }, flags });
  },

  plain: (command, project) =>
    plainScript(command, project, (words) => starts(words, 'mocha'), ['mocha', ...command.args]),

  believableExitCodes: [1],

  parse: (plan, result) =>
    parseCaseReport(plan, result.report, (line) => missingRequiredModule(line.message, commandDirectory(plan))),
};
