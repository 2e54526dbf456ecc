import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { fileStateSchema, sameState } from '../../../contracts/review/change-set.ts';
import type { FileChange } from '../../../contracts/review/change-set.ts';
import type { StepOutcome } from '../../../contracts/ports/merge-target.ts';
import { ancestors } from '../../../lib/ancestors.ts';
import { sha256Of } from '../../fs/file-content.ts';
import { isDirectory } from './made-directories.ts';
import { atPlace, placeOf } from './merge-place.ts';
import { backupDirectory } from './merge-site.ts';
import type { MergeSite } from './merge-site.ts';
import { ensureBackupDirectory, writeStateFile } from './operation-notes.ts';
import { entryState, lstatEntry, readEntry, withEntry } from './project-entry.ts';
import type { Entry } from './project-entry.ts';

const storedSchema = z.strictObject({
  /** File in the backup directory that holds the content. */
  stored: z.string(),
  mode: z.number().int(),
  mtime_seconds: z.number(),
  uid: z.number().int(),
  gid: z.number().int(),
});

const manifestSchema = z.strictObject({
  /** One for each change: what was there, and the temporary name of the new file. */
  paths: z.array(
    z.strictObject({
      path: z.string(),
      state: fileStateSchema,
      content: storedSchema.nullable(),
      temporary: z.string(),
    }),
  ),
  /** Content of loose ref files by ref; null if there was no file. */
  refs: z.record(z.string(), z.string().nullable()),
  /** Length of reflogs in bytes; null if there was no file. */
  reflogs: z.record(z.string(), z.number().int().nullable()),
  index: storedSchema.extend({ sha256: z.string() }).nullable(),
  message: storedSchema.nullable(),
});

export type BackupManifest = z.infer<typeof manifestSchema>;
export type BackedUpPath = BackupManifest['paths'][number];
export type StoredFile = z.infer<typeof storedSchema>;

const MANIFEST = 'manifest.json';

/**
 * Copies everything that the operation replaces into the state directory. The manifest is written last: with it the
 * backup is complete; without it nothing of the project has been changed yet.
 */
export function backUp(
  site: MergeSite,
  operation: string,
  changes: readonly FileChange[],
  refs: readonly string[],
): StepOutcome {
  const directory = ensureBackupDirectory(site, operation);
  if (existsSync(join(directory, MANIFEST))) return { kind: 'applied' };
  const store = (name: string, entry: Entry): StoredFile | null => storeFile(site, directory, name, entry);

  const paths: BackedUpPath[] = [];
  for (const [n, change] of changes.entries()) {
    let content: StoredFile | null = null;
    if (change.before.kind === 'file') {
      content = withEntry(site.root, change.path, (entry) => {
        const stored = store(`file-${n}`, entry);
        return stored !== null && sameState(entryStateOrAbsent(entry), change.before) ? stored : null;
      });
      if (content === null)
        return { kind: 'conflict', paths: [change.path], reason: 'it changed while it was backed up' };
    }
    const holder = ancestors(change.path).findLast((ancestor) => isDirectory(site, ancestor));
    const temporary = `${holder === undefined ? '' : `${holder}/`}.fluffy-${operation}-${n}`;
    paths.push({ path: change.path, state: change.before, content, temporary });
  }
  const index = atPlace(placeOf(site, '.git/index'), (entry) => store('index', entry));
  const manifest: BackupManifest = {
    paths,
    refs: Object.fromEntries(refs.map((ref) => [ref, looseRef(site, ref)])),
    reflogs: Object.fromEntries(['HEAD', ...refs].map((ref) => [ref, reflogSize(site, ref)])),
    index: index === null ? null : { ...index, sha256: sha256Of(readFileSync(join(directory, index.stored))) },
    message: atPlace(placeOf(site, '.git/COMMIT_EDITMSG'), (entry) => store('message', entry)),
  };
  writeStateFile(site, join(directory, MANIFEST), Buffer.from(JSON.stringify(manifest)));
  return { kind: 'applied' };
}

/** null if the operation did not reach the backup. */
export function readManifest(site: MergeSite, operation: string): BackupManifest | null {
  const path = join(backupDirectory(site, operation), MANIFEST);
  if (!existsSync(path)) return null;
  return manifestSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
}

/** For steps that come after the backup. Throws if there is no backup. */
export function requireManifest(site: MergeSite, operation: string): BackupManifest {
  const manifest = readManifest(site, operation);
  if (manifest === null) throw new Error(`operation ${operation} has no backup`);
  return manifest;
}

export function storedContent(site: MergeSite, operation: string, file: StoredFile): Buffer {
  return readFileSync(join(backupDirectory(site, operation), file.stored));
}

export async function forgetBackup(site: MergeSite, operation: string): Promise<void> {
  await rm(backupDirectory(site, operation), { recursive: true, force: true });
}

function storeFile(site: MergeSite, directory: string, name: string, entry: Entry): StoredFile | null {
  const stat = lstatEntry(entry);
  if (stat === null || !stat.isFile()) return null;
  writeStateFile(site, join(directory, name), readEntry(entry.path));
  return {
    stored: name,
    mode: Number(stat.mode & 0o7777n),
    mtime_seconds: Number(stat.mtimeNs) / 1e9,
    uid: Number(stat.uid),
    gid: Number(stat.gid),
  };
}

function entryStateOrAbsent(entry: Entry): BackedUpPath['state'] {
  const state = entryState(entry);
  return state.kind === 'special' ? { kind: 'absent' } : state;
}

function looseRef(site: MergeSite, ref: string): string | null {
  return atPlace(placeOf(site, `.git/${ref}`), (entry) =>
    lstatEntry(entry)?.isFile() === true ? readEntry(entry.path).toString('latin1') : null,
  );
}

function reflogSize(site: MergeSite, log: string): number | null {
  return atPlace(placeOf(site, `.git/logs/${log}`), (entry) => {
    const stat = lstatEntry(entry);
    return stat?.isFile() === true ? Number(stat.size) : null;
  });
}
