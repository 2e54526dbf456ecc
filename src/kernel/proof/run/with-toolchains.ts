import type { KernelProjectImage, KernelToolchain } from '../../../contracts/kernel-options.ts';
import type { TestJob } from '../../../contracts/ports/sandboxes.ts';
import { NODE } from '../../../contracts/sandbox/sandbox-programs.ts';
import { ownPrograms } from '../../../lib/packages/own-programs.ts';
import type { Runner } from '../../runners/runner.ts';
import { SYSTEM_PATH } from '../../runners/plain-command.ts';

type Environment = Readonly<Record<string, string>>;

/**
 * Pure: returns the program directories and variables of the user's image for the project, or else of all toolchains of
 * the host. null if there are none.
 */
export function toolchainSettings({
  toolchains = [],
  project_image,
}: {
  readonly toolchains?: readonly KernelToolchain[] | undefined;
  readonly project_image?: KernelProjectImage | undefined;
}): {
  /** Program directories that come first in PATH, because their programs replace programs of the system. */
  readonly first?: string[];
  readonly path: string[];
  readonly env: Record<string, string>;
} | null {
  const all = project_image === undefined ? toolchains : [project_image];
  if (all.length === 0) return null;
  const replacing =
    project_image === undefined
      ? toolchains.flatMap((each) => (each.node !== undefined ? each.path : (each.python ?? [])))
      : [];
  return {
    ...(replacing.length === 0 ? {} : { first: replacing }),
    path: all.flatMap((each) => each.path).filter((path) => !replacing.includes(path)),
    env: Object.assign({}, ...all.map((each) => each.env)) as Record<string, string>,
  };
}

/**
 * Pure: returns the environment of a test sandbox with the host's toolchains. Their programs come before those of the
 * image. A Python that replaces the image's own comes after the project's virtual environments, which `PATH` names.
 */
export function withToolchains(
  env: Environment & { readonly PATH: string },
  toolchains?: readonly KernelToolchain[],
): Environment {
  if (toolchains === undefined || toolchains.length === 0) return env;
  const replacesSystem = ({ python }: KernelToolchain): boolean => python !== undefined;
  const settings = toolchainSettings({ toolchains: toolchains.filter((each) => !replacesSystem(each)) });
  const system = [...toolchains.filter(replacesSystem).flatMap(({ path }) => path), SYSTEM_PATH].join(':');
  const path = [...(settings?.first ?? []), ...(settings?.path ?? []), env.PATH.replace(SYSTEM_PATH, () => system)];
  return { ...env, ...settings?.env, PATH: path.join(':') };
}

/**
 * Pure: returns the environment of a runner's job. A variable of the runner overrides a variable of a toolchain. PATH
 * is an exception: the directories of the toolchains come before the runner's PATH.
 */
export function jobEnvironment(
  system: Environment & { readonly PATH: string },
  { PATH = system.PATH, ...own }: Environment,
  toolchains?: readonly KernelToolchain[],
): Environment {
  return { ...withToolchains({ ...system, PATH }, toolchains), ...own };
}

/**
 * Pure: replaces Node in the job by the version that the project requires, if the runner runs in Node and a toolchain
 * has that version.
 */
export function inProjectNode(
  job: TestJob,
  { runsInNode }: Pick<Runner, 'runsInNode'>,
  toolchains: readonly KernelToolchain[] = [],
): TestJob {
  const { node } = ownPrograms({ toolchains });
  const [program, ...rest] = job.argv;
  return runsInNode === true && node !== null && program === NODE ? { ...job, argv: [node, ...rest] } : job;
}

/**
 * Pure: returns the job for the user's image of the project, if there is one: with the image's Node and variables, and
 * the image's `PATH` in place of the system's.
 */
export function inProjectImage(job: TestJob, image: KernelProjectImage | undefined): TestJob {
  if (image === undefined) return job;
  const [program = '', ...rest] = job.argv;
  return {
    ...job,
    argv: [program === NODE ? image.node : program, ...rest],
    env: {
      ...image.env,
      ...job.env,
      PATH: (job.env['PATH'] ?? SYSTEM_PATH).replace(SYSTEM_PATH, () => image.path.join(':')),
    },
  };
}
