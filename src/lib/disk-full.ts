import { EXIT } from '../contracts/exit-codes.ts';
import { FluffyError } from '../contracts/fluffy-error.ts';

/** Bytes that must stay free on the file system of the state directory: the database, its log and one operation need about this much. */
export const MIN_FREE_BYTES = 256 * 1024 * 1024;

const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL']);

/** Whether an error of the file system or the database says that no space is left. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && FULL.has(error.code);
}

/** `where`: a directory, in terms that its reader knows. */
export function diskFull(where: string, cause?: unknown): FluffyError {
  return new FluffyError({
    code: 'disk_full',
    what: `The disk of ${where} is full`,
    why: `fluffy stops before less than ${MIN_FREE_BYTES / 1024 / 1024} MiB are free: nothing is to be left half-written`,
    fix: 'Free some space there, then continue with fluffy --continue; decisions and staged work are kept',
    exitCode: EXIT.failed,
    cause,
  });
}
