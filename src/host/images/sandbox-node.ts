import { readImageManifest } from './image-records.ts';

/** Runners of JavaScript need at least this one. */
export const OLDEST_NODE = 22;
/** That of the official image. */
export const REGISTRY_NODE = 24;

/** The major version of the Node in fluffy's own images: that of the host, unless they are made of an image of a registry. */
export async function sandboxNode(
  stateHome: string,
  { platform, versions }: Pick<NodeJS.Process, 'platform' | 'versions'> = process,
): Promise<number> {
  const { images } = await readImageManifest(stateHome);
  const base = images['base']?.base ?? (platform === 'linux' ? 'host' : 'registry');
  return base === 'registry' ? REGISTRY_NODE : Number.parseInt(versions.node, 10);
}
