import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { TestCommand } from '../../contracts/session/session-protocol.ts';
import type { GlobalInput } from '../command-line/cli-command.ts';
import { findTests } from '../config/init/detect-test-command.ts';
import { testCommand } from '../config/test-command.ts';
import { openProject } from '../open-project.ts';
import type { Environment, OpenProject } from '../open-project.ts';
import { checkProvider, splitModel } from '../models/resolve-model.ts';
import { defaultMode, defaultModel } from '../session-options.ts';
import { type DoctorCheck, failure, ok } from './doctor-report.ts';

export type StartPlace = Pick<GlobalInput, 'project' | 'allowRoot'> & {
  /** `provider/model`; absent: the model of a session here. */
  readonly model?: string | undefined;
};

/**
 * What a session needs besides engine and images: a repository with a branch, a commit and an identity, a key for the model, and a test command. Each
 * is checked by the function that a start uses.
 */
export async function checkStart(
  { project, allowRoot, model }: StartPlace,
  env: Environment,
): Promise<readonly DoctorCheck[]> {
  let opened: OpenProject;
  try {
    opened = await openProject(project, allowRoot, env);
  } catch (error) {
    return [failed('project', error)];
  }
  const { root, branch, identity } = opened.project;
  return [
    ok('project', `${root} on ${branch}; commits are by ${identity.name} <${identity.email}>`),
    await checked('model', () => modelLine(model ?? defaultModel(opened, env), opened, env)),
    await checked('tests', () => testLine(opened, env)),
  ];
}

async function modelLine(model: string, opened: OpenProject, env: Environment): Promise<string> {
  const [provider] = splitModel(model);
  if (provider !== 'replay') await checkProvider({ env, opened }, provider);
  return `the model is ${model}; its requirements are met`;
}

function testLine({ project, projectConfig, userConfig }: OpenProject, env: Environment): string {
  const settings = { project: projectConfig.test, user: userConfig.test };
  const command = testCommand(project, settings, { mode: defaultMode({ userConfig }, env) });
  if (command === null) return 'no tests are run: this mode works without them';
  const unused = projectConfig.test === undefined && command.runner !== 'generic' ? unsupportedBeside(project) : [];
  return [`tests run with ${runnersOf(command)}`, ...unused].join('; ');
}

/** Each runner with the directory it starts in. */
function runnersOf({ others = [], ...first }: TestCommand): string {
  return [first, ...others].map(({ runner, cwd }) => (cwd === '' ? runner : `${runner} in ${cwd}`)).join(', ');
}

/** Further runners of the project whose tests do not count. */
function unsupportedBeside({ root, cwd }: OpenProject['project']): readonly string[] {
  const left = findTests(root, cwd).nearest.filter(({ supported }) => !supported);
  return left.map(({ title, because }) => `${title} decides nothing yet (${because})`);
}

async function checked(id: string, check: () => string | Promise<string>): Promise<DoctorCheck> {
  try {
    return ok(id, await check());
  } catch (error) {
    return failed(id, error);
  }
}

/** Anything but a FluffyError is a bug. */
function failed(id: string, error: unknown): DoctorCheck {
  if (error instanceof FluffyError) return failure(id, error);
  throw error;
}
