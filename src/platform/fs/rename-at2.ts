/** Moves one absolute path to another in the way that `flags` say. Answers the error number; 0: done. */
export type RenameAt2 = (from: string, to: string, flags: number) => number;

type Native = (oldDirectory: number, oldPath: string, newDirectory: number, newPath: string, flags: number) => number;

/** Absolute paths are not relative to any directory: the first and third argument do not count. */
const AT_FDCWD = -100;

/** Reaches Linux's `renameat2`, for which Node has no call. null: the C library has none either. */
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
