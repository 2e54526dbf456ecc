import { inflateSync } from 'node:zlib';
import type { FileHandle } from 'node:fs/promises';
import type { ObjectId } from '../../contracts/ids.ts';
import { ID_BYTES } from '../../lib/git/object-id.ts';
import type { ObjectType } from '../../lib/git/object-id.ts';
import { repositoryUnreadable } from '../../lib/git/repository-unreadable.ts';
import { readOffsetVarint } from '../../lib/git/varint.ts';
import { openRegularFile, readAt } from './read-file.ts';

/** One entry of a pack as stored: a whole object, or a delta against another entry. */
export type PackEntry =
  | { readonly kind: 'whole'; readonly type: ObjectType; readonly bytes: Buffer }
  | { readonly kind: 'offset-delta'; readonly baseOffset: number; readonly bytes: Buffer }
  | { readonly kind: 'id-delta'; readonly base: ObjectId; readonly bytes: Buffer };

export type PackEntryOutcome = PackEntry | { readonly kind: 'too-large'; readonly size: number };

const HEADER_BYTES = 12;
/** A type and size, then a base offset or id: never longer than this. */
const MAX_ENTRY_HEADER_BYTES = 64;
const TYPES: Readonly<Record<number, ObjectType>> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' };
const OFFSET_DELTA = 6;
const ID_DELTA = 7;

export interface PackFile {
  readonly path: string;
  /** Throws FluffyError `repository_unreadable` for a malformed entry. `maxBytes` limits what is inflated. */
  entryAt(offset: number, maxBytes: number): Promise<PackEntryOutcome>;
  close(): Promise<void>;
}

/** Opens a version 2 pack; null if it does not exist. It is read by position, never as a whole. */
export async function openPackFile(path: string): Promise<PackFile | null> {
  const handle = await openRegularFile(path);
  if (handle === null) return null;
  try {
    const { size } = await handle.stat();
    const head = await readAt(handle, 0, HEADER_BYTES);
    if (head.length < HEADER_BYTES || head.toString('latin1', 0, 4) !== 'PACK' || head.readUInt32BE(4) !== 2) {
      throw repositoryUnreadable(path, 'it is not a pack of version 2');
    }
    return {
      path,
      entryAt: (offset, maxBytes) => readEntry(handle, path, size - ID_BYTES, offset, maxBytes),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function readEntry(
  handle: FileHandle,
  path: string,
  end: number,
  offset: number,
  maxBytes: number,
): Promise<PackEntryOutcome> {
  if (offset < HEADER_BYTES || offset >= end) throw repositoryUnreadable(path, `offset ${offset} is outside the pack`);
  const head = await readAt(handle, offset, Math.min(MAX_ENTRY_HEADER_BYTES, end - offset));
  const malformed = (why: string) => repositoryUnreadable(path, `the entry at ${offset} ${why}`);

  let at = 0;
  let byte = head[at++] ?? 0;
  const type = (byte >> 4) & 7;
  let size = byte & 0x0f;
  for (let scale = 16; (byte & 0x80) !== 0; scale *= 128) {
    const next = head[at++];
    if (next === undefined || !Number.isSafeInteger(scale * 128)) throw malformed('has a malformed size');
    byte = next;
    size += (byte & 0x7f) * scale;
  }
  if (size > maxBytes) return { kind: 'too-large', size };

  let baseOffset = 0;
  let base = '';
  if (type === OFFSET_DELTA) {
    const distance = readOffsetVarint(head, at);
    // Offsets only point backwards, so a chain of them can have no cycle.
    if (distance === null || distance.value <= 0 || distance.value > offset - HEADER_BYTES) {
      throw malformed('has a malformed base offset');
    }
    baseOffset = offset - distance.value;
    at = distance.next;
  } else if (type === ID_DELTA) {
    if (at + ID_BYTES > head.length) throw malformed('is cut short');
    base = head.toString('hex', at, at + ID_BYTES);
    at += ID_BYTES;
  }

  const compressed = await readAt(handle, offset + at, Math.min(compressedBound(size), end - offset - at));
  const bytes = inflateExactly(compressed, size);
  if (bytes === null) throw malformed('does not inflate to its size');
  if (type === OFFSET_DELTA) return { kind: 'offset-delta', baseOffset, bytes };
  if (type === ID_DELTA) return { kind: 'id-delta', base: base as ObjectId, bytes };
  const objectType = TYPES[type];
  if (objectType === undefined) throw malformed(`has the unknown type ${type}`);
  return { kind: 'whole', type: objectType, bytes };
}

/** The maximum length of `size` bytes after deflate: a pack does not record the compressed length. */
function compressedBound(size: number): number {
  return size + (size >> 8) + 1024;
}

function inflateExactly(compressed: Buffer, size: number): Buffer | null {
  try {
    const bytes = inflateSync(compressed, { maxOutputLength: Math.max(size, 1) });
    return bytes.length === size ? bytes : null;
  } catch {
    return null;
  }
}
