import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { SessionOptions, TestCommand } from '../../contracts/session-protocol.ts';
import { requireRunner, runnerNamed } from '../../kernel/runners/registry.ts';
import type { ProjectConfig } from './config-schema.ts';
import { detectTestCommand } from './detect-test-command.ts';

/**
 * How the tests of a project run, as configured or as its files say. Strict mode refuses a project whose tests cannot be judged, before anything is spent;
 * in the other modes it can be asked about and worked on, without tests (null). Throws FluffyError `no_test_command` or `unknown_test_runner`.
 */
export function testCommand(
  project: { readonly root: string; readonly cwd: string },
  configured: ProjectConfig['test'],
  mode: SessionOptions['mode'],
): TestCommand | null {
  const found = configured === undefined ? detectTestCommand(project.root, project.cwd)[0] : undefined;
  const command = configured ?? found?.command;
  if (command === undefined) {
    if (mode === 'strict') throw noTestCommand(project.root);
    return null;
  }
  if (mode === 'strict') requireRunner(command.runner, found?.because);
  else if (runnerNamed(command.runner) === null) return null;
  const { runner, cwd, args, report } = { report: undefined, ...command };
  return { runner, cwd, args, ...(report === undefined ? {} : { report }) };
}

function noTestCommand(root: string): FluffyError {
  return new FluffyError({
    code: 'no_test_command',
    what: 'No way to run the tests of this project was found',
    why: `Strict mode proves a change by its tests, and nothing in ${root} says how they run`,
    fix: 'Set test.runner in .fluffy/config.yaml (fluffy config init writes a first version), or use --mode explore',
    exitCode: EXIT.usage,
  });
}
