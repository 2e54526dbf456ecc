import { closeSync, constants, fsyncSync, openSync } from 'node:fs';
import type { SessionId } from '../../../contracts/ids.ts';
import { pinRoot, throughFd } from '../descriptors.ts';
import { makeDirectory } from '../make-directory.ts';

/**
 * Where one session's staged work lies, under the state directory:
 *   staging/<session>/               the layer itself, in overlay format: later sandboxes mount it beneath their scratch
 *   staging/<session>.base/          ours alone, never mounted
 *     index.jsonl, blobs/<sha256>    what each path was when first staged
 *     journal.json                   a change of several steps that is under way
 *     tmp/, trash/                   files on their way in, entries on their way out; both on the layer's file system
 */
export interface StagingDirectories {
  readonly layer: number;
  readonly base: number;
  readonly blobs: number;
  readonly tmp: number;
  readonly trash: number;
}

export const JOURNAL_FILE = 'journal.json';
export const INDEX_FILE = 'index.jsonl';
const BASE_SUFFIX = '.base';

/** Creates missing directories and pins all of them; `closeStaging` releases them. */
export function openStaging(stateDir: string, session: SessionId): StagingDirectories {
  const layer = `${stateDir}/staging/${session}`;
  const base = `${layer}${BASE_SUFFIX}`;
  for (const path of [layer, `${base}/blobs`, `${base}/tmp`, `${base}/trash`]) {
    makeDirectory(path);
  }
  return {
    layer: pinRoot(layer),
    base: pinRoot(base),
    blobs: pinRoot(`${base}/blobs`),
    tmp: pinRoot(`${base}/tmp`),
    trash: pinRoot(`${base}/trash`),
  };
}

export function closeStaging(directories: StagingDirectories): void {
  for (const fd of [directories.layer, directories.base, directories.blobs, directories.tmp, directories.trash]) {
    closeSync(fd);
  }
}

/** The session whose base directory this is, or null for any other entry of `staging/`. */
export function sessionOfBase(name: string): SessionId | null {
  return name.endsWith(BASE_SUFFIX) ? (name.slice(0, -BASE_SUFFIX.length) as SessionId) : null;
}

/** Makes names in a pinned directory survive a power cut. */
export function syncDirectory(directory: number): void {
  const fd = openSync(throughFd(directory), constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
