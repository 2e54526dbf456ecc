import { dirname } from 'node:path';
import type { MergeStepOf } from '../../../contracts/review/merge-plan.ts';
import type { StepOutcome } from '../../../contracts/ports/merge-target.ts';
import { readRef } from '../refs.ts';
import { readManifest, requireManifest, storedContent } from './backup.ts';
import { makeDirectories, syncDirectories } from './made-directories.ts';
import { atNewPlace, atPlace, below, placeOf, scratchFor } from './merge-place.ts';
import { newFileMode } from './merge-site.ts';
import type { MergeSite } from './merge-site.ts';
import { lstatEntry, readEntry } from './project-entry.ts';

const APPLIED: StepOutcome = { kind: 'applied' };
const MESSAGE = '.git/COMMIT_EDITMSG';

interface GitFile {
  /** Name of the temporary file. */
  readonly scratch: 'index' | 'ref' | 'message';
  /** Relative to the project root. */
  readonly path: string;
  readonly content: Uint8Array;
  /** Default: the mode of the old file, or of a new one. */
  readonly mode?: number;
}

/**
 * Writes a file of `.git` through the operation's own directory there: other programs see the old content or the new.
 */
export function replaceGitFile(site: MergeSite, operation: string, file: GitFile): void {
  const { scratch, path, content, mode } = file;
  atNewPlace(below(scratchFor(site, operation, path), scratch), (from) => {
    if (lstatEntry(from) !== null) site.disk.unlink(from.path);
    atNewPlace(placeOf(site, path), (to) => {
      const old = lstatEntry(to);
      const kept = old?.isFile() === true ? Number(old.mode & 0o777n) : newFileMode(site, false);
      site.disk.createFile(from.path, content, { mode: mode ?? kept, owner: site.owner });
      site.disk.rename(from.path, to.path);
      site.disk.syncDirectory(to.directory);
    });
  });
}

/** Moves a ref whose lock is held, if it is unchanged. */
export async function updateRef(
  site: MergeSite,
  operation: string,
  { ref, from, to }: MergeStepOf<'update-ref'>,
): Promise<StepOutcome> {
  const found = await readRef(site.git, ref);
  if (found === to) return APPLIED;
  if (found !== from) return { kind: 'conflict', paths: [ref], reason: 'the branch has moved' };
  makeDirectories(site, operation, [dirname(`.git/${ref}`)]);
  replaceGitFile(site, operation, { scratch: 'ref', path: `.git/${ref}`, content: Buffer.from(`${to}\n`) });
  return APPLIED;
}

/** Moves a ref back to its exact old text, or to being packed only. */
export async function revertRef(
  site: MergeSite,
  operation: string,
  { ref, from, to }: MergeStepOf<'update-ref'>,
): Promise<string[]> {
  const manifest = readManifest(site, operation);
  const found = await readRef(site.git, ref);
  if (manifest === null || found === from) return [];
  if (found !== to) return [ref];
  const text = manifest.refs[ref];
  const path = `.git/${ref}`;
  if (text !== null && text !== undefined) {
    replaceGitFile(site, operation, { scratch: 'ref', path, content: Buffer.from(text, 'latin1') });
  } else {
    atPlace(placeOf(site, path), (entry) => {
      if (lstatEntry(entry) !== null) site.disk.unlink(entry.path);
    });
    syncDirectories(site, [dirname(path)]);
  }
  return [];
}

/** Adds the line once. A missing reflog is created only where git would create it. */
export function appendReflog(
  site: MergeSite,
  operation: string,
  { log, line }: MergeStepOf<'append-reflog'>,
  createReflogs: boolean,
): StepOutcome {
  const path = `.git/logs/${log}`;
  const before = requireManifest(site, operation).reflogs[log] ?? null;
  if (before === null && !createReflogs) return APPLIED;
  if (before === null) makeDirectories(site, operation, [dirname(path)]);
  const bytes = Buffer.from(line);
  atNewPlace(placeOf(site, path), (entry) => {
    const stat = lstatEntry(entry);
    if (stat === null) {
      site.disk.createFile(entry.path, bytes, { mode: newFileMode(site, false), owner: site.owner });
      site.disk.syncDirectory(entry.directory);
      return;
    }
    const length = before ?? 0;
    const tail = readEntry(entry.path).subarray(length);
    if (tail.equals(bytes)) return;
    // A crash cut the line short: no other program writes here while the ref is locked.
    if (tail.length > 0 && bytes.subarray(0, tail.length).equals(tail)) site.disk.truncate(entry.path, length);
    site.disk.append(entry.path, bytes);
  });
  return APPLIED;
}

export function revertReflog(site: MergeSite, operation: string, { log, line }: MergeStepOf<'append-reflog'>): void {
  const manifest = readManifest(site, operation);
  if (manifest === null) return;
  const before = manifest.reflogs[log] ?? null;
  atPlace(placeOf(site, `.git/logs/${log}`), (entry) => {
    if (lstatEntry(entry) === null) return;
    const bytes = readEntry(entry.path);
    const tail = bytes.subarray(before ?? 0);
    // Removes only our line, or the beginning of it.
    if (!Buffer.from(line).subarray(0, tail.length).equals(tail)) return;
    if (before === null) site.disk.unlink(entry.path);
    else if (tail.length > 0) site.disk.truncate(entry.path, before);
  });
}

export function writeMessage(site: MergeSite, operation: string, text: string): StepOutcome {
  replaceGitFile(site, operation, { scratch: 'message', path: MESSAGE, content: Buffer.from(text) });
  return APPLIED;
}

/** Restores COMMIT_EDITMSG from the backup of `source`; `operation` is the one in progress. */
export function restoreMessage(site: MergeSite, operation: string, source: string): StepOutcome {
  const manifest = readManifest(site, source);
  if (manifest === null) return APPLIED;
  const { message } = manifest;
  if (message !== null) {
    const content = storedContent(site, source, message);
    replaceGitFile(site, operation, { scratch: 'message', path: MESSAGE, content, mode: message.mode });
  } else {
    atPlace(placeOf(site, MESSAGE), (entry) => {
      if (lstatEntry(entry) !== null) site.disk.unlink(entry.path);
    });
  }
  return APPLIED;
}
