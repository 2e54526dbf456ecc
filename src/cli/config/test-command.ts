import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { SessionOptions, TestCommand } from '../../contracts/session/session-protocol.ts';
import { requireRunner, runnerNamed } from '../../kernel/runners/registry.ts';
import type { ProjectConfig, UserConfig } from './config-schema.ts';
import { buildOutputOf } from './init/build-output.ts';
import type { BuildOutput } from './init/build-output.ts';
import { commandOf, findTests } from './init/detect-test-command.ts';

export interface TestSettings {
  readonly project: ProjectConfig['test'];
  readonly user: UserConfig['test'];
}

/**
 * The test command of a project: the user's own, the project's, or one detected from its files. Strict mode refuses a project whose tests cannot be
 * judged, before anything is spent; the other modes accept it without tests (null). `questions`: strict mode also accepts it, for questions, if no
 * test command is known. Throws FluffyError `no_test_command`, `unknown_test_runner` or `tests_in_build_output`.
 */
export function testCommand(
  project: { readonly root: string; readonly cwd: string },
  settings: TestSettings,
  { mode, questions = false }: { readonly mode: SessionOptions['mode']; readonly questions?: boolean },
): TestCommand | null {
  const own = commandOfUser(project.root, settings.user);
  if (own !== null) return own;
  const configured = settings.project;
  if (configured?.runner === 'generic') throw notOfProject();
  const found = configured === undefined ? findTests(project.root, project.cwd) : undefined;
  const command = configured ?? (found === undefined ? null : commandOf(found));
  if (command === null) {
    if (mode === 'strict' && !questions) throw noTestCommand(project.root);
    return null;
  }
  if (mode === 'strict') {
    requireRunner(command.runner, found?.nearest[0]?.because);
    const built = buildOutputOf(project.root, command);
    if (built !== null) throw testsInBuildOutput(built);
  }
  if (runnerNamed(command.runner) === null) return null;
  const { runner, cwd, args } = command;
  return found === undefined ? { runner, cwd, args } : command;
}

type UserCommand = NonNullable<NonNullable<UserConfig['test']>['commands']>[number];

/** The user's own command for this project; null if the configuration has none. */
export function commandOfUser(root: string, user: UserConfig['test']): TestCommand | null {
  const own = user?.commands?.find((each) => each.project === root);
  return own === undefined ? null : ofUser(own);
}

function ofUser({ command, cwd, report, report_file, files }: UserCommand): TestCommand {
  return {
    runner: 'generic',
    cwd,
    args: command,
    ...(report === undefined ? {} : { report }),
    ...(report_file === undefined ? {} : { report_file }),
    ...(files === undefined ? {} : { files }),
  };
}

function notOfProject(): FluffyError {
  return new FluffyError({
    code: 'unknown_test_runner',
    what: "A project's own file cannot choose a command for its tests",
    why: 'test.runner in .fluffy/config.yaml is generic, and results of a command count only if you name the command',
    fix: 'Put the command under test.commands in your own config.yaml (see docs/configuration.md), and take test.runner out of the project',
    exitCode: EXIT.usage,
  });
}

function testsInBuildOutput({ path, script }: BuildOutput): FluffyError {
  return new FluffyError({
    code: 'tests_in_build_output',
    what: `The tests of this project run from ${path}, which git ignores`,
    why: `Strict mode proves a change by tests that are committed, and its own runner builds nothing before them (${script})`,
    fix: 'Let the tests run from their sources, or put the command under test.commands in your own config.yaml: fluffy config init prints it. Or use --mode explore',
    exitCode: EXIT.usage,
  });
}

function noTestCommand(root: string): FluffyError {
  return new FluffyError({
    code: 'no_test_command',
    what: 'No way to run the tests of this project was found',
    why: `Strict mode proves a change by its tests, and nothing in ${root} says how they run`,
    fix: 'Set test.runner in .fluffy/config.yaml, or name the command, such as make test, under test.commands in your own config.yaml: fluffy config init writes the one and prints the other. Or use --mode explore',
    exitCode: EXIT.usage,
  });
}
