import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
const END_SIGNATURE = 0x06054b50;
const ENTRY_BYTES = 46;
const ENTRY_SIGNATURE = 0x02014b50;
const MAX_DIRECTORY_BYTES = 64 * 1024 * 1024;
const TYPE_MASK = 0o170000;
const PLAIN_TYPES = new Set([0, 0o100000, 0o040000]);

/** Why the archive of a module is not one that is unpacked here, or null. Go makes a file with its target as text of a link, without a message. */
export async function whyUnsafeZip(path: string, prefix: string): Promise<string | null> {
  const file = await open(path, 'r');
  try {
    const directory = await readDirectory(file);
    return directory === null ? 'it is not a valid archive' : firstUnsafe(directory, prefix);
  } finally {
    await file.close();
  }
}

/** The list of its entries, which is what Go unpacks by; null: it has none, or is of the form for archives over 4 GiB. */
async function readDirectory(file: FileHandle): Promise<Buffer | null> {
  const { size } = await file.stat();
  const tail = await readAt(file, Math.max(0, size - END_BYTES - MAX_COMMENT_BYTES), size);
  for (let at = tail.length - END_BYTES; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== END_SIGNATURE) continue;
    const bytes = tail.readUInt32LE(at + 12);
    const offset = tail.readUInt32LE(at + 16);
    if (bytes > MAX_DIRECTORY_BYTES || offset + bytes > size) return null;
    return readAt(file, offset, offset + bytes);
  }
  return null;
}

async function readAt(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const buffer = Buffer.alloc(to - from);
  const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
  return buffer.subarray(0, bytesRead);
}

function firstUnsafe(directory: Buffer, prefix: string): string | null {
  for (let at = 0; at < directory.length;) {
    if (at + ENTRY_BYTES > directory.length || directory.readUInt32LE(at) !== ENTRY_SIGNATURE)
      return 'it is not a valid archive';
    const [name, extra, comment] = [28, 30, 32].map((field) => directory.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ];
    const type = (directory.readUInt32LE(at + 38) >>> 16) & TYPE_MASK;
    const path = directory.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + name);
    const shown = JSON.stringify(path.slice(0, 200));
    if (!PLAIN_TYPES.has(type)) return `${shown} in it is a link, or no plain file`;
    if (path.split(/[/\\]/).includes('..') || !path.startsWith(prefix)) return `${shown} in it leads out of the module`;
    at += ENTRY_BYTES + name + extra + comment;
  }
  return null;
}
