import { createHash } from 'node:crypto';
import type { ObjectId } from '../../contracts/ids.ts';
import type { ByteString } from './byte-string.ts';
import { ID_BYTES } from './object-id.ts';
import { readOffsetVarint, writeOffsetVarint } from './varint.ts';

/** The lstat data that git stores for a file, each value cut to 32 bits. */
export interface IndexStat {
  readonly ctimeSeconds: number;
  readonly ctimeNanoseconds: number;
  readonly mtimeSeconds: number;
  readonly mtimeNanoseconds: number;
  readonly dev: number;
  readonly ino: number;
  readonly uid: number;
  readonly gid: number;
  readonly size: number;
}

export interface IndexEntry {
  readonly path: ByteString;
  readonly mode: number;
  readonly id: ObjectId;
  readonly stat: IndexStat;
  /** 0 for an ordinary entry, 1 to 3 for the sides of an unmerged path. */
  readonly stage: number;
  readonly assumeValid: boolean;
  /** Extended flags of version 3 and 4 (skip-worktree 0x4000, intent-to-add 0x2000). */
  readonly extended: number;
}

export interface IndexExtension {
  readonly signature: string;
  readonly data: Buffer;
}

export interface GitIndex {
  readonly version: 2 | 3 | 4;
  /** In git's order: by path, then stage. */
  readonly entries: readonly IndexEntry[];
  readonly extensions: readonly IndexExtension[];
}

export type IndexOutcome =
  | { readonly kind: 'ok'; readonly index: GitIndex }
  /** An unsupported feature: `split index`, `sparse index`, a mandatory extension. */
  | { readonly kind: 'unsupported'; readonly what: string }
  | { readonly kind: 'corrupt'; readonly reason: string };

export const EMPTY_INDEX: GitIndex = { version: 2, entries: [], extensions: [] };
export const INTENT_TO_ADD = 0x2000;
export const SKIP_WORKTREE = 0x4000;

const SIGNATURE = 'DIRC';
const HEADER_BYTES = 12;
/** Ten 32-bit fields, the id, two bytes of flags. */
const FIXED_BYTES = 40 + ID_BYTES + 2;
/** Extended flags, then NULs up to a multiple of eight; in version 4, the length of the part that is not shared, and one NUL. */
const MOST_AROUND_NAME = 2 + 8;
const FLAG_ASSUME_VALID = 0x8000;
const FLAG_EXTENDED = 0x4000;
const NAME_MASK = 0x0fff;

/** Damage that signature and checksum show, without reading the entries: much faster than `parseIndex`. null if there is none. */
export function indexDamage(bytes: Buffer): string | null {
  if (bytes.length < HEADER_BYTES + ID_BYTES || bytes.toString('latin1', 0, 4) !== SIGNATURE) return 'not an index';
  const body = bytes.subarray(0, bytes.length - ID_BYTES);
  const checksum = bytes.subarray(body.length);
  return checksum.some((byte) => byte !== 0) && !checksum.equals(sha1(body)) ? 'wrong checksum' : null;
}

/** Reads an index of version 2, 3 or 4 and verifies its checksum (all zero means unchecked, as git itself may write it). */
export function parseIndex(bytes: Buffer): IndexOutcome {
  const damage = indexDamage(bytes);
  if (damage !== null) return corrupt(damage);
  const version = bytes.readUInt32BE(4);
  if (version !== 2 && version !== 3 && version !== 4) return unsupported(`index version ${version}`);
  const body = bytes.subarray(0, bytes.length - ID_BYTES);

  const count = bytes.readUInt32BE(8);
  const entries: IndexEntry[] = [];
  let at = HEADER_BYTES;
  for (let n = 0; n < count; n++) {
    const read = readEntry(body, at, version, entries.at(-1)?.path ?? '');
    if (read === null) return corrupt(`entry ${n} is malformed`);
    entries.push(read.entry);
    at = read.next;
  }

  const extensions: IndexExtension[] = [];
  while (at < body.length) {
    if (at + 8 > body.length) return corrupt('cut short in an extension');
    const signature = body.toString('latin1', at, at + 4);
    const end = at + 8 + body.readUInt32BE(at + 4);
    if (end > body.length) return corrupt(`extension ${signature} is cut short`);
    if (signature === 'link') return unsupported('split index');
    if (signature === 'sdir') return unsupported('sparse index');
    if (!/^[A-Z]/.test(signature)) return unsupported(`index extension ${JSON.stringify(signature)}`);
    extensions.push({ signature, data: body.subarray(at + 8, end) });
    at = end;
  }
  // Checked last: a split index leaves names empty, and should be reported as a split index.
  if (!entries.every(inOrder)) return corrupt('entries out of order');
  return { kind: 'ok', index: { version, entries, extensions } };
}

/** Encodes an index; version 2 becomes 3 if an entry has extended flags. */
export function encodeIndex(index: GitIndex): Buffer {
  const version = index.version === 2 && index.entries.some((entry) => entry.extended !== 0) ? 3 : index.version;
  const bytes = Buffer.alloc(longestBody(index));
  bytes.write(SIGNATURE, 'latin1');
  bytes.writeUInt32BE(version, 4);
  bytes.writeUInt32BE(index.entries.length, 8);
  let at = HEADER_BYTES;
  let previous = '';
  for (const entry of index.entries) {
    at = writeEntry(bytes, at, entry, version, previous);
    previous = entry.path;
  }
  for (const { signature, data } of index.extensions) {
    bytes.write(signature, at, 4, 'latin1');
    bytes.writeUInt32BE(data.length, at + 4);
    at += 8 + data.copy(bytes, at + 8);
  }
  const body = bytes.subarray(0, at);
  return Buffer.concat([body, sha1(body)]);
}

/** An upper limit for the size of the index without its checksum. */
function longestBody({ entries, extensions }: GitIndex): number {
  const entryBytes = entries.reduce((sum, { path }) => sum + FIXED_BYTES + path.length + MOST_AROUND_NAME, 0);
  const extensionBytes = extensions.reduce((sum, { data }) => sum + 8 + data.length, 0);
  return HEADER_BYTES + entryBytes + extensionBytes;
}

function inOrder(entry: IndexEntry, n: number, entries: readonly IndexEntry[]): boolean {
  const previous = entries[n - 1];
  return entry.path !== '' && (previous === undefined || compareEntries(previous, entry) < 0);
}

export function compareEntries(a: IndexEntry, b: IndexEntry): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.stage - b.stage;
}

function readEntry(
  bytes: Buffer,
  at: number,
  version: 2 | 3 | 4,
  previousPath: string,
): { entry: IndexEntry; next: number } | null {
  if (at + FIXED_BYTES > bytes.length) return null;
  const field = (n: number) => bytes.readUInt32BE(at + n * 4);
  const flags = bytes.readUInt16BE(at + 40 + ID_BYTES);
  let nameAt = at + FIXED_BYTES;
  let extended = 0;
  if ((flags & FLAG_EXTENDED) !== 0) {
    if (version === 2 || nameAt + 2 > bytes.length) return null;
    extended = bytes.readUInt16BE(nameAt);
    nameAt += 2;
  }
  let prefix = '';
  if (version === 4) {
    const strip = readOffsetVarint(bytes, nameAt);
    if (strip === null || strip.value > previousPath.length) return null;
    prefix = previousPath.slice(0, previousPath.length - strip.value);
    nameAt = strip.next;
  }
  const nul = bytes.indexOf(0, nameAt);
  if (nul < 0) return null;
  const path = `${prefix}${bytes.toString('latin1', nameAt, nul)}` as ByteString;
  if (Math.min(path.length, NAME_MASK) !== (flags & NAME_MASK)) return null;
  const next = version === 4 ? nul + 1 : at + paddedLength(nul - at);
  if (next > bytes.length) return null;
  const entry: IndexEntry = {
    path,
    mode: field(6),
    id: bytes.toString('hex', at + 40, at + 40 + ID_BYTES) as ObjectId,
    stat: {
      ctimeSeconds: field(0),
      ctimeNanoseconds: field(1),
      mtimeSeconds: field(2),
      mtimeNanoseconds: field(3),
      dev: field(4),
      ino: field(5),
      uid: field(7),
      gid: field(8),
      size: field(9),
    },
    stage: (flags >> 12) & 3,
    assumeValid: (flags & FLAG_ASSUME_VALID) !== 0,
    extended,
  };
  return { entry, next };
}

/** Writes into zeros; returns where the next entry begins. */
function writeEntry(bytes: Buffer, at: number, entry: IndexEntry, version: 2 | 3 | 4, previousPath: string): number {
  const { stat, path } = entry;
  bytes.writeUInt32BE(stat.ctimeSeconds, at);
  bytes.writeUInt32BE(stat.ctimeNanoseconds, at + 4);
  bytes.writeUInt32BE(stat.mtimeSeconds, at + 8);
  bytes.writeUInt32BE(stat.mtimeNanoseconds, at + 12);
  bytes.writeUInt32BE(stat.dev, at + 16);
  bytes.writeUInt32BE(stat.ino, at + 20);
  bytes.writeUInt32BE(entry.mode, at + 24);
  bytes.writeUInt32BE(stat.uid, at + 28);
  bytes.writeUInt32BE(stat.gid, at + 32);
  bytes.writeUInt32BE(stat.size, at + 36);
  bytes.write(entry.id, at + 40, 'hex');
  const flags =
    (entry.assumeValid ? FLAG_ASSUME_VALID : 0) |
    (entry.extended === 0 ? 0 : FLAG_EXTENDED) |
    (entry.stage << 12) |
    Math.min(path.length, NAME_MASK);
  bytes.writeUInt16BE(flags, at + 40 + ID_BYTES);
  let nameAt = at + FIXED_BYTES;
  if (entry.extended !== 0) nameAt = bytes.writeUInt16BE(entry.extended, nameAt);
  if (version !== 4) return at + paddedLength(nameAt + bytes.write(path, nameAt, 'latin1') - at);
  const shared = sharedPrefixLength(previousPath, path);
  nameAt += writeOffsetVarint(previousPath.length - shared).copy(bytes, nameAt);
  return nameAt + bytes.write(path.slice(shared), nameAt, 'latin1') + 1;
}

/** Entries of version 2 and 3 end in one to eight NULs, up to a multiple of eight. */
function paddedLength(length: number): number {
  return (length + 8) & ~7;
}

function sharedPrefixLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}

function sha1(bytes: Buffer): Buffer {
  return createHash('sha1').update(bytes).digest();
}

function corrupt(reason: string): IndexOutcome {
  return { kind: 'corrupt', reason };
}

function unsupported(what: string): IndexOutcome {
  return { kind: 'unsupported', what };
}
