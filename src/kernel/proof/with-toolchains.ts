import type { KernelToolchain } from '../../contracts/kernel-options.ts';

type Environment = Readonly<Record<string, string>>;

/** Pure: directories of programs, and variables, that the host's toolchains need together; null where there are none. */
export function toolchainSettings(
  toolchains: readonly KernelToolchain[] = [],
): { readonly path: string[]; readonly env: Record<string, string> } | null {
  if (toolchains.length === 0) return null;
  return {
    path: toolchains.flatMap((each) => each.path),
    env: Object.assign({}, ...toolchains.map((each) => each.env)) as Record<string, string>,
  };
}

/** Pure: the environment of a test sandbox with the host's toolchains in it. Their programs come before the image's. */
export function withToolchains(
  env: Environment & { readonly PATH: string },
  toolchains?: readonly KernelToolchain[],
): Environment {
  const settings = toolchainSettings(toolchains);
  if (settings === null) return env;
  return { ...env, ...settings.env, PATH: [...settings.path, env.PATH].join(':') };
}
