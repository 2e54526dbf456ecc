import { closeSync, constants, existsSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { z } from 'zod';
import type { FileState } from '../../contracts/change-set.ts';
import { fileStateSchema } from '../../contracts/change-set.ts';
import type { Random } from '../../contracts/ports/random.ts';
import { throughFd } from './descriptors.ts';
import { replaceDurably } from './durable-file.ts';
import type { StagingDirectories } from './staging-layout.ts';
import { INDEX_FILE, syncDirectory } from './staging-layout.ts';

/** What a path was in the project when the session first staged something there. */
export interface Original {
  readonly path: string;
  readonly state: FileState;
}

const lineSchema = z.strictObject({ path: z.string(), state: fileStateSchema });

/**
 * The record of originals: what diffs start from, what the merge compares the project with, what undo restores. Written before
 * the staging layer changes, so a crash leaves at worst a record of a path that was not staged after all.
 */
export interface Originals {
  has(path: string): boolean;
  all(): readonly Original[];
  /** Durable when it returns. `bytes` gives the content of a file; null keeps its hash alone. A path's first record stands. */
  record(entries: readonly { readonly original: Original; readonly bytes: () => Buffer | null }[]): void;
  /** Content of an original file, or null when only its hash was kept. */
  content(state: Extract<FileState, { kind: 'file' }>): Buffer | null;
  /** After the index file was removed. */
  forget(): void;
}

export function openOriginals(directories: StagingDirectories, random: Random): Originals {
  const records = new Map(loadIndex(directories.base).map((original) => [original.path, original]));

  return {
    has: (path) => records.has(path),
    all: () => [...records.values()],
    record: (entries) => {
      const fresh = entries.filter(({ original }) => !records.has(original.path));
      if (fresh.length === 0) return;
      for (const { original, bytes } of fresh) {
        if (original.state.kind === 'file') keepBlob(directories.blobs, original.state.sha256, bytes, random);
      }
      append(directories.base, fresh.map(({ original }) => `${JSON.stringify(original)}\n`).join(''));
      for (const { original } of fresh) records.set(original.path, original);
    },
    content: (state) => {
      const path = throughFd(directories.blobs, state.sha256);
      return existsSync(path) ? readFileSync(path) : null;
    },
    forget: () => records.clear(),
  };
}

function keepBlob(blobs: number, sha256: string, bytes: () => Buffer | null, random: Random): void {
  if (existsSync(throughFd(blobs, sha256))) return;
  const content = bytes();
  if (content !== null) replaceDurably(blobs, sha256, random.id('new'), content);
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

/** Reads the index; a last line without its end is a write that a crash cut short, and is cut off. */
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
