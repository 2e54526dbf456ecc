/**
 * Makes two names change places in one step: neither is missing for a moment, and what was displaced is kept and can be looked
 * at. Answers false where the system or the file system cannot do it. Throws for every other failure.
 */
export type ExchangeNames = (a: string, b: string) => boolean;

type RenameAt2 = (
  oldDirectory: number,
  oldPath: string,
  newDirectory: number,
  newPath: string,
  flags: number,
) => number;

/** Linux's `renameat2`. Absolute paths are not relative to any directory: the first and third argument do not count. */
const AT_FDCWD = -100;
const RENAME_EXCHANGE = 2;
const UNSUPPORTED = ['ENOSYS', 'EINVAL', 'ENOTSUP', 'EPERM'] as const;

/** Reaches the C library's call, for which Node has none. Where there is none at all, names cannot be exchanged. */
export async function loadExchangeNames(): Promise<ExchangeNames> {
  const { default: koffi } = await import('koffi');
  let found: unknown;
  try {
    found = koffi.load(null).func('int renameat2(int, const char *, int, const char *, unsigned int)');
  } catch {
    return () => false;
  }
  const renameAt2 = found as RenameAt2;
  const unsupported = new Set(UNSUPPORTED.map((name) => koffi.os.errno[name]));
  return (a, b) => {
    if (renameAt2(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE) === 0) return true;
    const errno = koffi.errno();
    if (unsupported.has(errno)) return false;
    throw new Error(`${a} and ${b} could not change places (errno ${errno})`);
  };
}
