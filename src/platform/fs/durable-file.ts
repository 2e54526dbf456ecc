import { closeSync, constants, fchmodSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { throughFd } from './descriptors.ts';
import { syncDirectory } from './staging-layout.ts';

/** Writes a new file of a pinned directory so that its content is on disk when this returns. The name must be free. */
export function writeDurably(directory: number, name: string, bytes: Uint8Array, mode: number): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const fd = openSync(throughFd(directory, name), flags, 0o600);
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
    fchmodSync(fd, mode);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Puts a file in place whole or not at all: readers and a restart see the old content or the new. */
export function replaceDurably(directory: number, name: string, temporary: string, bytes: Uint8Array): void {
  writeDurably(directory, temporary, bytes, 0o600);
  renameSync(throughFd(directory, temporary), throughFd(directory, name));
  syncDirectory(directory);
}
