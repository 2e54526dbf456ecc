import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { z } from 'zod';
import type { FileState } from '../../../contracts/review/change-set.ts';
import { fileStateSchema } from '../../../contracts/review/change-set.ts';
import type { Random } from '../../../contracts/ports/random.ts';
import { throughFd } from '../descriptors.ts';
import { writeNew } from '../durable-file.ts';
import { sha256Of } from '../file-content.ts';
import type { StagingDirectories } from './staging-layout.ts';
import { INDEX_FILE, syncDirectory } from './staging-layout.ts';
import { syncContents } from './sync-contents.ts';

/** The state of a path in the project when the session first staged something there. */
export interface Original {
  readonly path: string;
  readonly state: FileState;
}

const lineSchema = z.strictObject({ path: z.string(), state: fileStateSchema });

/**
 * The record of originals: diffs start from it, the merge compares the project with it, and undo restores it. It is
 * written before the staging layer changes, so after a crash it contains at worst a path that was never staged.
 */
export interface Originals {
  has(path: string): boolean;
  all(): readonly Original[];
  /**
   * Durable when it resolves. `bytes` returns the content of a file; with null only its hash is stored. The first
   * record of a path is final.
   */
  record(entries: readonly { readonly original: Original; readonly bytes: () => Buffer | null }[]): Promise<void>;
  /** Content of an original file; null if only its hash was stored. */
  content(state: Extract<FileState, { kind: 'file' }>): Buffer | null;
  /** Called after the index file was removed. */
  forget(): void;
}

export function openOriginals(directories: StagingDirectories, random: Random): Originals {
  const records = new Map(loadIndex(directories.base).map((original) => [original.path, original]));

  return {
    has: (path) => records.has(path),
    all: () => [...records.values()],
    record: async (entries) => {
      const fresh = entries.filter(({ original }) => !records.has(original.path));
      if (fresh.length === 0) return;
      const kept = fresh.flatMap(({ original: { state }, bytes }) =>
        state.kind === 'file' && keepBlob(directories.blobs, state, bytes, random) ? [state.sha256] : [],
      );
      if (kept.length > 0) {
        await syncContents(directories.blobs, kept);
        syncDirectory(directories.blobs);
      }
      append(directories.base, fresh.map(({ original }) => `${JSON.stringify(original)}\n`).join(''));
      for (const { original } of fresh) records.set(original.path, original);
    },
    content: (state) => {
      const path = throughFd(directories.blobs, state.sha256);
      const bytes = existsSync(path) ? readFileSync(path) : null;
      // After a power failure the file may be truncated.
      return bytes !== null && sha256Of(bytes) === state.sha256 ? bytes : null;
    },
    forget: () => records.clear(),
  };
}

/** Returns whether content was written that still has to be synced. */
function keepBlob(
  blobs: number,
  state: Extract<FileState, { kind: 'file' }>,
  bytes: () => Buffer | null,
  random: Random,
): boolean {
  const path = throughFd(blobs, state.sha256);
  if (statSync(path, { throwIfNoEntry: false })?.size === state.size) return false;
  const content = bytes();
  if (content === null) return false;
  const temporary = random.id('new');
  writeNew(blobs, temporary, content, 0o600);
  renameSync(throughFd(blobs, temporary), path);
  return true;
}

function append(base: number, lines: string): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;
  const fd = openSync(throughFd(base, INDEX_FILE), flags, 0o600);
  try {
    const bytes = Buffer.from(lines);
    for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  syncDirectory(base);
}

/** Reads the index. A last line without a line feed is a write that a crash interrupted; it is removed. */
function loadIndex(base: number): Original[] {
  const path = throughFd(base, INDEX_FILE);
  if (!existsSync(path)) return [];
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf(0x0a) + 1;
  if (end < bytes.length) truncate(path, end);
  const lines = bytes.subarray(0, end).toString('utf8').split('\n').slice(0, -1);
  return lines.map((line) => lineSchema.parse(JSON.parse(line)));
}

function truncate(path: string, length: number): void {
  const fd = openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW);
  try {
    ftruncateSync(fd, length);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
