import { readdirSync } from 'node:fs';
import { z } from 'zod';
import type { FileChange } from '../../../contracts/review/change-set.ts';
import type { MergeStepOf } from '../../../contracts/review/merge-plan.ts';
import type { StepOutcome } from '../../../contracts/ports/merge-target.ts';
import { ancestors } from '../../../lib/ancestors.ts';
import { errnoOf } from '../../fs/descriptors.ts';
import { readManifest, requireManifest } from './backup.ts';
import { isDirectory, syncDirectories } from './made-directories.ts';
import type { MergeSite } from './merge-site.ts';
import { addNote, readNote } from './operation-notes.ts';
import { entryState, lstatEntry, stateAt, withEntry, withNewEntry } from './project-entry.ts';
import type { Entry } from './project-entry.ts';
import { matches, parents } from './publish-files.ts';
import { restoreFile } from './restore-file.ts';

type RemoveStep = MergeStepOf<'remove'>;

const NOTE = 'removed-directories';
const removedSchema = z.strictObject({ path: z.string(), mode: z.number().int() });

/** Deletes unchanged files and links, then directories. A missing file counts as deleted. */
export function removeFiles(site: MergeSite, operation: string, step: RemoveStep): StepOutcome {
  const manifest = requireManifest(site, operation);
  for (const change of step.files) {
    const { path } = change;
    const temporary = manifest.paths.find((backedUp) => backedUp.path === path)?.temporary;
    if (temporary === undefined) throw new Error(`${path} has no backup`);
    if (!removeFile(site, change, temporary)) {
      return { kind: 'conflict', paths: [path], reason: 'it was changed during the merge' };
    }
  }
  for (const directory of step.directories) {
    const inTheWay = removeDirectoryTree(site, operation, directory);
    if (inTheWay !== null) return { kind: 'conflict', paths: [inTheWay], reason: `${directory} is no longer empty` };
  }
  removeEmptied(site, operation, step);
  syncDirectories(site, parents(step.files));
  return { kind: 'applied' };
}

/** Returns the paths where somebody has put something else meanwhile. */
export function restoreRemoved(site: MergeSite, operation: string, step: RemoveStep): string[] {
  const manifest = readManifest(site, operation);
  for (const line of readNote(site, operation, NOTE).reverse()) {
    const { path, mode } = removedSchema.parse(JSON.parse(line));
    withEntry(site.root, path, (entry) => {
      if (lstatEntry(entry) === null) site.disk.makeDirectory(entry.path, { mode, owner: site.owner });
    });
  }
  const left: string[] = [];
  for (const change of step.files) {
    const backedUp = manifest?.paths.find(({ path }) => path === change.path);
    if (backedUp === undefined) continue;
    withEntry(site.root, backedUp.temporary, (aside) => {
      if (lstatEntry(aside) !== null) withEntry(site.root, change.path, (entry) => putBack(site, aside, entry));
    });
    const found = stateAt(site.root, change.path);
    if (matches(found, change.before)) continue;
    if (found.kind !== 'absent' || !restoreFile(site, operation, backedUp, 'add')) left.push(change.path);
  }
  syncDirectories(site, parents(step.files));
  return left;
}

/**
 * Renames the file to the temporary name first, and only then checks it finally: a change that somebody saved in the
 * last moment is found and put back.
 */
function removeFile(site: MergeSite, { path, before }: FileChange, temporary: string): boolean {
  const removed = withEntry(site.root, path, (entry) =>
    withNewEntry(site.root, temporary, (aside) => {
      if (lstatEntry(aside) === null) {
        const found = entryState(entry);
        if (found.kind === 'absent') return true;
        if (!matches(found, before)) return false;
        site.disk.rename(entry.path, aside.path);
      }
      if (!matches(entryState(aside), before)) {
        putBack(site, aside, entry);
        return false;
      }
      site.disk.unlink(aside.path);
      return true;
    }),
  );
  return removed ?? true;
}

/** Returns false, and keeps the file under its temporary name, if something else is at the path now. */
function putBack(site: MergeSite, aside: Entry, entry: Entry): boolean {
  try {
    site.disk.link(aside.path, entry.path);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
  site.disk.unlink(aside.path);
  return true;
}

/** Removes emptied directories, as git does. A directory that gets new files is kept. */
function removeEmptied(site: MergeSite, operation: string, step: RemoveStep): void {
  const kept = new Set(step.kept.flatMap(ancestors));
  const emptied = new Set(step.files.flatMap(({ path }) => ancestors(path)));
  for (const directory of [...emptied].sort((a, b) => b.length - a.length)) {
    if (!kept.has(directory) && isDirectory(site, directory)) removeDirectory(site, operation, directory);
  }
}

/** Removes a directory that contains only empty directories. Returns the first path that prevents it, or null. */
function removeDirectoryTree(site: MergeSite, operation: string, path: string): string | null {
  if (!isDirectory(site, path)) return null;
  const names = withEntry(site.root, path, (entry) => readdirSync(entry.path)) ?? [];
  for (const name of names) {
    const child = `${path}/${name}`;
    if (!isDirectory(site, child)) return child;
    const inTheWay = removeDirectoryTree(site, operation, child);
    if (inTheWay !== null) return inTheWay;
  }
  return removeDirectory(site, operation, path) ? null : path;
}

function removeDirectory(site: MergeSite, operation: string, path: string): boolean {
  return (
    withEntry(site.root, path, (entry) => {
      const stat = lstatEntry(entry);
      if (stat === null) return true;
      if (readdirSync(entry.path).length > 0) return false;
      addNote(site, operation, NOTE, [JSON.stringify({ path, mode: Number(stat.mode & 0o7777n) })]);
      site.disk.removeDirectory(entry.path);
      return true;
    }) ?? true
  );
}
