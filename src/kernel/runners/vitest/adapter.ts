import type { TestCommand } from '../../../contracts/session-protocol.ts';
import { IN_L2 } from '../../../contracts/container-paths.ts';
import { RUN_FILE, parseCaseReport, runDescription } from '../case-report.ts';
import { matchesAnyGlob } from '../file-patterns.ts';
import { missingFromVite } from '../missing-module.ts';
import type { RunnerAdapter } from '../runner-adapter.ts';
import { setupSource } from './setup-source.ts';

const PROGRAM = '/opt/fluffy/tools/test-tool/vitest-run.mjs';
const SETUP_FILE = 'canaries.js';

/** What vitest includes unless it is configured otherwise; a project with an `include` of its own writes the same globs into `test.args`. */
const DEFAULT_PATTERNS = ['**/*.{test,spec}.{js,mjs,cjs,ts,mts,cts,jsx,tsx}'];
const NEVER = ['**/node_modules/**', '**/.git/**'];

/** Flags that say how the project is set up. All others select or show, which is the kernel's to choose. */
const SETTINGS = new Set(['config', 'root', 'mode', 'environment', 'pool', 'globals']);

function settingsOf(command: TestCommand): Record<string, string | boolean> {
  const found: Record<string, string | boolean> = {};
  for (const arg of command.args) {
    const [, name = '', value] = /^--([a-z]+)(?:=(.*))?$/s.exec(arg) ?? [];
    if (SETTINGS.has(name)) found[name] = value ?? true;
  }
  return found;
}

function namedBy(command: TestCommand): readonly string[] {
  return command.args.filter((arg) => !arg.startsWith('-'));
}

export const vitestAdapter: RunnerAdapter = {
  name: 'vitest',
  image: 'node',

  collects(path, command) {
    const own = namedBy(command);
    return matchesAnyGlob(path, own.length > 0 ? own : DEFAULT_PATTERNS) && !matchesAnyGlob(path, NEVER);
  },

  namedBy,

  plan(input) {
    const report = `${IN_L2.out}/${input.canary.reportName}`;
    const more = { setup: `${IN_L2.job}/${SETUP_FILE}`, options: settingsOf(input.command) };
    return {
      argv: ['/usr/local/bin/node', PROGRAM, `${IN_L2.job}/${RUN_FILE}`],
      env: {},
      cwd: input.command.cwd,
      files: [
        { name: RUN_FILE, content: runDescription(input, report, more) },
        { name: SETUP_FILE, content: setupSource(input.canary.prefix) },
      ],
      reportName: input.canary.reportName,
      image: 'node',
    };
  },

  /** The canaries fail in every run, so 1 is the only code that a true one ends with. */
  believableExitCodes: [1],

  parse: (plan, result) =>
    parseCaseReport(plan, result.report, (line) =>
      missingFromVite(line.message, [plan.projectRoot, plan.command.cwd].filter((part) => part !== '').join('/')),
    ),
};
