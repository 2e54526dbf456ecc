import type { BigIntStats } from 'node:fs';
import type { MergeStepOf } from '../../../contracts/review/merge-plan.ts';
import type { ObjectId } from '../../../contracts/ids.ts';
import type { StepOutcome } from '../../../contracts/ports/merge-target.ts';
import { fromByteString, toByteString } from '../../../lib/git/byte-string.ts';
import { EMPTY_INDEX, encodeIndex, parseIndex } from '../../../lib/git/git-index.ts';
import type { GitIndex, IndexEntry, IndexStat } from '../../../lib/git/git-index.ts';
import { hashObject } from '../../../lib/git/object-id.ts';
import { MODE } from '../../../lib/git/tree.ts';
import { editIndex, racyEntries, UNKNOWN_STAT, unsettle } from '../../../lib/git/update-index.ts';
import type { IndexEdit } from '../../../lib/git/update-index.ts';
import { sha256Of } from '../../fs/file-content.ts';
import { readManifest, storedContent } from './backup.ts';
import { indexStat } from '../index-stat.ts';
import { replaceGitFile } from './git-files.ts';
import { atPlace, placeOf } from './merge-place.ts';
import type { MergeSite } from './merge-site.ts';
import { addNote, readNote } from './operation-notes.ts';
import { lstatEntry, PathBlocked, readEntry, withEntry } from './project-entry.ts';
import { readlinkSync } from 'node:fs';

const INDEX = '.git/index';
const NOTE = 'written-index';
const APPLIED: StepOutcome = { kind: 'applied' };
/** A larger racy file is left for git to compare. */
const MAX_COMPARED_BYTES = 16 * 1024 * 1024;

export type CurrentIndex =
  | { readonly kind: 'ok'; readonly index: GitIndex; readonly bytes: Buffer | null; readonly mtimeSeconds: number }
  | { readonly kind: 'unusable'; readonly reason: string };

/** The repository's present index; a missing one counts as empty, as for git. */
export function readCurrentIndex(site: MergeSite): CurrentIndex {
  const found = atPlace(placeOf(site, INDEX), (entry) => {
    const stat = lstatEntry(entry);
    return stat === null ? null : { bytes: readEntry(entry.path), mtimeSeconds: Number(stat.mtimeNs / 1_000_000_000n) };
  });
  if (found === null) return { kind: 'ok', index: EMPTY_INDEX, bytes: null, mtimeSeconds: 0 };
  const parsed = parseIndex(found.bytes);
  switch (parsed.kind) {
    case 'ok':
      return { kind: 'ok', index: parsed.index, ...found };
    case 'unsupported':
      return { kind: 'unusable', reason: `the index uses a feature that is not understood: ${parsed.what}` };
    case 'corrupt':
      return { kind: 'unusable', reason: `the index is damaged: ${parsed.reason}` };
  }
}

/** Sets the entries of these paths for the files of the merge. All other entries keep their meaning and their flags. */
export function updateIndex(site: MergeSite, operation: string, step: MergeStepOf<'update-index'>): StepOutcome {
  const current = readCurrentIndex(site);
  if (current.kind === 'unusable') return { kind: 'conflict', paths: [INDEX], reason: current.reason };
  const edits = step.edits.map(({ path, entry, file }): IndexEdit => ({
    path,
    entry: entry === null ? null : { ...entry, stat: settledStat(site, path, entry.mode, file ?? entry.id) },
  }));
  writeIndex(site, operation, editIndex(settle(site, current), edits));
  return APPLIED;
}

/**
 * Restores the entries that the paths had before `step.operation`. If the index is still exactly the file that
 * operation wrote, the old file is restored exactly.
 */
export function restoreIndex(site: MergeSite, operation: string, step: MergeStepOf<'restore-index'>): StepOutcome {
  const reason = restoreEntries(site, operation, step.operation, step.edits);
  return reason === null ? APPLIED : { kind: 'conflict', paths: [INDEX], reason };
}

/** Like `restoreIndex`, for the operation in progress. */
export function revertIndex(site: MergeSite, operation: string, edits: MergeStepOf<'update-index'>['edits']): string[] {
  return readManifest(site, operation) === null || restoreEntries(site, operation, operation, edits) === null
    ? []
    : [INDEX];
}

function restoreEntries(
  site: MergeSite,
  operation: string,
  source: string,
  edits: MergeStepOf<'update-index'>['edits'],
): string | null {
  const manifest = readManifest(site, source);
  const current = readCurrentIndex(site);
  if (current.kind === 'unusable') return current.reason;
  const now = current.bytes === null ? null : sha256Of(current.bytes);
  const before = manifest?.index ?? null;
  if (now === (before?.sha256 ?? null)) return null;
  const ours = readNote(site, source, NOTE).at(-1);
  if (now === ours) {
    if (before !== null) {
      const content = storedContent(site, source, before);
      replaceGitFile(site, operation, { scratch: 'index', path: INDEX, content, mode: before.mode });
    } else atPlace(placeOf(site, INDEX), (entry) => site.disk.unlink(entry.path));
    return null;
  }
  const parsed = before === null ? null : parseIndex(storedContent(site, source, before));
  const old = parsed?.kind === 'ok' ? parsed.index : EMPTY_INDEX;
  const restored = edits.map(({ path }): IndexEdit => {
    const name = toByteString(path);
    const entry = old.entries.find((found) => found.path === name && found.stage === 0);
    return { path, entry: entry === undefined ? null : { mode: entry.mode, id: entry.id, stat: UNKNOWN_STAT } };
  });
  writeIndex(site, operation, editIndex(settle(site, current), restored));
  return null;
}

function writeIndex(site: MergeSite, operation: string, index: GitIndex): void {
  const bytes = encodeIndex(index);
  addNote(site, operation, NOTE, [sha256Of(bytes)]);
  replaceGitFile(site, operation, { scratch: 'index', path: INDEX, content: bytes });
}

/**
 * The file's stat, if its content equals the blob before and after the check; otherwise a stat that makes git compare
 * the file. Without this, an edit right after the merge could look unchanged.
 */
function settledStat(site: MergeSite, path: string, mode: number, id: ObjectId): IndexStat {
  const look = withPath(site, path, (found) => found);
  if (look === null || look.id !== id) return UNKNOWN_STAT;
  const isLink = mode === MODE.symlink;
  return look.stat.isSymbolicLink() === isLink ? indexStat(look.stat) : UNKNOWN_STAT;
}

/** Entries written in the same second as the index prove nothing: they are compared now, or left for git to compare. */
function settle(site: MergeSite, current: Extract<CurrentIndex, { kind: 'ok' }>): GitIndex {
  const racy = racyEntries(current.index, current.mtimeSeconds);
  const doubtful = racy.filter((entry) => !isUnchanged(site, entry));
  return unsettle(current.index, new Set(doubtful));
}

function isUnchanged(site: MergeSite, entry: IndexEntry): boolean {
  if (entry.mode === MODE.gitlink || entry.stat.size > MAX_COMPARED_BYTES) return false;
  const path = fromByteString(entry.path);
  if (toByteString(path) !== entry.path) return false;
  return withPath(site, path, ({ id }) => id === entry.id) ?? false;
}

/**
 * The content's object id, and a stat that was equal before and after reading it; null if the file is gone or changes.
 */
function withPath<T>(
  site: MergeSite,
  path: string,
  use: (found: { readonly id: ObjectId; readonly stat: BigIntStats }) => T,
): T | null {
  try {
    return withEntry(site.root, path, (entry) => {
      const before = lstatEntry(entry);
      if (before === null || !(before.isFile() || before.isSymbolicLink())) return null;
      const content = before.isFile() ? readEntry(entry.path) : readlinkSync(entry.path, { encoding: 'buffer' });
      const after = lstatEntry(entry);
      if (
        after === null ||
        after.ino !== before.ino ||
        after.mtimeNs !== before.mtimeNs ||
        after.size !== before.size
      ) {
        return null;
      }
      return use({ id: hashObject('blob', content), stat: after });
    });
  } catch (error) {
    if (error instanceof PathBlocked) return null;
    throw error;
  }
}
