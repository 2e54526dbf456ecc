import { constants } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ProjectDirs } from '../../contracts/host-layout.ts';
import { writeFileAtomic } from '../../lib/files/atomic-file.ts';
import type { Anchor } from './anchor-line.ts';
import { MAX_LINE_BYTES, readAnchorLine, writeAnchorLine } from './anchor-line.ts';
import type { SigningKey } from './signing-key.ts';

type AnchorDirs = Pick<ProjectDirs, 'id' | 'anchors'>;

export type AnchorResult =
  | { readonly kind: 'anchored'; readonly anchor: Anchor }
  /** This very head is signed already. */
  | { readonly kind: 'unchanged'; readonly anchor: Anchor }
  /** The log is shorter than one that was signed, or another one of the same length. */
  | { readonly kind: 'refused'; readonly reason: string };

export interface AnchorReading {
  /** In the order of the file, signatures checked. */
  readonly anchors: readonly Anchor[];
  /** Lines that are no anchor of this project by this key: somebody else wrote there, or the disk did. */
  readonly badLines: readonly number[];
  /** Why the file was not read at all. */
  readonly unreadable?: string;
}

const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** Past this the file is written anew with its first anchor and its newest: whoever asks for signatures cannot fill the disk. */
const COMPACT_BYTES = 1024 * 1024;
const KEPT_NEWEST = 500;
const TAIL_BYTES = 8 * MAX_LINE_BYTES;
const LINE_FEED = 10;

/**
 * Signs the head of the audit log and appends it to the host's own file, on disk before it resolves. Never goes back: a log that has
 * become shorter, or other than it was, is refused, whoever asks. Calls for one project must not overlap.
 */
export async function anchorHead(
  dirs: AnchorDirs,
  head: { readonly entries: number; readonly head: string },
  key: SigningKey,
  nowMs: number,
): Promise<AnchorResult> {
  await mkdir(dirname(dirs.anchors), { recursive: true, mode: 0o700 });
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW;
  const file = await open(dirs.anchors, flags, 0o600);
  try {
    const { last, end } = await readTail(file, dirs, key);
    if (last !== null && last.entries === head.entries && last.head === head.head)
      return { kind: 'unchanged', anchor: last };
    const refusal = last === null ? null : describeRegress(last, head);
    if (refusal !== null) return { kind: 'refused', reason: refusal };
    const anchor = { project: dirs.id, entries: head.entries, head: head.head, ts: nowMs };
    const line = Buffer.from(writeAnchorLine(anchor, key));
    if (end + line.length > COMPACT_BYTES) {
      await compact(file, dirs, end, line, key);
      return { kind: 'anchored', anchor };
    }
    await file.write(line, 0, line.length, end);
    await file.truncate(end + line.length);
    await file.sync();
    return { kind: 'anchored', anchor };
  } finally {
    await file.close();
  }
}

/** Reads every anchor of the project. The file is hostile: what is not signed does not count, and is reported. */
export async function readAnchors(dirs: AnchorDirs, publicKey: string): Promise<AnchorReading> {
  const file = await open(dirs.anchors, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw error;
    },
  );
  if (file === null) return { anchors: [], badLines: [] };
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return { anchors: [], badLines: [], unreadable: 'it is no regular file' };
    if (stats.size > MAX_FILE_BYTES)
      return { anchors: [], badLines: [], unreadable: `it has ${stats.size} bytes, more than fluffy ever writes` };
    const lines = (await file.readFile('latin1')).split('\n');
    // What follows the last line feed was never finished: no anchor, and no fault.
    lines.pop();
    const read = lines.map((line) => readAnchorLine(line, dirs.id, publicKey));
    return {
      anchors: read.filter((anchor) => anchor !== null),
      badLines: read.flatMap((anchor, index) => (anchor === null ? [index + 1] : [])),
    };
  } finally {
    await file.close();
  }
}

/**
 * Writes the file anew without the anchors between the first and the newest, `line` at its end. A longer log confirms all that shorter ones did. Lines that
 * are no anchors stay: they are evidence. Atomic: a crash leaves the old file.
 */
async function compact(file: FileHandle, dirs: AnchorDirs, end: number, line: Buffer, key: SigningKey): Promise<void> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(end), 0, end, 0);
  const lines = buffer.toString('latin1', 0, bytesRead).split('\n').slice(0, -1);
  const kept = lines.filter(
    (text, index) =>
      index === 0 || index >= lines.length - KEPT_NEWEST || readAnchorLine(text, dirs.id, key.publicKey) === null,
  );
  const text = Buffer.concat([Buffer.from(`${kept.join('\n')}\n`, 'latin1'), line]);
  await writeFileAtomic(dirs.anchors, text, { mode: 0o600 });
}

/** The last signed line, and where the next belongs: after the last line feed, over what a crash may have left behind it. */
async function readTail(
  file: FileHandle,
  dirs: AnchorDirs,
  key: SigningKey,
): Promise<{ readonly last: Anchor | null; readonly end: number }> {
  const { size } = await file.stat();
  const start = Math.max(0, size - TAIL_BYTES);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
  const tail = buffer.subarray(0, bytesRead);
  const end = tail.lastIndexOf(LINE_FEED) + 1;
  const lines = tail.toString('latin1', 0, end).split('\n');
  const signed = lines.map((line) => readAnchorLine(line, dirs.id, key.publicKey)).filter((anchor) => anchor !== null);
  return { last: signed.at(-1) ?? null, end: start + end };
}

function describeRegress(last: Anchor, next: { readonly entries: number }): string | null {
  if (next.entries > last.entries) return null;
  return next.entries === last.entries
    ? `another head was signed for ${last.entries} entries`
    : `${last.entries} entries were signed, the log now has ${next.entries}`;
}
