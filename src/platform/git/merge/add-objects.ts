import { dirname } from 'node:path';
import type { MergeStepOf } from '../../../contracts/review/merge-plan.ts';
import type { ObjectId } from '../../../contracts/ids.ts';
import type { StepOutcome } from '../../../contracts/ports/merge-target.ts';
import { encodeLooseObject } from '../../../lib/git/loose-object.ts';
import { hashObject } from '../../../lib/git/object-id.ts';
import { errnoOf } from '../../fs/descriptors.ts';
import { looseObjectName } from '../object-database.ts';
import { makeDirectories, syncDirectories } from './made-directories.ts';
import { atNewPlace, atPlace, placeOf } from './merge-place.ts';
import type { MergeSite } from './merge-site.ts';
import { addNote, readNote } from './operation-notes.ts';
import { lstatEntry } from './project-entry.ts';

const NOTE = 'added-objects';
/** More than the largest file that a sandbox may write. */
const MAX_ADDED_BYTES = 512 * 1024 * 1024;
/** As git does: objects are read-only. */
const OBJECT_MODE = 0o444;
/**
 * A time, in whole seconds, that no other program gives a file. When git gets the same content again, it finds the
 * object and updates its time: then the object is in use and is not removed.
 */
const MARK_SECONDS = 1_000_000_000;

/** Writes the objects that the repository lacks, each completely or not at all, never over an existing one. */
export async function addObjects(
  site: MergeSite,
  operation: string,
  step: MergeStepOf<'add-objects'>,
): Promise<StepOutcome> {
  for (const id of readNote(site, operation, NOTE)) removeTemporary(site, operation, id);
  const missing: ObjectId[] = [];
  for (const id of step.ids) {
    if ((await site.readObject(id, null, MAX_ADDED_BYTES)) === null) missing.push(id);
  }
  addNote(site, operation, NOTE, missing);
  makeDirectories(
    site,
    operation,
    missing.map((id) => dirname(objectPath(id))),
  );
  for (const id of missing) {
    const object = await site.readObject(id, step.session, MAX_ADDED_BYTES);
    if (object === null || hashObject(object.type, object.content) !== id) throw new Error(`object ${id} is missing`);
    addObject(site, operation, id, encodeLooseObject(object));
  }
  syncDirectories(site, new Set(missing.map((id) => dirname(objectPath(id)))));
  return { kind: 'applied' };
}

export function removeAddedObjects(site: MergeSite, operation: string): void {
  for (const id of readNote(site, operation, NOTE)) {
    removeTemporary(site, operation, id);
    atPlace(placeOf(site, objectPath(id)), (entry) => {
      if (lstatEntry(entry)?.mtimeNs === BigInt(MARK_SECONDS) * 1_000_000_000n) site.disk.unlink(entry.path);
    });
  }
}

function removeTemporary(site: MergeSite, operation: string, id: string): void {
  atPlace(placeOf(site, temporaryPath(operation, id)), (entry) => {
    if (lstatEntry(entry) !== null) site.disk.unlink(entry.path);
  });
}

function addObject(site: MergeSite, operation: string, id: ObjectId, bytes: Buffer): void {
  atNewPlace(placeOf(site, temporaryPath(operation, id)), (from) => {
    if (lstatEntry(from) !== null) site.disk.unlink(from.path);
    site.disk.createFile(from.path, bytes, { mode: OBJECT_MODE, owner: site.owner, mtimeSeconds: MARK_SECONDS });
    atNewPlace(placeOf(site, objectPath(id)), (to) => {
      try {
        site.disk.link(from.path, to.path);
      } catch (error) {
        if (errnoOf(error) !== 'EEXIST') throw error;
      }
    });
    site.disk.unlink(from.path);
  });
}

function objectPath(id: string): string {
  return `.git/objects/${looseObjectName(id as ObjectId)}`;
}

/** A name that `git gc` recognises as abandoned. */
function temporaryPath(operation: string, id: string): string {
  return `.git/objects/${id.slice(0, 2)}/tmp_obj_${operation}_${id.slice(2, 10)}`;
}
