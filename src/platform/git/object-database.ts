import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ObjectId } from '../../contracts/ids.ts';
import { decodeLooseObject } from '../../lib/git/loose-object.ts';
import { hashObject, parseObjectId } from '../../lib/git/object-id.ts';
import type { GitObject } from '../../lib/git/object-id.ts';
import { repositoryUnreadable } from '../../lib/git/repository-unreadable.ts';
import { DEFAULT_MAX_OBJECT_BYTES, objectTooLarge } from './object-too-large.ts';
import { readPackedObject } from './packed-object.ts';
import { openPacks } from './packs.ts';
import { readWholeFile } from './read-file.ts';

export interface ObjectDatabase {
  /**
   * An object whose content was checked against its id; null if there is none. Throws FluffyError
   * `repository_unreadable` (malformed) or `object_too_large`.
   */
  read(id: ObjectId, maxBytes?: number): Promise<GitObject | null>;
  /** Ids that begin with these digits (4 to 39): at most two, which is enough to see that the digits are ambiguous. */
  startingWith(digits: string): Promise<readonly ObjectId[]>;
  close(): Promise<void>;
}

/** `objects/xx/yyyy…` below an object directory. */
export function looseObjectName(id: ObjectId): string {
  return join(id.slice(0, 2), id.slice(2));
}

/**
 * Opens `objectsDir` (`.git/objects`): loose objects and packs. Packs that are added later are found when an object is
 * missing.
 */
export function openObjectDatabase(objectsDir: string): ObjectDatabase {
  const packs = openPacks(join(objectsDir, 'pack'));

  async function readPacked(id: ObjectId, maxBytes: number): Promise<GitObject | null> {
    const found = await packs.find(id);
    return found === null ? null : await readPackedObject({ ...found, id, maxBytes });
  }

  return {
    async read(id, maxBytes = DEFAULT_MAX_OBJECT_BYTES) {
      const object = (await readLoose(objectsDir, id, maxBytes)) ?? (await readPacked(id, maxBytes));
      if (object !== null && hashObject(object.type, object.content) !== id)
        throw repositoryUnreadable(objectsDir, `object ${id} has other content`);
      return object;
    },
    async startingWith(digits) {
      const loose = await looseIdsStartingWith(objectsDir, digits);
      return [...new Set([...loose, ...(await packs.startingWith(digits))])].slice(0, 2);
    },
    close: () => packs.close(),
  };
}

async function readLoose(objectsDir: string, id: ObjectId, maxBytes: number): Promise<GitObject | null> {
  const path = join(objectsDir, looseObjectName(id));
  const bytes = await readWholeFile(path, Math.max(maxBytes, DEFAULT_MAX_OBJECT_BYTES) * 2);
  if (bytes === null) return null;
  // zlib makes incompressible data slightly larger.
  if (bytes.length > maxBytes + (maxBytes >> 8) + 1024) throw objectTooLarge(id, maxBytes);
  const decoded = decodeLooseObject(bytes, maxBytes);
  if (decoded.kind === 'invalid')
    throw decoded.tooLarge ? objectTooLarge(id, maxBytes) : repositoryUnreadable(path, decoded.reason);
  return decoded.object;
}

async function looseIdsStartingWith(objectsDir: string, digits: string): Promise<readonly ObjectId[]> {
  const directory = digits.slice(0, 2);
  const names = await readdir(join(objectsDir, directory)).catch(() => []);
  return names
    .map((name) => parseObjectId(`${directory}${name}`))
    .filter((id): id is ObjectId => id?.startsWith(digits) === true);
}
