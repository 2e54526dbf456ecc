import { throughFd } from './descriptors.ts';

/** Whether an overlay directory hides what is below it. */
export interface OpaqueMarks {
  /** `directory` is a pinned directory of an upper or staging layer. */
  isOpaque(directory: number): boolean;
  /** Throws if the file system has no user attributes. */
  markOpaque(directory: number): void;
}

/** Written by an overlay mounted with `userxattr`; a kernel that is not root could not read `trusted.*`. */
const OPAQUE = 'user.overlay.opaque';
const YES = Buffer.from('y');

type GetXattr = (path: string, name: string, value: Buffer, size: number) => number;
type SetXattr = (path: string, name: string, value: Buffer, size: number, flags: number) => number;

/** Calls the C library, because Node has no functions for extended attributes. */
export async function loadOpaqueMarks(): Promise<OpaqueMarks> {
  const { default: koffi } = await import('koffi');
  const libc = koffi.load(null);
  const get: unknown = libc.func('int64_t getxattr(const char *, const char *, _Out_ uint8_t *, size_t)');
  const set: unknown = libc.func('int setxattr(const char *, const char *, const uint8_t *, size_t, int)');
  return opaqueMarks(get as GetXattr, set as SetXattr, () => koffi.errno());
}

function opaqueMarks(get: GetXattr, set: SetXattr, errno: () => number): OpaqueMarks {
  const value = Buffer.alloc(2);
  return {
    // A pinned descriptor can't be used directly (EBADF); its /proc entry refers to the same inode.
    isOpaque: (directory) => get(throughFd(directory), OPAQUE, value, value.length) === 1 && value[0] === YES[0],
    markOpaque: (directory) => {
      if (set(throughFd(directory), OPAQUE, YES, YES.length, 0) !== 0) {
        throw new Error(`the state directory's file system keeps no user attributes (errno ${errno()})`);
      }
    },
  };
}

/** Attributes of an entry that an overlay file system would treat as its own. */
export interface OverlayAttributes {
  /** The name of the first such attribute of the entry at `path`, without following links; null if there is none. */
  find(path: Buffer): string | null;
}

type ListXattr = (path: Buffer, list: Buffer, size: number) => number;

const OVERLAY = 'user.overlay.';
/** Linux lists at most this many bytes for one entry. */
const MAX_LIST_BYTES = 65_536;

export async function loadOverlayAttributes(): Promise<OverlayAttributes> {
  const { default: koffi } = await import('koffi');
  const found: unknown = koffi.load(null).func('int64_t llistxattr(const uint8_t *, _Out_ uint8_t *, size_t)');
  const listOf = found as ListXattr;
  const list = Buffer.alloc(MAX_LIST_BYTES);
  return {
    find: (path) => {
      const length = listOf(Buffer.concat([path, Buffer.from('\0')]), list, list.length);
      if (length <= 0) return null;
      const names = list.toString('utf8', 0, length).split('\0');
      return names.find((name) => name.startsWith(OVERLAY)) ?? null;
    },
  };
}
