import type { TestCommand } from '../../../contracts/session-protocol.ts';
import { parseCaseReport } from '../case-report.ts';
import { matchesAnyGlob } from '../file-patterns.ts';
import { missingPythonModule } from '../python/missing-python-module.ts';
import { NEVER_TESTS, pythonJob } from '../python/python-job.ts';
import type { RunnerAdapter } from '../runner-adapter.ts';

interface Discovery {
  /** Relative to the command's directory; '' is all of it. */
  readonly start: string;
  readonly top: string | null;
  readonly pattern: string;
}

const NAMES: Readonly<Record<string, keyof Discovery>> = {
  '-s': 'start',
  '--start-directory': 'start',
  '-t': 'top',
  '--top-level-directory': 'top',
  '-p': 'pattern',
  '--pattern': 'pattern',
};

/** The options of `python -m unittest discover` that say which files are tests; those that only select or show are the kernel's to choose. */
export function discoveryOf(command: TestCommand): Discovery {
  const found: Record<keyof Discovery, string | null> = { start: '', top: null, pattern: 'test*.py' };
  for (const [place, arg] of command.args.entries()) {
    const [flag = '', inline] = arg.split(/=(.*)/s);
    const name = NAMES[flag];
    if (name !== undefined) found[name] = inline ?? command.args[place + 1] ?? null;
  }
  const plain = (path: string | null) => path?.replace(/^\.(\/|$)/, '').replace(/\/$/, '') ?? null;
  return { start: plain(found.start) ?? '', top: plain(found.top), pattern: found.pattern ?? 'test*.py' };
}

function globOf(command: TestCommand): string {
  const { start, pattern } = discoveryOf(command);
  return `${start === '' ? '' : `${start}/`}**/${pattern}`;
}

export const unittestAdapter: RunnerAdapter = {
  name: 'unittest',
  image: 'python',

  collects(path, command) {
    return path.endsWith('.py') && matchesAnyGlob(path, [globOf(command)]) && !matchesAnyGlob(path, NEVER_TESTS);
  },

  namedBy: (command) => (globOf(command) === globOf({ ...command, args: [] }) ? [] : [globOf(command)]),

  plan(input) {
    const { top } = discoveryOf(input.command);
    const root = [input.projectRoot, input.command.cwd, top ?? ''].filter((part) => part !== '').join('/');
    return pythonJob(input, 'unittest-run.py', top === null ? {} : { top: root });
  },

  /** Its last act, once the canaries have failed as they must. */
  believableExitCodes: [1],

  parse: (plan, result) => parseCaseReport(plan, result.report, (line) => missingPythonModule(plan, line)),
};
