import type { TestJob } from '../../../contracts/ports/sandboxes.ts';
import { runDescription } from '../case-report.ts';
import { SYSTEM_PATH } from '../plain-command.ts';
import { programPath } from '../runner.ts';
import type { PlanInput } from '../runner.ts';
import { virtualenvPrograms } from './virtualenvs.ts';

/** Directories in which no Python test runner looks for tests. */
export const NEVER_TESTS = [
  '**/{node_modules,venv,build,dist,site-packages,__pycache__,CVS,_darcs}/**',
  '**/*.egg/**',
  '**/.*/**',
];

/** What the interpreter or an installed package loads before any test. `entry_points.txt` of a package's metadata names plugins. */
export const LOADS_FIRST = [
  'sitecustomize.py',
  'usercustomize.py',
  '*.pth',
  '*.egg-info/',
  '*.dist-info/',
  '*.egg-link',
];

/**
 * A run by one of our Python programs. The interpreter is the one of the project's virtualenv, where it has one that runs in the
 * sandbox, else the image's. `-I`: no variable and no user directory adds code to it; `-B`: it leaves no byte code in the project.
 */
export function pythonJob(input: PlanInput, program: string, options: Readonly<Record<string, unknown>>): TestJob {
  const virtualenvs = virtualenvPrograms(input.projectRoot, input.command.cwd);
  return {
    argv: ['python3', '-I', '-B', programPath(program)],
    env: { PATH: [...virtualenvs, SYSTEM_PATH].join(':'), PYTHONDONTWRITEBYTECODE: '1', PYTHONUNBUFFERED: '1' },
    cwd: input.command.cwd,
    input: runDescription(input, { options }),
    reportName: input.canary.reportName,
    image: 'python',
  };
}
