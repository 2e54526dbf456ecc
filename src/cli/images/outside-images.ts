import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { MAX_IMAGES, MAX_IMAGE_BYTES } from '../../contracts/model/image.ts';
import type { GivenImage } from '../../contracts/model/image.ts';
import { namedImages } from '../../lib/images/image-paths.ts';

export interface ImagePlaces {
  /** Files in it are read by the kernel, under the policy. */
  readonly projectRoot: string;
  /** The directory to which paths are relative. */
  readonly invokerDir: string;
  /** The directory that `~` means. */
  readonly home: string | undefined;
}

/**
 * The images outside of the project that a message names, for example a dropped file whose path the terminal pasted. A path that does not exist is
 * ordinary text, unless it begins with `@`.
 */
export async function outsideImages(text: string, places: ImagePlaces): Promise<readonly GivenImage[]> {
  const named = namedImages(text).map(({ path, isAttached }) => ({
    name: path,
    path: pathOf(path, places),
    isAttached,
  }));
  const outside = named.filter(({ path }) => !path.startsWith(places.projectRoot + sep)).slice(0, MAX_IMAGES);
  const read = await Promise.all(
    outside.map(async ({ name, path, isAttached }) => {
      const image = await readImage(name, path);
      return image ?? (isAttached ? { name, why: 'the file does not exist' } : null);
    }),
  );
  return read.filter((image) => image !== null);
}

function pathOf(name: string, { invokerDir, home }: ImagePlaces): string {
  return name.startsWith('~/') && home !== undefined ? join(home, name.slice(2)) : resolve(invokerDir, name);
}

/** null if there is no file. */
async function readImage(name: string, path: string): Promise<GivenImage | null> {
  try {
    // Without O_NONBLOCK, opening a named pipe would wait.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = await file.stat();
      if (!found.isFile()) return { name, why: 'it is not a file' };
      if (found.size > MAX_IMAGE_BYTES) return { name, why: `it has more than ${MAX_IMAGE_BYTES} bytes` };
      return { name, data: (await file.readFile()).toString('base64') };
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? null : { name, why: `it cannot be read (${code ?? 'unknown'})` };
  }
}
