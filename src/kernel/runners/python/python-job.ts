import type { TestJob } from '../../../contracts/ports/sandboxes.ts';
import { IN_L2 } from '../../../contracts/container-paths.ts';
import { RUN_FILE, runDescription } from '../case-report.ts';
import type { PlanInput } from '../runner-adapter.ts';

const RUNTIME = '/opt/fluffy/tools/test-tool';
const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Directories that no Python test runner looks for tests in. */
export const NEVER_TESTS = [
  '**/{node_modules,venv,build,dist,site-packages,__pycache__,CVS,_darcs}/**',
  '**/*.egg/**',
  '**/.*/**',
];

/**
 * A run by one of our Python programs. The interpreter is the one of the project's virtualenv, where there is one that runs in the
 * sandbox, else the image's. `-I`: no variable and no user directory adds code to it; `-B`: it leaves no byte code in the project.
 */
export function pythonJob(input: PlanInput, program: string, options: Readonly<Record<string, unknown>>): TestJob {
  const { cwd } = input.command;
  const homes = [...new Set([cwd === '' ? input.projectRoot : `${input.projectRoot}/${cwd}`, input.projectRoot])];
  const virtualenvs = homes.flatMap((home) => [`${home}/.venv/bin`, `${home}/venv/bin`]);
  return {
    argv: ['python3', '-I', '-B', `${RUNTIME}/${program}`, `${IN_L2.job}/${RUN_FILE}`],
    env: { PATH: [...virtualenvs, SYSTEM_PATH].join(':'), PYTHONDONTWRITEBYTECODE: '1', PYTHONUNBUFFERED: '1' },
    cwd,
    files: [{ name: RUN_FILE, content: runDescription(input, `${IN_L2.out}/${input.canary.reportName}`, { options }) }],
    reportName: input.canary.reportName,
    image: 'python',
  };
}
