import { constants } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeFileAtomic } from '../../lib/files/atomic-file.ts';
import type { Anchor } from './anchor-line.ts';
import { MAX_LINE_BYTES, readAnchorLine, writeAnchorLine } from './anchor-line.ts';
import { readEpochLine, writeEpochLine } from './epoch-line.ts';
import type { EpochStart } from './epoch-line.ts';
import { readAnchors } from './read-anchors.ts';
import type { AnchorDirs } from './read-anchors.ts';
import type { SigningKey } from './signing-key.ts';
import { makeDirectories } from '../../lib/files/make-directories.ts';

export type AnchorResult =
  | { readonly kind: 'anchored'; readonly anchor: Anchor }
  /** Exactly this head is already signed. */
  | { readonly kind: 'unchanged'; readonly anchor: Anchor }
  /** The log is shorter than a signed one, or differs from one of the same length. */
  | { readonly kind: 'refused'; readonly reason: string };

/** A larger file is rewritten with its first anchor and its newest ones, so that requests for signatures cannot fill the disk. */
const COMPACT_BYTES = 1024 * 1024;
const KEPT_NEWEST = 500;
const TAIL_BYTES = 2 * MAX_LINE_BYTES;
const LINE_FEED = 10;

/**
 * Signs the head of the audit log and appends it to the host's own file, on disk before it resolves. Never goes back: a log that is shorter or
 * changed is refused, whoever asks. Calls for one project must not overlap.
 */
export async function anchorHead(
  dirs: AnchorDirs,
  head: { readonly entries: number; readonly head: string },
  key: SigningKey,
  nowMs: number,
): Promise<AnchorResult> {
  await makeDirectories(dirname(dirs.anchors), 0o700);
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW;
  const file = await open(dirs.anchors, flags, 0o600);
  try {
    const { last, end } = await readEnd(file, dirs, key);
    const { epoch } = last;
    if (last.anchor !== null && last.entries === head.entries && last.head === head.head)
      return { kind: 'unchanged', anchor: last.anchor };
    const refusal = describeRegress(last, head);
    if (refusal !== null) return { kind: 'refused', reason: refusal };
    const anchor = {
      project: dirs.id,
      ...(epoch === 1 ? {} : { epoch }),
      entries: head.entries,
      head: head.head,
      ts: nowMs,
    };
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

/** How far the log is signed in the current epoch; the epoch's start if nothing is signed. */
export async function signedThrough(dirs: AnchorDirs, publicKey: string): Promise<EpochStart> {
  const { epochs, unreadable } = await readAnchors(dirs, publicKey);
  if (unreadable !== undefined) throw new Error(`${dirs.anchors} cannot be used: ${unreadable}`);
  const { start, anchors } = epochs.at(-1) ?? epochs[0];
  const last = anchors.at(-1);
  return last === undefined ? start : { epoch: start.epoch, entries: last.entries, head: last.head };
}

/**
 * Begins a new epoch after the present log, whatever was signed before: a person's decision, with that person's key. The lines of earlier epochs
 * stay. Calls for one project must not overlap with each other or with `anchorHead`.
 */
export async function beginEpoch(
  dirs: AnchorDirs,
  end: Pick<EpochStart, 'entries' | 'head'>,
  { approver, key, nowMs }: { readonly approver: SigningKey; readonly key: SigningKey; readonly nowMs: number },
): Promise<EpochStart> {
  await makeDirectories(dirname(dirs.anchors), 0o700);
  const before = await signedThrough(dirs, key.publicKey);
  const start = { epoch: before.epoch + 1, entries: end.entries, head: end.head };
  const line = writeEpochLine({ project: dirs.id, ts: nowMs, ...start }, approver, key);
  const old = await readFile(dirs.anchors).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
  // The text after the last line feed is an unfinished write.
  const whole = old.subarray(0, old.lastIndexOf(LINE_FEED) + 1);
  await writeFileAtomic(dirs.anchors, Buffer.concat([whole, Buffer.from(line)]), { mode: 0o600 });
  return start;
}

/**
 * Rewrites the file without the anchors between the first and the newest, with `line` at its end. A longer log confirms everything that shorter ones
 * did. Lines that are not anchors stay, because they are evidence. Atomic: a crash leaves the old file.
 */
async function compact(file: FileHandle, dirs: AnchorDirs, end: number, line: Buffer, key: SigningKey): Promise<void> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(end), 0, end, 0);
  const lines = buffer.toString('latin1', 0, bytesRead).split('\n').slice(0, -1);
  const kept = lines.filter(
    (text, index) =>
      index === 0 ||
      index >= lines.length - KEPT_NEWEST ||
      readAnchorLine(text, dirs.id, key.publicKey) === null ||
      // The last head of an epoch shows how far its log can be trusted.
      readEpochLine(lines[index + 1] ?? '', dirs.id, key.publicKey) !== null,
  );
  const text = Buffer.concat([Buffer.from(`${kept.join('\n')}\n`, 'latin1'), line]);
  await writeFileAtomic(dirs.anchors, text, { mode: 0o600 });
}

/** How far the log is signed, and the position of the next line: after the last line feed, over what a crash may have left behind it. */
async function readEnd(
  file: FileHandle,
  dirs: AnchorDirs,
  key: SigningKey,
): Promise<{ readonly last: EpochStart & { readonly anchor: Anchor | null }; readonly end: number }> {
  const { size } = await file.stat();
  const start = Math.max(0, size - TAIL_BYTES);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
  const tail = buffer.subarray(0, bytesRead);
  const end = tail.lastIndexOf(LINE_FEED) + 1;
  const newest = tail.toString('latin1', 0, end).split('\n').at(-2) ?? '';
  const anchor = readAnchorLine(newest, dirs.id, key.publicKey);
  // Usually the rest of the file need not be read.
  const last =
    anchor === null
      ? { ...(await signedThrough(dirs, key.publicKey)), anchor: null }
      : { epoch: anchor.epoch ?? 1, entries: anchor.entries, head: anchor.head, anchor };
  return { last, end: start + end };
}

function describeRegress(last: EpochStart, next: { readonly entries: number; readonly head: string }): string | null {
  if (next.entries > last.entries || last.head === null) return null;
  if (next.entries === last.entries && next.head === last.head) return null;
  return next.entries === last.entries
    ? `another head was signed for ${last.entries} entries`
    : `${last.entries} entries were signed, the log now has ${next.entries}`;
}
