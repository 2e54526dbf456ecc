import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { ProjectDirs } from '../../contracts/host-layout.ts';
import { userDirs } from '../../contracts/host-layout.ts';
import type { Environment } from '../open-project.ts';
import { verifySigned } from './read-signed.ts';

/**
 * Called when the database was found empty: either it never had content, or it is lost. Throws FluffyError `database_lost` if the host has signed
 * records that are missing.
 */
export async function refuseLostDatabase(dirs: ProjectDirs, env: Environment): Promise<void> {
  const verdict = await verifySigned(userDirs(env), dirs);
  if (verdict.intact) return;
  throw new FluffyError({
    code: 'database_lost',
    what: 'The database of this project is lost or damaged: what is missing here was there once',
    why: verdict.first_bad?.reason ?? 'the host has signed records of its audit log that are not there',
    fix: `Restore ${dirs.database} from a copy of yours, or run fluffy audit reset to start with a new one; fluffy audit verify says which records are lost. Files and commits of the project are not affected`,
    exitCode: EXIT.auditBroken,
  });
}
