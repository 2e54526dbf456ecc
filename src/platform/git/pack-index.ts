import type { FileHandle } from 'node:fs/promises';
import type { ObjectId } from '../../contracts/ids.ts';
import { ID_BYTES } from '../../lib/git/object-id.ts';
import { repositoryUnreadable } from '../../lib/git/repository-unreadable.ts';
import { openRegularFile, readAt } from './read-file.ts';

const MAGIC = 0xff744f63;
const HEADER_BYTES = 8;
const FANOUT_BYTES = 256 * 4;
const NAMES_AT = HEADER_BYTES + FANOUT_BYTES;
const LARGE_OFFSET = 0x80000000;

/** The objects of a pack and their offsets: a version 2 `.idx` file, read by position. Closed by its owner. */
export interface PackIndex {
  /** Offset of the object in the pack, or null. */
  find(id: ObjectId): Promise<number | null>;
  /** The first two ids that begin with these digits, or fewer. */
  startingWith(digits: string): Promise<readonly ObjectId[]>;
  close(): Promise<void>;
}

/**
 * null if the file does not exist. Throws FluffyError `repository_unreadable` for another version or a malformed file.
 */
export async function openPackIndex(path: string): Promise<PackIndex | null> {
  const handle = await openRegularFile(path);
  if (handle === null) return null;
  try {
    return await readPackIndex(handle, path);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function readPackIndex(handle: FileHandle, path: string): Promise<PackIndex> {
  const { size } = await handle.stat();
  const head = await readAt(handle, 0, NAMES_AT);
  if (head.length < NAMES_AT || head.readUInt32BE(0) !== MAGIC || head.readUInt32BE(4) !== 2) {
    throw repositoryUnreadable(path, 'it is not a pack index of version 2');
  }
  const fanout = Array.from({ length: 256 }, (_, n) => head.readUInt32BE(HEADER_BYTES + n * 4));
  const count = fanout[255] ?? 0;
  const sorted = fanout.every((value, n) => n === 0 || value >= (fanout[n - 1] ?? 0));
  const offsetsAt = NAMES_AT + count * (ID_BYTES + 4);
  const largeAt = offsetsAt + count * 4;
  if (!sorted || size < largeAt + 2 * ID_BYTES) throw repositoryUnreadable(path, 'its fan-out table is malformed');

  async function offsetOf(position: number): Promise<number> {
    const small = (await readAt(handle, offsetsAt + position * 4, 4)).readUInt32BE(0);
    if (small < LARGE_OFFSET) return small;
    const at = largeAt + (small - LARGE_OFFSET) * 8;
    if (at + 8 > size) throw repositoryUnreadable(path, 'an offset is outside its table');
    return Number((await readAt(handle, at, 8)).readBigUInt64BE(0));
  }

  const idAt = (position: number): Promise<Buffer> => readAt(handle, NAMES_AT + position * ID_BYTES, ID_BYTES);

  /** The position of `wanted`, or where it would be. */
  async function lowerBound(wanted: Buffer): Promise<number> {
    const first = wanted[0] ?? 0;
    let low = first === 0 ? 0 : (fanout[first - 1] ?? 0);
    let high = fanout[first] ?? 0;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (wanted.compare(await idAt(middle)) <= 0) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  return {
    async find(id) {
      const wanted = Buffer.from(id, 'hex');
      const position = await lowerBound(wanted);
      return position < count && wanted.equals(await idAt(position)) ? offsetOf(position) : null;
    },
    async startingWith(digits) {
      const found: ObjectId[] = [];
      const start = await lowerBound(Buffer.from(digits.padEnd(ID_BYTES * 2, '0'), 'hex'));
      for (let position = start; position < count && found.length < 2; position += 1) {
        const id = (await idAt(position)).toString('hex') as ObjectId;
        if (!id.startsWith(digits)) break;
        found.push(id);
      }
      return found;
    },
    close: () => handle.close(),
  };
}
