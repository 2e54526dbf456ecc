import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import { parseCaseReport } from '../case-report.ts';
import { flagArguments, namedArguments } from '../command-arguments.ts';
import { nodeJob } from '../node-job.ts';
import { matchesPatterns } from '../file-patterns.ts';
import { starts } from '../javascript/package-signs.ts';
import { plainScript } from '../javascript/plain-script.ts';
import { commandDirectory } from '../runner.ts';
import type { Runner } from '../runner.ts';
import { detectVitest } from './detect.ts';
import { missingViteModule } from './missing-vite-module.ts';

const PROGRAM = 'vitest-run.mjs';

/** Globs that vitest includes by default. `detect` adds the globs of a project's own `include` to the arguments. */
const DEFAULT_PATTERNS = ['**/*.{test,spec}.{js,mjs,cjs,ts,mts,cts,jsx,tsx}'];
const NEVER = ['**/node_modules/**', '**/.git/**'];

/** Flags for how the project is set up. All other flags select tests or change the output, which the kernel decides. */
const SETTINGS = new Set(['config', 'root', 'mode', 'environment', 'pool', 'globals']);

function settingsOf(command: TestCommand): Record<string, string | boolean> {
  const found: Record<string, string | boolean> = {};
  for (const arg of command.args) {
    const [, name = '', value] = /^--([a-z]+)(?:=(.*))?$/s.exec(arg) ?? [];
    if (SETTINGS.has(name)) found[name] = value ?? true;
  }
  return found;
}

export const vitest: Runner = {
  name: 'vitest',
  title: 'vitest',
  program: PROGRAM,
  runsInNode: true,
  detect: detectVitest,

  collects(path, command) {
    return matchesPatterns(path, { own: namedArguments(command), usual: DEFAULT_PATTERNS, never: NEVER });
  },

  namedBy: namedArguments,
  pattern: '*.test.ts, *.spec.ts (also .js, .mjs, .cjs, .mts, .cts, .jsx, .tsx)',
  cleansUp: 'in beforeEach or afterEach of the describe that has them',
  fileName: (stem, extension) => `${stem}.test${extension}`,
  loadsFirst: [
    'vitest.config.*',
    'vitest.workspace.*',
    'vitest.projects.*',
    'vite.config.*',
    'postcss.config.*',
    '.postcssrc*',
    '.env*',
    'tsconfig*.json',
    'package.json',
  ],

  plan(input) {
    return nodeJob(input, PROGRAM, { options: settingsOf(input.command) });
  },

  plain: (command, project) =>
    plainScript(command, project, (words) => starts(words, 'vitest'), ['vitest', 'run', ...flagArguments(command)]),

  believableExitCodes: [1],

  parse: (plan, result) =>
    parseCaseReport(plan, result.report, (line) => missingViteModule(line.message, commandDirectory(plan))),
};
