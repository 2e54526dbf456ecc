import type { TestJob } from '../../contracts/ports/sandboxes.ts';
import { runDescription } from './case-report.ts';
import { programPath } from './runner.ts';
import type { PlanInput } from './runner.ts';

/** What a run by one of our programs in a language of the host's toolchain needs to know. */
export interface HostProgram {
  /** The interpreter, as the toolchain has it in `PATH`. */
  readonly interpreter: string;
  /** How messages name the language. */
  readonly language: string;
  /** Our program in the sandbox. */
  readonly program: string;
}

/** A run by one of our programs, which its command line shows by a number alone, since code under test can read that; where sandboxes have no such interpreter, it says so and how that changes. */
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
