import type { KernelProjectImage, KernelToolchain } from '../../contracts/kernel-options.ts';
import type { TestJob } from '../../contracts/ports/sandboxes.ts';
import { NODE } from '../../contracts/sandbox/sandbox-programs.ts';
import type { Runner } from '../runners/runner.ts';
import { SYSTEM_PATH } from '../runners/plain-command.ts';

type Environment = Readonly<Record<string, string>>;

/** Pure: directories of programs, and variables, of the user's image for the project, or of the host's toolchains together; null where there are none. */
export function toolchainSettings({
  toolchains = [],
  project_image,
}: {
  readonly toolchains?: readonly KernelToolchain[] | undefined;
  readonly project_image?: KernelProjectImage | undefined;
}): {
  /** Directories of programs that stand in place of the system's of the same name, and nothing else. */
  readonly first?: string[];
  readonly path: string[];
  readonly env: Record<string, string>;
} | null {
  const all = project_image === undefined ? toolchains : [project_image];
  if (all.length === 0) return null;
  const replacing: readonly (KernelToolchain | KernelProjectImage)[] =
    project_image === undefined ? toolchains.filter(({ node }) => node !== undefined) : [];
  const first = replacing.flatMap((each) => each.path);
  return {
    ...(first.length === 0 ? {} : { first }),
    path: all.filter((each) => !replacing.includes(each)).flatMap((each) => each.path),
    env: Object.assign({}, ...all.map((each) => each.env)) as Record<string, string>,
  };
}

/** Pure: the environment of a test sandbox with the host's toolchains in it. Their programs come before the image's. */
export function withToolchains(
  env: Environment & { readonly PATH: string },
  toolchains?: readonly KernelToolchain[],
): Environment {
  const settings = toolchainSettings({ toolchains });
  if (settings === null) return env;
  return { ...env, ...settings.env, PATH: [...(settings.first ?? []), ...settings.path, env.PATH].join(':') };
}

/** Pure: the environment of a runner's job: what the runner sets comes before what a toolchain sets, but for the programs, which it may name itself. */
export function jobEnvironment(
  system: Environment & { readonly PATH: string },
  { PATH = system.PATH, ...own }: Environment,
  toolchains?: readonly KernelToolchain[],
): Environment {
  return { ...withToolchains({ ...system, PATH }, toolchains), ...own };
}

/** Pure: a runner's job with the Node that the project asks for, where a toolchain has it and the runner is a program of Node's. */
export function inProjectNode(
  job: TestJob,
  { runsInNode }: Pick<Runner, 'runsInNode'>,
  toolchains: readonly KernelToolchain[] = [],
): TestJob {
  const node = toolchains.find((each) => each.node !== undefined)?.node;
  const [program, ...rest] = job.argv;
  return runsInNode === true && node !== undefined && program === NODE ? { ...job, argv: [node, ...rest] } : job;
}

/** Pure: a job in the user's image for the project, if there is one: with its Node and its variables, and with its `PATH` in place of the system's. */
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
