import type { FileChange } from '../../../contracts/review/change-set.ts';
import type { MergeStepOf } from '../../../contracts/review/merge-plan.ts';
import type { StepOutcome } from '../../../contracts/ports/merge-target.ts';
import { sha256Of } from '../../fs/file-content.ts';
import { requireManifest, readManifest, storedContent } from './backup.ts';
import type { BackedUpPath } from './backup.ts';
import { newFileMode } from './merge-site.ts';
import type { MergeSite } from './merge-site.ts';
import type { FileAttributes } from './disk.ts';
import { lstatAt, lstatEntry, withEntry, withNewEntry } from './project-entry.ts';
import { removeHalfRestored } from './restore-file.ts';

type PlaceStep = MergeStepOf<'place'>;
type PlacedFile = PlaceStep['files'][number];

/**
 * Writes every new content under a temporary name, on the file system of its target: in the target's directory, or in
 * the nearest existing parent. A full disk shows here, before anything of the project has changed.
 */
export async function placeFiles(site: MergeSite, operation: string, step: PlaceStep): Promise<StepOutcome> {
  const manifest = requireManifest(site, operation);
  for (const file of step.files) {
    const backedUp = manifest.paths.find(({ path }) => path === file.change.path);
    if (backedUp === undefined) throw new Error(`${file.change.path} has no backup`);
    await placeFile(site, step.session, file, backedUp);
  }
  return { kind: 'applied' };
}

/** Removes files that were placed and not published, and the rest of an interrupted restore. */
export function unplaceFiles(site: MergeSite, operation: string): void {
  for (const backedUp of readManifest(site, operation)?.paths ?? []) {
    removeTemporary(site, backedUp.temporary);
    removeHalfRestored(site, backedUp);
  }
}

async function placeFile(
  site: MergeSite,
  session: PlaceStep['session'],
  { change, source }: PlacedFile,
  { temporary }: BackedUpPath,
): Promise<void> {
  removeTemporary(site, temporary);
  const { after } = change;
  if (after.kind === 'symlink') {
    withNewEntry(site.root, temporary, (entry) => site.disk.symlink(after.target, entry.path, site.owner));
    return;
  }
  if (after.kind !== 'file') throw new Error(`${change.path} has no content to place`);
  const { content, attributes } = await newContent(site, session, change, source);
  if (sha256Of(content) !== after.sha256)
    throw new Error(`the content prepared for ${change.path} differs from the reviewed content`);
  withNewEntry(site.root, temporary, (entry) => site.disk.createFile(entry.path, content, attributes));
}

async function newContent(
  site: MergeSite,
  session: PlaceStep['session'],
  change: FileChange,
  source: PlacedFile['source'],
): Promise<{ content: Buffer; attributes: FileAttributes }> {
  if (source.kind === 'backup') {
    const stored = requireManifest(site, source.operation).paths.find(({ path }) => path === change.path)?.content;
    if (stored === null || stored === undefined)
      throw new Error(`${change.path} is not in the backup of ${source.operation}`);
    const { mode, mtime_seconds: mtimeSeconds, uid, gid } = stored;
    return {
      content: storedContent(site, source.operation, stored),
      attributes: { mode, mtimeSeconds, owner: { uid, gid } },
    };
  }
  const size = change.after.kind === 'file' ? change.after.size : 0;
  const object = await site.readObject(source.id, session, size);
  if (object?.type !== 'blob') throw new Error(`the content of ${change.path} (object ${source.id}) is missing`);
  return { content: object.content, attributes: { mode: modeAfter(site, change), owner: site.owner } };
}

/** An existing file keeps its permissions, except for changed executable bits. */
function modeAfter(site: MergeSite, { path, after }: FileChange): number {
  const executable = after.kind === 'file' && after.executable;
  const stat = lstatAt(site.root, path);
  if (stat === null || !stat.isFile()) return newFileMode(site, executable);
  const mode = Number(stat.mode & 0o777n);
  if (((mode & 0o100) !== 0) === executable) return mode;
  // Executable by everyone who may read it, as after chmod +x with a usual umask.
  return executable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
}

function removeTemporary(site: MergeSite, temporary: string): void {
  withEntry(site.root, temporary, (entry) => {
    if (lstatEntry(entry) !== null) site.disk.unlink(entry.path);
  });
}
