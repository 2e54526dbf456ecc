import { join } from 'node:path';
import type { GitDirectories } from '../../../contracts/git-directories.ts';
import type { ObjectId, SessionId } from '../../../contracts/ids.ts';
import type { StoredObject } from '../../../contracts/ports/repository.ts';
import type { Disk, FileOwner } from './disk.ts';
import type { ExchangeNames } from './exchange-names.ts';

/** What the steps of a merge need. Paths are absolute. */
export interface MergeSite {
  readonly root: string;
  readonly git: GitDirectories;
  /** In the state directory: one directory of backups per operation. */
  readonly backups: string;
  /** Owner of created files; also the uid of this process, unless it is root. */
  readonly owner: FileOwner;
  /** For new files and directories; existing ones keep their permissions. */
  readonly umask: number;
  readonly disk: Disk;
  readonly exchangeNames: ExchangeNames;
  /** An object of the repository, or one that a session prepared; null if there is none. */
  readonly readObject: (id: ObjectId, session: SessionId | null, maxBytes: number) => Promise<StoredObject | null>;
}

export function backupDirectory(site: MergeSite, operation: string): string {
  return join(site.backups, operation);
}

export function newFileMode(site: MergeSite, executable: boolean): number {
  return (executable ? 0o777 : 0o666) & ~site.umask;
}

export function newDirectoryMode(site: MergeSite): number {
  return 0o777 & ~site.umask;
}
