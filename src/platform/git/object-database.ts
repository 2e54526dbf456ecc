import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { ObjectId } from '../../contracts/ids.ts';
import { decodeLooseObject } from '../../lib/git/loose-object.ts';
import { hashObject, parseObjectId } from '../../lib/git/object-id.ts';
import type { GitObject } from '../../lib/git/object-id.ts';
import { applyDelta, deltaResultSize } from './delta.ts';
import { openPackFile } from './pack-file.ts';
import type { PackFile } from './pack-file.ts';
import { openPackIndex } from './pack-index.ts';
import type { PackIndex } from './pack-index.ts';
import { readWholeFile, unreadable } from './read-file.ts';

export const DEFAULT_MAX_OBJECT_BYTES = 64 * 1024 * 1024;
/** Git's own limit for the length of a delta chain. */
const MAX_DELTA_DEPTH = 4095;
/** Everything inflated or made for one object, so that a long chain of large deltas ends. */
const MAX_WORK_BYTES = 1024 * 1024 * 1024;

export interface ObjectDatabase {
  /**
   * An object whose content has been checked against its id, or null when there is none.
   * Throws FluffyError `repository_unreadable` (malformed) or `object_too_large`.
   */
  read(id: ObjectId, maxBytes?: number): Promise<GitObject | null>;
  /** Ids that begin with these digits (4 to 39): two at most, which is enough to tell that they are not one. */
  startingWith(digits: string): Promise<readonly ObjectId[]>;
  close(): Promise<void>;
}

interface Pack {
  readonly index: PackIndex;
  readonly file: PackFile;
}

/** `objects/xx/yyyy…` below an object directory. */
export function looseObjectName(id: ObjectId): string {
  return join(id.slice(0, 2), id.slice(2));
}

/** Opens `objectsDir` (`.git/objects`): loose objects and packs. Packs made later are found when an object is missing. */
export function openObjectDatabase(objectsDir: string): ObjectDatabase {
  const packDir = join(objectsDir, 'pack');
  const packs = new Map<string, Pack>();

  /** A pack that vanishes meanwhile was repacked: its objects are in another one. */
  async function openPack(name: string): Promise<Pack | null> {
    const index = await openPackIndex(join(packDir, name));
    if (index === null) return null;
    let file: PackFile | null = null;
    try {
      file = await openPackFile(join(packDir, name.replace(/\.idx$/, '.pack')));
    } finally {
      if (file === null) await index.close();
    }
    return file === null ? null : { index, file };
  }

  async function openNewPacks(): Promise<boolean> {
    const known = packs.size;
    for (const name of await readdir(packDir).catch(() => [])) {
      if (!/^pack-[0-9a-f]+\.idx$/.test(name) || packs.has(name)) continue;
      const pack = await openPack(name);
      if (pack !== null) packs.set(name, pack);
    }
    return packs.size > known;
  }

  async function findPacked(id: ObjectId): Promise<{ pack: Pack; offset: number } | null> {
    do {
      for (const pack of packs.values()) {
        const offset = await pack.index.find(id);
        if (offset !== null) return { pack, offset };
      }
    } while (await openNewPacks());
    return null;
  }

  async function readLoose(id: ObjectId, maxBytes: number): Promise<GitObject | null> {
    const path = join(objectsDir, looseObjectName(id));
    const bytes = await readWholeFile(path, Math.max(maxBytes, DEFAULT_MAX_OBJECT_BYTES) * 2);
    if (bytes === null) return null;
    // What zlib cannot make smaller it makes a little larger.
    if (bytes.length > maxBytes + (maxBytes >> 8) + 1024) throw tooLarge(id, maxBytes);
    const decoded = decodeLooseObject(bytes, maxBytes);
    if (decoded.kind === 'invalid') throw decoded.tooLarge ? tooLarge(id, maxBytes) : unreadable(path, decoded.reason);
    return decoded.object;
  }

  /** Walks down to a whole object, then applies the deltas on the way back. */
  async function readPacked(pack: Pack, start: number, id: ObjectId, maxBytes: number): Promise<GitObject> {
    const deltas: Buffer[] = [];
    let offset = start;
    let work = 0;
    for (;;) {
      // Deltas and their bases may be larger than what they make.
      const entry = await pack.file.entryAt(offset, Math.max(maxBytes, DEFAULT_MAX_OBJECT_BYTES));
      if (entry.kind === 'too-large') throw tooLarge(id, maxBytes);
      work += entry.bytes.length;
      if (entry.kind === 'whole') {
        const content = applyAll(pack, id, entry.bytes, deltas, maxBytes, work);
        if (content.length > maxBytes) throw tooLarge(id, maxBytes);
        return { type: entry.type, content };
      }
      deltas.push(entry.bytes);
      if (deltas.length > MAX_DELTA_DEPTH || work > MAX_WORK_BYTES)
        throw unreadable(pack.file.path, 'a delta chain is too long');
      if (entry.kind === 'offset-delta') {
        offset = entry.baseOffset;
        continue;
      }
      // Git keeps the base in the same pack; a cycle of such bases ends at the depth limit.
      const base = await pack.index.find(entry.base);
      if (base === null) throw unreadable(pack.file.path, `the base ${entry.base} is missing`);
      offset = base;
    }
  }

  return {
    async read(id, maxBytes = DEFAULT_MAX_OBJECT_BYTES) {
      let object = await readLoose(id, maxBytes);
      if (object === null) {
        const found = await findPacked(id);
        if (found === null) return null;
        object = await readPacked(found.pack, found.offset, id, maxBytes);
      }
      if (hashObject(object.type, object.content) !== id)
        throw unreadable(objectsDir, `object ${id} has other content`);
      return object;
    },
    async startingWith(digits) {
      const found = new Set<ObjectId>();
      for (const name of await readdir(join(objectsDir, digits.slice(0, 2))).catch(() => [])) {
        const id = parseObjectId(`${digits.slice(0, 2)}${name}`);
        if (id?.startsWith(digits) === true) found.add(id);
      }
      await openNewPacks();
      for (const { index } of packs.values()) for (const id of await index.startingWith(digits)) found.add(id);
      return [...found].slice(0, 2);
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

function applyAll(pack: Pack, id: ObjectId, whole: Buffer, deltas: Buffer[], maxBytes: number, done: number): Buffer {
  let content = whole;
  let work = done;
  for (const delta of deltas.toReversed()) {
    const size = deltaResultSize(delta);
    if (size !== null && size > Math.max(maxBytes, DEFAULT_MAX_OBJECT_BYTES)) throw tooLarge(id, maxBytes);
    work += size ?? 0;
    if (work > MAX_WORK_BYTES) throw unreadable(pack.file.path, 'a delta chain is too long');
    const next = applyDelta(content, delta);
    if (next === null) throw unreadable(pack.file.path, `a delta of object ${id} is malformed`);
    content = next;
  }
  return content;
}

function tooLarge(id: ObjectId, maxBytes: number): FluffyError {
  return new FluffyError({
    code: 'object_too_large',
    what: `Object ${id} of the repository is too large`,
    why: `it has more than ${maxBytes} bytes`,
    fix: 'Leave this file to git itself; fluffy does not work on files of this size.',
    exitCode: 1,
  });
}
