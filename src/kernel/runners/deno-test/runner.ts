import { posix } from 'node:path';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import { parseCaseReport } from '../case-report.ts';
import { flagArguments, namedArguments } from '../command-arguments.ts';
import { matchesPatterns } from '../file-patterns.ts';
import { plainScript } from '../javascript/plain-script.ts';
import { firstMissing } from '../missing-module.ts';
import { nodeJob } from '../node-job.ts';
import type { Runner } from '../runner.ts';
import { missingNodeModule } from '../javascript/missing-node-module.ts';
import { denoTestArguments } from './arguments.ts';
import { detectDenoTest } from './detect.ts';

const PROGRAM = 'deno-run.mjs';
const CODE = '*.{ts,tsx,mts,js,mjs,jsx}';
/** Names that `deno test` collects below its directory (Deno's documentation, "deno test"). */
const NAMES = [`**/{,*_,*.}test.{ts,tsx,mts,js,mjs,jsx}`, `**/__tests__/**/${CODE}`];
const NEVER = ['**/node_modules/**', '**/.git/**', '**/vendor/**'];
const MISSING: readonly RegExp[] = [
  /^Module not found "(?<specifier>[^"]+)"/,
  /^Import "(?<specifier>[^"]+)" not a dependency/,
  /^Relative import path "(?<specifier>[^"]+)" not prefixed/,
];

/** Files and globs are used as they are. In a directory, the runner's own names apply. */
function namedBy(command: TestCommand): readonly string[] {
  return namedArguments(command).flatMap((arg) => {
    const path = posix.normalize(arg).replace(/\/$/, '');
    if (/[*?{[]|\.\w+$/.test(path)) return [path];
    return path === '.' ? [] : NAMES.map((name) => `${path}/${name}`);
  });
}

export const denoTest: Runner = {
  name: 'deno-test',
  title: 'deno test',
  program: PROGRAM,
  separates: true,
  detect: detectDenoTest,

  collects(path, command) {
    return matchesPatterns(path, { own: namedBy(command), usual: NAMES, never: NEVER });
  },

  namedBy,
  pattern: '*_test.ts, *.test.ts, test.ts and all of __tests__/ (also .tsx, .mts, .js, .mjs, .jsx)',
  cleansUp: 'in Deno.test.afterEach, or in afterEach of the describe that has them',
  fileName: (stem, extension) => `${stem}_test${extension}`,
  loadsFirst: [
    'deno.json',
    'deno.jsonc',
    'import_map.json',
    'importmap.json',
    'package.json',
    'tsconfig*.json',
    '.env*',
  ],
  maintains: (path) => posix.basename(path) === 'deno.lock',

  plan: (input) => nodeJob(input, PROGRAM, { options: { args: flagArguments(input.command) } }),

  plain: (command, project) =>
    plainScript(command, project, (words) => denoTestArguments(words, null) !== null, [
      'deno',
      'test',
      ...command.args,
    ]),

  believableExitCodes: [1],

  parse: (plan, result) =>
    parseCaseReport(plan, result.report, ({ message }) => firstMissing(MISSING, message) ?? missingNodeModule(message)),
};
