import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ObjectId } from '../../contracts/ids.ts';
import { openPackFile } from './pack-file.ts';
import type { PackFile } from './pack-file.ts';
import { openPackIndex } from './pack-index.ts';
import type { PackIndex } from './pack-index.ts';

export interface Pack {
  readonly index: PackIndex;
  readonly file: PackFile;
}

/** The packs of a repository. Packs that are added later are found when an object is missing. */
interface Packs {
  find(id: ObjectId): Promise<{ pack: Pack; offset: number } | null>;
  /** At most two of each pack. */
  startingWith(digits: string): Promise<readonly ObjectId[]>;
  close(): Promise<void>;
}

/** Opens no file yet. `packDir` is `.git/objects/pack`. */
export function openPacks(packDir: string): Packs {
  const packs = new Map<string, Pack>();

  async function openNewPacks(): Promise<boolean> {
    const known = packs.size;
    for (const name of await readdir(packDir).catch(() => [])) {
      if (!/^pack-[0-9a-f]+\.idx$/.test(name) || packs.has(name)) continue;
      const pack = await openPack(join(packDir, name));
      if (pack !== null) packs.set(name, pack);
    }
    return packs.size > known;
  }

  return {
    async find(id) {
      do {
        for (const pack of packs.values()) {
          const offset = await pack.index.find(id);
          if (offset !== null) return { pack, offset };
        }
      } while (await openNewPacks());
      return null;
    },
    async startingWith(digits) {
      await openNewPacks();
      const found: ObjectId[] = [];
      for (const { index } of packs.values()) found.push(...(await index.startingWith(digits)));
      return found;
    },
    async close() {
      for (const { index, file } of packs.values()) {
        await index.close();
        await file.close();
      }
      packs.clear();
    },
  };
}

/** A pack that disappears meanwhile was repacked: its objects are in another one. */
async function openPack(indexPath: string): Promise<Pack | null> {
  const index = await openPackIndex(indexPath);
  if (index === null) return null;
  let file: PackFile | null = null;
  try {
    file = await openPackFile(indexPath.replace(/\.idx$/, '.pack'));
  } finally {
    if (file === null) await index.close();
  }
  return file === null ? null : { index, file };
}
