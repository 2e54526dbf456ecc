import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { Engine } from './engine-api.ts';
import { listLabelledImages, removeImage } from './engine-images.ts';
import { imageManifestPath, readImageManifest } from './image-records.ts';

export interface PrunedImages {
  /** Ids, by result. */
  readonly removed: readonly string[];
  readonly inUse: readonly string[];
}

/**
 * Removes every image with Fluffy's labels that is not recorded. An image stays if a container uses it or if another image is built on it. Without a
 * record it is unknown which images are in use, so none is removed.
 *
 * @throws FluffyError `images_missing`
 */
export async function pruneImages(options: {
  readonly engine: Engine;
  readonly stateHome: string;
}): Promise<PrunedImages> {
  const { images } = await readImageManifest(options.stateHome);
  if (Object.keys(images).length === 0)
    throw new FluffyError({
      code: 'images_missing',
      what: 'No image was removed',
      why: `${imageManifestPath(options.stateHome)} names none, so it is not known which images are in use`,
      fix: 'run: fluffy image build',
      exitCode: EXIT.noRuntime,
    });
  const kept = new Set(Object.values(images).map(({ id }) => id));
  const old = (await listLabelledImages(options.engine)).filter(({ id }) => !kept.has(id));
  // Derived images first: a base cannot be removed before them.
  const ordered = [...old.filter(({ name }) => name !== 'base'), ...old.filter(({ name }) => name === 'base')];
  const removed: string[] = [];
  const inUse: string[] = [];
  for (const { id } of ordered) ((await removeImage(options.engine, id)) === 'removed' ? removed : inUse).push(id);
  return { removed, inUse };
}
