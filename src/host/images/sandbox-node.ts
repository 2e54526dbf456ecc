import { readImageManifest } from './image-records.ts';

/** The minimum version for JavaScript test runners. */
export const OLDEST_NODE = 18;
/** The version in the official image. */
export const REGISTRY_NODE = 24;

/** The Node in fluffy's own images. */
export interface SandboxNode {
  readonly major: number;
  /** `24.9.0`; null if only the major version is known. */
  readonly version: string | null;
}

/** The host's version, unless the images are based on a registry image. */
export async function sandboxNode(
  stateHome: string,
  { platform, versions }: Pick<NodeJS.Process, 'platform' | 'versions'> = process,
): Promise<SandboxNode> {
  const { images } = await readImageManifest(stateHome);
  const base = images['base']?.base ?? (platform === 'linux' ? 'host' : 'registry');
  if (base === 'registry') return { major: REGISTRY_NODE, version: null };
  return { major: Number.parseInt(versions.node, 10), version: versions.node };
}
