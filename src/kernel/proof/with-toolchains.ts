import type { KernelProjectImage, KernelToolchain } from '../../contracts/kernel-options.ts';
import type { TestJob } from '../../contracts/ports/sandboxes.ts';
import { NODE } from '../../contracts/sandbox/sandbox-programs.ts';
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
  readonly path: string[];
  readonly env: Record<string, string>;
} | null {
  const all = project_image === undefined ? toolchains : [project_image];
  if (all.length === 0) return null;
  return {
    path: all.flatMap((each) => each.path),
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
  return { ...env, ...settings.env, PATH: [...settings.path, env.PATH].join(':') };
}

/** Pure: the environment of a runner's job: what the runner sets comes before what a toolchain sets, but for the programs, which it may name itself. */
export function jobEnvironment(
  system: Environment & { readonly PATH: string },
  { PATH = system.PATH, ...own }: Environment,
  toolchains?: readonly KernelToolchain[],
): Environment {
  return { ...withToolchains({ ...system, PATH }, toolchains), ...own };
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
