import { findToolchains } from './find-toolchains.ts';
import { listProject } from './listed-directories.ts';
import { findNode } from './node/find-node.ts';
import { versionInImage } from './node/version-in-image.ts';
import type { TriedIn } from './said-in-image.ts';
import { findRequestedPython } from './python/find-requested-python.ts';
import { pythonInImage } from './python/python-in-image.ts';
import type { Toolchain, ToolchainNote, ToolchainOptions } from './toolchain.ts';

export interface HostToolchains {
  readonly toolchains: readonly Toolchain[];
  /** The note about Node for sessions whose tests run with it; null if there is none. */
  readonly node: ToolchainNote | null;
  /** The same for Python. */
  readonly python: ToolchainNote | null;
}

/** All toolchains of this host for the sandboxes of a project, including Node and the Python that it requests. */
export async function hostToolchains(
  options: ToolchainOptions & { readonly stateHome: string },
  tried: TriedIn,
): Promise<HostToolchains> {
  const listed = await listProject(options.projectRoot);
  const { imageId } = tried;
  const node = await findNode({ ...options, listed, imageId, versionInImage: versionInImage(tried) });
  const others = await findToolchains(options, listed);
  const python = await findRequestedPython({ ...options, listed, imageId, pythonInImage: pythonInImage(tried) });
  const toolchains = [node.toolchain, ...others, python.toolchain].filter((each) => each !== null);
  return { toolchains, node: node.note, python: python.note };
}
