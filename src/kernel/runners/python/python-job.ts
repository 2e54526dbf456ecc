import type { TestJob } from '../../../contracts/ports/sandboxes.ts';
import { VIRTUAL_ENVIRONMENTS } from '../../../contracts/sandbox/virtual-environments.ts';
import { runDescription } from '../case-report.ts';
import { SYSTEM_PATH } from '../plain-command.ts';
import { programPath } from '../runner.ts';
import type { PlanInput } from '../runner.ts';
import { virtualenvPrograms } from './virtualenvs.ts';

/** Directories in which no Python runner looks for tests. */
export const NEVER_TESTS = [
  '**/{node_modules,venv,build,dist,site-packages,__pycache__,CVS,_darcs}/**',
  '**/*.egg/**',
  '**/.*/**',
];

/**
 * Files that the interpreter or an installed package loads before any test. `entry_points.txt` in the metadata of a
 * package names plugins.
 */
export const LOADS_FIRST = [
  'sitecustomize.py',
  'usercustomize.py',
  '*.pth',
  '*.egg-info/',
  '*.dist-info/',
  '*.egg-link',
];

/**
 * Returns the job that runs one of Fluffy's Python programs. It uses the interpreter of the project's virtualenv if
 * that works in the sandbox, otherwise the image's. `-I`: no variable or user directory can add code. `-B`: no byte
 * code is written into the project.
 */
export function pythonJob(input: PlanInput, program: string, options: Readonly<Record<string, unknown>>): TestJob {
  const virtualenvs = virtualenvPrograms(input.projectRoot, input.command.cwd);
  return {
    argv: ['python3', '-I', '-B', programPath(program)],
    env: { PATH: [...virtualenvs, SYSTEM_PATH].join(':'), PYTHONDONTWRITEBYTECODE: '1', PYTHONUNBUFFERED: '1' },
    cwd: input.command.cwd,
    input: runDescription(input, { options: { ...options, virtual_environments: VIRTUAL_ENVIRONMENTS } }),
    reportName: input.canary.reportName,
    image: 'python',
  };
}
