import { constants } from 'node:os';
import { loadRenameAt2 } from '../../fs/rename-at2.ts';

/**
 * Exchanges two names in one step: neither is missing for a moment, and the replaced file is kept and can be checked.
 * Returns false if the system or the file system cannot do it. Throws for every other failure.
 */
export type ExchangeNames = (a: string, b: string) => boolean;

const RENAME_EXCHANGE = 2;
const { ENOSYS, EINVAL, ENOTSUP, EPERM } = constants.errno;
const UNSUPPORTED: ReadonlySet<number> = new Set([ENOSYS, EINVAL, ENOTSUP, EPERM]);

/** Without such a function in the C library, names cannot be exchanged. */
export async function loadExchangeNames(): Promise<ExchangeNames> {
  const renameAt2 = await loadRenameAt2();
  if (renameAt2 === null) return () => false;
  return (a, b) => {
    const errno = renameAt2(a, b, RENAME_EXCHANGE);
    if (errno === 0) return true;
    if (UNSUPPORTED.has(errno)) return false;
    throw new Error(`${a} and ${b} could not change places (errno ${errno})`);
  };
}
