import type { TestJob } from '../../contracts/ports/sandboxes.ts';
import { runDescription } from './case-report.ts';
import { programPath } from './runner.ts';
import type { PlanInput } from './runner.ts';

/** A program of Fluffy that runs in the sandbox with an interpreter of the host's toolchain. */
export interface HostProgram {
  /** The name of the interpreter in `PATH`. */
  readonly interpreter: string;
  /** The name of the language in messages. */
  readonly language: string;
  /** The file name of Fluffy's program in the sandbox. */
  readonly program: string;
}

/**
 * Returns the job that runs the program. The command line shows only the number of a file descriptor, because code
 * under test can read it. If the sandbox has no interpreter, the job fails with a message that says what to do.
 */
export function hostProgramJob(
  input: PlanInput,
  { interpreter, language, program }: HostProgram,
  options: Readonly<Record<string, unknown>>,
): TestJob {
  const guard = `command -v ${interpreter} >/dev/null || { echo "fluffy: this machine has no ${language} that sandboxes can use (docs/test-runners.md, Toolchains)" >&2; exit 127; }`;
  return {
    argv: ['/bin/sh', '-c', `${guard}; exec ${interpreter} /dev/fd/9 9<"$0"`, programPath(program)],
    env: {},
    cwd: input.command.cwd,
    input: runDescription(input, { options }),
    reportName: input.canary.reportName,
    image: 'node',
  };
}
