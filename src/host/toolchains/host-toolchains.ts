import { findToolchains } from './find-toolchains.ts';
import { listProject } from './listed-directories.ts';
import { findNode } from './node/find-node.ts';
import { type TriedIn, versionInImage } from './node/version-in-image.ts';
import { pythonNote } from './python-note.ts';
import type { Toolchain, ToolchainNote, ToolchainOptions } from './toolchain.ts';

export interface HostToolchains {
  readonly toolchains: readonly Toolchain[];
  /** The note about Node for sessions whose tests run with it; null if there is none. */
  readonly node: ToolchainNote | null;
  /** The same for Python. */
  readonly python: ToolchainNote | null;
}

/** All toolchains of this host for the sandboxes of a project, including Node. */
export async function hostToolchains(
  options: ToolchainOptions & { readonly stateHome: string },
  tried: TriedIn,
): Promise<HostToolchains> {
  const listed = await listProject(options.projectRoot);
  const { toolchain, note } = await findNode({
    ...options,
    listed,
    imageId: tried.imageId,
    versionInImage: versionInImage(tried),
  });
  const others = await findToolchains(options, listed);
  const python = await pythonNote(options);
  return { toolchains: toolchain === null ? others : [toolchain, ...others], node: note, python };
}
