import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { ObjectId } from '../../contracts/ids.ts';
import type { StoredObject } from '../../contracts/ports/repository.ts';

const CHECK = 'Check the repository with `git fsck`, and the permissions of its .git directory.';
const RESTORE =
  'See with `git fsck --full` what else is missing. Fetch it from a remote (`git fetch --refetch`), or work in a new clone.';

/** An error for a file of the repository that is damaged, or that the system does not let us read. */
export function repositoryUnreadable(path: string, why: string, cause?: unknown, fix = CHECK): FluffyError {
  return new FluffyError({
    code: 'repository_unreadable',
    what: `The repository cannot be read: ${path}`,
    why,
    fix,
    exitCode: EXIT.usage,
    cause,
  });
}

/** An error for an object that the repository must have, of type `wanted`. */
export function objectUnreadable(id: ObjectId, found: StoredObject | null, wanted: StoredObject['type']): FluffyError {
  const why = found === null ? 'it is missing' : `it is not a ${found.type === wanted ? 'well-formed ' : ''}${wanted}`;
  return repositoryUnreadable(`${wanted} ${id}`, why, undefined, RESTORE);
}
