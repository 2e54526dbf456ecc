import { lstat } from 'node:fs/promises';
import { EXIT } from '../../../contracts/exit-codes.ts';
import type { ExitCode } from '../../../contracts/exit-codes.ts';
import { sandboxNode } from '../../../host/images/sandbox-node.ts';
import type { PythonOptions } from '../../../host/toolchains/python/choose-python.ts';
import { pythonNote } from '../../../host/toolchains/python/python-note.ts';
import type { ToolchainNote } from '../../../host/toolchains/toolchain.ts';
import { escapeTerminal } from '../../../lib/text/escape-terminal.ts';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import type { CliServices, GlobalInput } from '../../command-line/cli-command.ts';
import { type Environment, type OpenProject, imageOf, openProject } from '../../open-project.ts';
import { otherNode, runsInNode, runsInPython } from '../../project/other-node.ts';
import { usage } from '../../usage-error.ts';
import { projectFile, writeWhole } from '../config-commands.ts';
import { commandOfUser } from '../test-command.ts';
import { buildOutputOf } from './build-output.ts';
import { type FoundTests, commandOf, findTests } from './detect-test-command.ts';
import { initCoverage } from './init-coverage.ts';
import { initialConfig, ownCommandConfig } from './initial-config.ts';
import { tryTests } from './try-tests.ts';

interface InitInput extends GlobalInput {
  /** Whether the tests run once. */
  readonly run: boolean;
  /** Whether the project gets a coverage baseline. */
  readonly coverage: boolean;
}

/** `fluffy config init`: writes how the tests of the project run, and runs them once to check it. */
export async function initConfig(input: InitInput, services: CliServices): Promise<ExitCode> {
  const { env, output } = services;
  const opened = await openProject(input.project, input.allowRoot, env, { commitsNothing: true });
  const { project } = opened;
  const file = projectFile(project.root);
  const isThere = await lstat(file).then(
    () => true,
    () => false,
  );
  if (input.coverage) {
    output.stdout(escapeTerminal(await initCoverage(project.root), { multiline: true }));
    if (isThere) return EXIT.done;
  }
  if (isThere) throw usage(`${file} is there already`, 'Change it with fluffy config set --project-scope');
  const own = commandOfUser(project.root, opened.userConfig.test);
  if (own !== null) return ofUser({ opened, file, command: own }, input, services);
  const found = findTests(project.root, project.cwd);
  const command = commandOf(found);
  const built = command === null ? null : buildOutputOf(project.root, command);
  const { text, report } = initialConfig(file, found, built);
  await writeWhole(file, text, project.root);
  output.stdout(escapeTerminal(report + (await versionReport(opened, found, env)), { multiline: true }));
  if (!input.run || command === null || built !== null || found.nearest[0]?.supported !== true) return EXIT.done;
  const tried = await tryTests({ opened, command, allowRoot: input.allowRoot }, services);
  output.stdout(escapeTerminal(tried, { multiline: true }));
  return EXIT.done;
}

/** Sessions use the user's own command, whatever the project's files say: it is named and tested. */
async function ofUser(
  { opened, file, command }: { opened: OpenProject; file: string; command: TestCommand },
  { run, allowRoot }: InitInput,
  services: CliServices,
): Promise<ExitCode> {
  const { output } = services;
  const { text, report } = ownCommandConfig(file, command);
  await writeWhole(file, text, opened.project.root);
  output.stdout(escapeTerminal(report, { multiline: true }));
  if (!run) return EXIT.done;
  output.stdout(escapeTerminal(await tryTests({ opened, command, allowRoot }, services), { multiline: true }));
  return EXIT.done;
}

/** One line if the project requests another Node or Python than its tests run with. An image of the user is an explicit choice. */
async function versionReport(
  { project, user, userConfig }: OpenProject,
  { nearest }: FoundTests,
  env: Environment,
): Promise<string> {
  if (imageOf(userConfig, project.root) !== null) return '';
  const cwd = nearest[0]?.command.cwd ?? project.cwd;
  const other = await otherVersion({ projectRoot: project.root, cwd, stateHome: user.stateHome, env }, nearest);
  if (other === null) return '';
  return other.level === 'info' ? `${other.what}.\n` : `${other.what}. ${other.why}: ${other.fix}.\n`;
}

async function otherVersion(
  asked: PythonOptions & { readonly cwd: string },
  nearest: FoundTests['nearest'],
): Promise<ToolchainNote | null> {
  if (runsInNode(nearest)) return otherNode({ ...asked, image: await sandboxNode(asked.stateHome) });
  return runsInPython(nearest) ? pythonNote(asked) : null;
}
