import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { GitDirectories } from '../../../contracts/git-directories.ts';
import type { MergeStep } from '../../../contracts/review/merge-plan.ts';
import type { MergeTarget, StepOutcome } from '../../../contracts/ports/merge-target.ts';
import { gitFile } from '../../../lib/git/git-directories.ts';
import { assertNever } from '../../../lib/assert-never.ts';
import { openObjectDatabase } from '../object-database.ts';
import { preparedObjectsDirectory } from '../prepared-objects.ts';
import { readRepositorySettings } from '../repository-format.ts';
import { addObjects, removeAddedObjects } from './add-objects.ts';
import { backUp, forgetBackup } from './backup.ts';
import { checkProject } from './check-project.ts';
import { Disk } from './disk.ts';
import type { FileOwner } from './disk.ts';
import { loadExchangeNames } from './exchange-names.ts';
import type { ExchangeNames } from './exchange-names.ts';
import { appendReflog, restoreMessage, revertRef, revertReflog, updateRef, writeMessage } from './git-files.ts';
import { releaseLocks, revertLocks, takeLocks } from './git-locks.ts';
import type { MergeSite } from './merge-site.ts';
import { placeFiles, unplaceFiles } from './place-files.ts';
import { PathBlocked } from './project-entry.ts';
import { publishFiles, unpublishFiles } from './publish-files.ts';
import { removeFiles, restoreRemoved } from './remove-files.ts';
import { restoreIndex, revertIndex, updateIndex } from './update-index.ts';

export interface MergeTargetOptions {
  /** The project's real path. */
  readonly root: string;
  readonly git: GitDirectories;
  /** The kernel's state directory; it contains backups and prepared objects. */
  readonly state: string;
  /** Owner of everything that a merge creates: the owner of the project. */
  readonly owner: FileOwner;
  /** The user's umask, for new files and directories. */
  readonly umask: number;
  readonly disk?: Disk;
  /** Default: the system's function. */
  readonly exchangeNames?: ExchangeNames;
  /** Default: real time. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

const LOCK_ATTEMPTS = 50;
const LOCK_PAUSE_MS = 100;

/** The project and its repository, as a merge writes them. Runs no program, follows no link out of the project. */
export function openMergeTarget(options: MergeTargetOptions): MergeTarget {
  let opening: Promise<MergeSite> | undefined;
  const { pause = setTimeout } = options;
  const open = (): Promise<MergeSite> => (opening ??= openSite(options));
  return {
    async apply(operation, step) {
      try {
        if (step.kind === 'lock') return await patientLocks(await open(), operation, step.refs, pause);
        return await applyStep(await open(), operation, step);
      } catch (error) {
        if (!(error instanceof PathBlocked)) throw error;
        return { kind: 'conflict', paths: [error.path], reason: 'a link or a file is where a directory was' };
      }
    },
    revert: async (operation, step) => revertStep(await open(), operation, step),
    forget: async (operation) => forgetBackup(await open(), operation),
  };
}

/**
 * Other programs hold a lock for some milliseconds, so an approved commit waits for them. Locks that were already taken
 * are kept.
 */
async function patientLocks(
  site: MergeSite,
  operation: string,
  refs: readonly string[],
  pause: (ms: number) => Promise<unknown>,
): Promise<StepOutcome> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = takeLocks(site, operation, refs);
    if (outcome.kind === 'applied' || attempt === LOCK_ATTEMPTS) return outcome;
    await pause(LOCK_PAUSE_MS);
  }
}

async function openSite(options: MergeTargetOptions): Promise<MergeSite> {
  return {
    root: options.root,
    git: options.git,
    backups: join(options.state, 'backups'),
    owner: options.owner,
    umask: options.umask,
    disk: options.disk ?? new Disk(),
    exchangeNames: options.exchangeNames ?? (await loadExchangeNames()),
    async readObject(id, session, maxBytes) {
      const prepared = session === null ? [] : [preparedObjectsDirectory(options.state, session)];
      for (const directory of [gitFile(options.git, 'objects'), ...prepared]) {
        const database = openObjectDatabase(directory);
        const object = await database.read(id, maxBytes).finally(() => database.close());
        if (object !== null) return object;
      }
      return null;
    },
  };
}

async function applyStep(site: MergeSite, operation: string, step: MergeStep): Promise<StepOutcome> {
  switch (step.kind) {
    case 'lock':
      return takeLocks(site, operation, step.refs);
    case 'check':
      return checkProject(site, step);
    case 'back-up':
      return backUp(site, operation, step.changes, step.refs);
    case 'add-objects':
      return addObjects(site, operation, step);
    case 'place':
      return placeFiles(site, operation, step);
    case 'remove':
      return removeFiles(site, operation, step);
    case 'publish':
      return publishFiles(site, operation, step);
    case 'update-ref':
      return updateRef(site, operation, step);
    case 'append-reflog':
      return appendReflog(site, operation, step, (await readRepositorySettings(site.git)).createReflogs);
    case 'update-index':
      return updateIndex(site, operation, step);
    case 'restore-index':
      return restoreIndex(site, operation, step);
    case 'write-message':
      return writeMessage(site, operation, step.text);
    case 'restore-message':
      return restoreMessage(site, operation, step.operation);
    case 'unlock':
      releaseLocks(site, operation, step.refs);
      return { kind: 'applied' };
    default:
      return assertNever(step);
  }
}

async function revertStep(site: MergeSite, operation: string, step: MergeStep): Promise<readonly string[]> {
  switch (step.kind) {
    case 'lock':
      revertLocks(site, operation, step.refs);
      return [];
    case 'check':
    case 'back-up':
    case 'unlock':
      return [];
    case 'add-objects':
      removeAddedObjects(site, operation);
      return [];
    case 'place':
      unplaceFiles(site, operation);
      return [];
    case 'remove':
      return restoreRemoved(site, operation, step);
    case 'publish':
      return unpublishFiles(site, operation, step);
    case 'update-ref':
      return revertRef(site, operation, step);
    case 'append-reflog':
      revertReflog(site, operation, step);
      return [];
    case 'update-index':
    case 'restore-index':
      return revertIndex(site, operation, step.edits);
    case 'write-message':
    case 'restore-message':
      restoreMessage(site, operation, operation);
      return [];
    default:
      return assertNever(step);
  }
}
