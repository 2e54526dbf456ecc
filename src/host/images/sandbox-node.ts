import { readImageManifest } from './image-records.ts';

/** Runners of JavaScript need at least this one. */
export const OLDEST_NODE = 18;
/** That of the official image. */
export const REGISTRY_NODE = 24;

/** The Node in fluffy's own images. */
export interface SandboxNode {
  readonly major: number;
  /** `24.9.0`; null: it is known only as far as the major version goes. */
  readonly version: string | null;
}

/** That of the host, unless the images are made of an image of a registry. */
export async function sandboxNode(
  stateHome: string,
  { platform, versions }: Pick<NodeJS.Process, 'platform' | 'versions'> = process,
): Promise<SandboxNode> {
  const { images } = await readImageManifest(stateHome);
  const base = images['base']?.base ?? (platform === 'linux' ? 'host' : 'registry');
  if (base === 'registry') return { major: REGISTRY_NODE, version: null };
  return { major: Number.parseInt(versions.node, 10), version: versions.node };
}
