import type { KernelToolchain } from '../../contracts/kernel-options.ts';

type Environment = Readonly<Record<string, string>>;

/** Pure: the environment of a test sandbox with the host's toolchains in it. Their programs come before the image's. */
export function withToolchains(
  env: Environment & { readonly PATH: string },
  toolchains: readonly KernelToolchain[] = [],
): Environment {
  const path = [...toolchains.flatMap((each) => each.path), env.PATH].join(':');
  return Object.assign({}, env, ...toolchains.map((each) => each.env), { PATH: path }) as Environment;
}
