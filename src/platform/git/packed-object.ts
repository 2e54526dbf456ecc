import type { ObjectId } from '../../contracts/ids.ts';
import type { GitObject } from '../../lib/git/object-id.ts';
import { repositoryUnreadable } from '../../lib/git/repository-unreadable.ts';
import { applyDelta, deltaResultSize } from './delta.ts';
import { DEFAULT_MAX_OBJECT_BYTES, objectTooLarge } from './object-too-large.ts';
import type { Pack } from './packs.ts';

/** Git's own limit for the length of a delta chain. */
const MAX_DELTA_DEPTH = 4095;
/** Maximum bytes inflated or computed for one object, so that a long chain of large deltas ends. */
const MAX_WORK_BYTES = 1024 * 1024 * 1024;

/** An object of a pack, and its maximum size. */
interface PackedObject {
  readonly pack: Pack;
  readonly offset: number;
  readonly id: ObjectId;
  readonly maxBytes: number;
}

/**
 * Follows the deltas down to a whole object, then applies them on the way back. Does not compare the content with the
 * id.
 *
 * @throws FluffyError `repository_unreadable` (malformed) or `object_too_large`
 */
export async function readPackedObject(object: PackedObject): Promise<GitObject> {
  const { pack, id, maxBytes } = object;
  const deltas: Buffer[] = [];
  let { offset } = object;
  let work = 0;
  for (;;) {
    const entry = await pack.file.entryAt(offset, maxStepBytes(maxBytes));
    if (entry.kind === 'too-large') throw objectTooLarge(id, maxBytes);
    work += entry.bytes.length;
    if (entry.kind === 'whole') {
      const content = applyDeltas(object, entry.bytes, deltas, work);
      if (content.length > maxBytes) throw objectTooLarge(id, maxBytes);
      return { type: entry.type, content };
    }
    deltas.push(entry.bytes);
    if (deltas.length > MAX_DELTA_DEPTH || work > MAX_WORK_BYTES)
      throw repositoryUnreadable(pack.file.path, 'a delta chain is too long');
    if (entry.kind === 'offset-delta') {
      offset = entry.baseOffset;
      continue;
    }
    // Git keeps the base in the same pack. A cycle of such bases ends at the depth limit.
    const base = await pack.index.find(entry.base);
    if (base === null) throw repositoryUnreadable(pack.file.path, `the base ${entry.base} is missing`);
    offset = base;
  }
}

/** `deltas` in the order of the walk: the last one applies to `whole`. */
function applyDeltas({ pack, id, maxBytes }: PackedObject, whole: Buffer, deltas: Buffer[], done: number): Buffer {
  let content = whole;
  let work = done;
  for (const delta of deltas.toReversed()) {
    const size = deltaResultSize(delta);
    if (size !== null && size > maxStepBytes(maxBytes)) throw objectTooLarge(id, maxBytes);
    work += size ?? 0;
    if (work > MAX_WORK_BYTES) throw repositoryUnreadable(pack.file.path, 'a delta chain is too long');
    const next = applyDelta(content, delta);
    if (next === null) throw repositoryUnreadable(pack.file.path, `a delta of object ${id} is malformed`);
    content = next;
  }
  return content;
}

/** Deltas and their bases may be larger than their result. */
function maxStepBytes(maxBytes: number): number {
  return Math.max(maxBytes, DEFAULT_MAX_OBJECT_BYTES);
}
