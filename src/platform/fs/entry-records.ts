/** Bytes per record. */
export const RECORD_BYTES = 72;

/**
 * Distinguishes the states of an entry by link count, owner, type, mode, inode, size, times and device, from Linux's
 * `statx`. Node's own `lstat` makes an object and a path for each entry; in a large project that is most of the cost of
 * checking all files.
 */
export interface EntryRecords {
  /**
   * Writes the record of an entry of the directory `parent`; links are not followed. `name` ends in a NUL byte; an
   * empty name means the directory itself. Returns false, and writes zeros, if there is no entry or it cannot be read.
   */
  read(parent: number, name: Uint8Array, into: Buffer, offset: number): boolean;
}

type Statx = (directory: number, name: Uint8Array, flags: number, mask: number, out: Buffer) => number;

const AT_SYMLINK_NOFOLLOW = 0x100;
const AT_NO_AUTOMOUNT = 0x800;
const AT_EMPTY_PATH = 0x1000;
const FLAGS = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_EMPTY_PATH;
const STATX_BASIC_STATS = 0x7ff;
/**
 * Byte ranges (from, to) of `struct statx`, equal on every architecture. The time of the last access is in no range.
 */
const PARTS = { namesToSize: [16, 48], times: [96, 128], device: [136, 144] } as const;
const STATX_BYTES = 256;
/** ENOENT, EACCES, ENOTDIR, ENAMETOOLONG, ELOOP: treated as missing. */
const GONE: ReadonlySet<number> = new Set([2, 13, 20, 36, 40]);

/** Offsets in a record. */
const NAMES = 0;
const OWNER = 4;
const MODE = 12;
const AFTER_INODE = 24;
const TIMES = 32;
const DEVICE = 64;
const KIND = 0o170000;
const DIRECTORY = 0o040000;

export async function loadEntryRecords(): Promise<EntryRecords> {
  const { default: koffi } = await import('koffi');
  const found: unknown = koffi.load(null).func('int statx(int, const uint8_t *, int, unsigned int, _Out_ uint8_t *)');
  const statx = found as Statx;
  const stat = Buffer.alloc(STATX_BYTES);
  return {
    read: (parent, name, into, offset) => {
      if (statx(parent, name, FLAGS, STATX_BASIC_STATS, stat) === 0) {
        stat.copy(into, offset, ...PARTS.namesToSize);
        stat.copy(into, offset + TIMES, ...PARTS.times);
        stat.copy(into, offset + DEVICE, ...PARTS.device);
        return true;
      }
      const errno = koffi.errno();
      if (!GONE.has(errno)) throw new Error(`an entry of the project cannot be read (errno ${errno})`);
      into.fill(0, offset, offset + RECORD_BYTES);
      return false;
    },
  };
}

export function isDirectoryRecord(record: Buffer, offset = 0): boolean {
  return (record.readUInt16LE(offset + MODE) & KIND) === DIRECTORY;
}

/** Whether the entry is not a directory and has other hard links, through which it can be changed. */
export function hasOtherNames(record: Buffer, offset: number): boolean {
  return record.readUInt32LE(offset + NAMES) > 1 && !isDirectoryRecord(record, offset);
}

/**
 * Keeps owner, mode and inode only: a directory's link count, size and times also change with entries that do not
 * count.
 */
export function withoutContents(record: Buffer, offset: number): void {
  record.fill(0, offset + NAMES, offset + OWNER);
  record.fill(0, offset + AFTER_INODE, offset + RECORD_BYTES);
}

export function deviceOf(record: Buffer): string {
  return record.toString('latin1', DEVICE, RECORD_BYTES);
}

/** The later of the times of the content and of the entry. */
export function changedMsOf(record: Buffer): number {
  const at = (offset: number): number =>
    Number(record.readBigInt64LE(offset)) * 1000 + record.readUInt32LE(offset + 8) / 1e6;
  return Math.max(at(TIMES), at(TIMES + 16));
}
