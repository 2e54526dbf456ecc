import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  ftruncateSync,
  futimesSync,
  lchownSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';

import type { ExchangeNames } from './exchange-names.ts';

export interface FileOwner {
  readonly uid: number;
  readonly gid: number;
}

export interface FileAttributes {
  /** Permission bits, set regardless of the umask. */
  readonly mode: number;
  /** The file's owner, set if this process is root. */
  readonly owner: FileOwner;
  readonly mtimeSeconds?: number;
}

/** Called before each system call that changes something; a test can fail or stop there. */
export type BeforeCall = (call: string, path: string) => void;

const WRITE_FLAGS = constants.O_WRONLY | constants.O_NOFOLLOW;

/**
 * Every system call by which a merge changes the disk. Paths go through a directory's descriptor
 * (`/proc/self/fd/N/name`), so that no component can be a link that was put there meanwhile.
 */
export class Disk {
  readonly #before: BeforeCall;

  constructor(before: BeforeCall = () => undefined) {
    this.#before = before;
  }

  /** Creates a file; its content is on disk when this returns. Throws EEXIST. */
  createFile(path: string, content: Uint8Array, attributes: FileAttributes): void {
    this.#before('create', path);
    const fd = openSync(path, WRITE_FLAGS | constants.O_CREAT | constants.O_EXCL, 0o600);
    try {
      this.#write(fd, path, content);
      if (process.geteuid?.() === 0) fchownSync(fd, attributes.owner.uid, attributes.owner.gid);
      fchmodSync(fd, attributes.mode);
      if (attributes.mtimeSeconds !== undefined) futimesSync(fd, attributes.mtimeSeconds, attributes.mtimeSeconds);
      this.#before('fsync', path);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  }

  append(path: string, content: Uint8Array): void {
    const fd = openSync(path, WRITE_FLAGS | constants.O_APPEND);
    try {
      this.#write(fd, path, content);
      this.#before('fsync', path);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  }

  truncate(path: string, length: number): void {
    const fd = openSync(path, WRITE_FLAGS);
    try {
      this.#before('truncate', path);
      ftruncateSync(fd, length);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  }

  symlink(target: string, path: string, owner: FileOwner): void {
    this.#before('symlink', path);
    symlinkSync(target, path);
    if (process.geteuid?.() === 0) lchownSync(path, owner.uid, owner.gid);
  }

  makeDirectory(path: string, attributes: FileAttributes): void {
    this.#before('mkdir', path);
    mkdirSync(path);
    const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    try {
      if (process.geteuid?.() === 0) fchownSync(fd, attributes.owner.uid, attributes.owner.gid);
      fchmodSync(fd, attributes.mode);
    } finally {
      closeSync(fd);
    }
  }

  removeDirectory(path: string): void {
    this.#before('rmdir', path);
    rmdirSync(path);
  }

  /** Replaces the entry at `to`. */
  rename(from: string, to: string): void {
    this.#before('rename', to);
    renameSync(from, to);
  }

  /** Exchanges the two names; false if `exchangeNames` cannot do that here. */
  exchange(a: string, b: string, exchangeNames: ExchangeNames): boolean {
    this.#before('exchange', b);
    return exchangeNames(a, b);
  }

  /** Creates a second name for the file (or the link) itself. Throws EEXIST: nothing is ever replaced. */
  link(from: string, to: string): void {
    this.#before('link', to);
    linkSync(from, to);
  }

  unlink(path: string): void {
    this.#before('unlink', path);
    unlinkSync(path);
  }

  syncDirectory(path: string): void {
    this.#before('fsync', path);
    const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  }

  #write(fd: number, path: string, content: Uint8Array): void {
    this.#before('write', path);
    for (let written = 0; written < content.length;) written += writeSync(fd, content, written);
  }
}
