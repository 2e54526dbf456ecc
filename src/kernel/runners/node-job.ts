import type { TestJob } from '../../contracts/ports/sandboxes.ts';
import { runDescription } from './case-report.ts';
import { programPath } from './runner.ts';
import type { PlanInput } from './runner.ts';

/**
 * Returns the job that runs one of Fluffy's Node programs. `options` are input of the program; `flags` are flags of
 * Node.
 */
export function nodeJob(
  input: PlanInput,
  program: string,
  {
    options,
    flags = [],
    ...more
  }: { readonly options: unknown; readonly flags?: readonly string[]; readonly caseMs?: number | undefined },
): TestJob {
  return {
    argv: ['/usr/local/bin/node', ...flags, programPath(program)],
    env: {},
    cwd: input.command.cwd,
    input: runDescription(input, { options, ...more }),
    reportName: input.canary.reportName,
    image: 'node',
  };
}
