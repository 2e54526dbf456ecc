/** Renames one absolute path to another, as `flags` say. Returns the error number; 0 on success. */
export type RenameAt2 = (from: string, to: string, flags: number) => number;

type Native = (oldDirectory: number, oldPath: string, newDirectory: number, newPath: string, flags: number) => number;

/** For absolute paths: the first and third argument are ignored. */
const AT_FDCWD = -100;

/** Loads Linux's `renameat2`, for which Node has no function; null if the C library lacks it too. */
export async function loadRenameAt2(): Promise<RenameAt2 | null> {
  const { default: koffi } = await import('koffi');
  let found: unknown;
  try {
    found = koffi.load(null).func('int renameat2(int, const char *, int, const char *, unsigned int)');
  } catch {
    return null;
  }
  const native = found as Native;
  return (from, to, flags) => (native(AT_FDCWD, from, AT_FDCWD, to, flags) === 0 ? 0 : koffi.errno());
}
