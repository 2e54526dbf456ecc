import type { KernelToolchain } from '../../contracts/kernel-options.ts';

/** Pure: returns the project's own Node and Python with which tests run; null: those of the images. */
export function ownPrograms({ toolchains = [] }: { readonly toolchains?: readonly KernelToolchain[] | undefined }): {
  readonly node: string | null;
  readonly python: string | null;
} {
  return {
    node: toolchains.find((each) => each.node !== undefined)?.node ?? null,
    python: toolchains.find((each) => each.interpreter !== undefined)?.interpreter ?? null,
  };
}
