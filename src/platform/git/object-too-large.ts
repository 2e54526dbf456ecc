import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { ObjectId } from '../../contracts/ids.ts';

export const DEFAULT_MAX_OBJECT_BYTES = 64 * 1024 * 1024;

export function objectTooLarge(id: ObjectId, maxBytes: number): FluffyError {
  return new FluffyError({
    code: 'object_too_large',
    what: `Object ${id} of the repository is too large`,
    why: `it has more than ${maxBytes} bytes`,
    fix: 'Leave this file to git itself; fluffy does not work on files of this size.',
    exitCode: 1,
  });
}
