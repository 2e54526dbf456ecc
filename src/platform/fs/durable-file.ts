import { closeSync, constants, fchmodSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { throughFd } from './descriptors.ts';
import { syncDirectory } from './staging/staging-layout.ts';

const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Writes a new file into a pinned directory. The name must be free. The file is not durable until it is synced. */
export function writeNew(directory: number, name: string, bytes: Uint8Array, mode: number): void {
  write(directory, name, bytes, mode, false);
}

/** Like `writeNew`, but the content is on disk when this returns. */
export function writeDurably(directory: number, name: string, bytes: Uint8Array, mode: number): void {
  write(directory, name, bytes, mode, true);
}

/** Replaces a file completely or not at all: readers and a restart see the old content or the new. */
export function replaceDurably(directory: number, name: string, temporary: string, bytes: Uint8Array): void {
  writeDurably(directory, temporary, bytes, 0o600);
  renameSync(throughFd(directory, temporary), throughFd(directory, name));
  syncDirectory(directory);
}

function write(directory: number, name: string, bytes: Uint8Array, mode: number, sync: boolean): void {
  const fd = openSync(throughFd(directory, name), NEW, 0o600);
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
    fchmodSync(fd, mode);
    if (sync) fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
