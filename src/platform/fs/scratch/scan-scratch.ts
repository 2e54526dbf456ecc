import { chmodSync, readdirSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { FileState } from '../../../contracts/review/change-set.ts';
import type { Descriptors } from '../descriptors.ts';
import { errnoOf, throughFd, withDescriptorsAsync } from '../descriptors.ts';
import { hashPinnedFile } from '../file-content.ts';
import { isWhiteout } from '../union/union-lookup.ts';
import { compareCodeUnits } from '../union/union-read.ts';
import { readLink } from '../union/union-walk.ts';
import type { OpaqueMarks } from '../xattr.ts';

/** The entries that a sandbox left in its upper directory, after the check. */
export type ScratchNode =
  | { readonly kind: 'file'; readonly state: Extract<FileState, { kind: 'file' }> }
  | { readonly kind: 'symlink'; readonly state: Extract<FileState, { kind: 'symlink' }> }
  | { readonly kind: 'whiteout' }
  | ScratchDirectory
  /** An entry that may not be accepted, and why. */
  | { readonly kind: 'unfit'; readonly reason: string };

export interface ScratchDirectory {
  readonly kind: 'directory';
  /** The directory hides the one below it and does not merge with it, because it or a parent is marked opaque. */
  readonly opaque: boolean;
  readonly mode: number;
  /** In code unit order of the names. */
  readonly children: ReadonlyMap<string, ScratchNode>;
}

export interface ScratchLimits {
  readonly maxEntries: number;
  readonly maxBytes: number;
  readonly maxFileBytes: number;
  readonly maxDepth: number;
}

export type ScanOutcome =
  { readonly kind: 'scanned'; readonly root: ScratchDirectory } | { readonly kind: 'refused'; readonly reason: string };

const WORK_PER_TURN = 250;
const BLOCK_BYTES = 32 * 1024;

/** Ends a scan at once: nothing else of the scratch is examined. */
class Refusal extends Error {}

interface Scan {
  readonly marks: OpaqueMarks;
  readonly limits: ScratchLimits;
  entries: number;
  bytes: number;
  /** Entries and blocks of bytes since the event loop had a turn. */
  work: number;
  /** For each file with several names: how many the scan met, and the first of them. */
  readonly links: Map<number, { met: number; readonly claimed: number; readonly path: string }>;
}

/**
 * Walks an upper directory that is not mounted any more, without following links. Sizes, counts, depth and names are
 * limited before anything is read. Devices, sockets, pipes, setuid and setgid files become `unfit`.
 */
export async function scanScratch(upper: number, marks: OpaqueMarks, limits: ScratchLimits): Promise<ScanOutcome> {
  const scan: Scan = { marks, limits, entries: 0, bytes: 0, work: 0, links: new Map() };
  try {
    const children = await scanEntries(scan, { fd: upper, path: '', depth: 0, opaque: false });
    for (const link of scan.links.values()) {
      if (link.met !== link.claimed)
        throw new Refusal(`${JSON.stringify(link.path)} is a hard link to something outside the scratch`);
    }
    return { kind: 'scanned', root: { kind: 'directory', opaque: false, mode: 0o755, children } };
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', reason: error.message };
    throw error;
  }
}

interface OpenDirectory {
  readonly fd: number;
  readonly path: string;
  readonly depth: number;
  readonly opaque: boolean;
}

async function scanEntries(scan: Scan, directory: OpenDirectory): Promise<ReadonlyMap<string, ScratchNode>> {
  const { maxDepth, maxEntries } = scan.limits;
  if (directory.depth > maxDepth) throw new Refusal(`directories are nested more than ${maxDepth} deep`);
  const names = readdirSync(throughFd(directory.fd), { encoding: 'buffer' });
  scan.entries += names.length;
  if (scan.entries > maxEntries) throw new Refusal(`more than ${maxEntries} entries were changed`);

  const children = new Map<string, ScratchNode>();
  for (const name of names.map(decodeName).sort(compareCodeUnits)) {
    const node = await withDescriptorsAsync((descriptors) => scanEntry(scan, descriptors, directory, name));
    children.set(name, node);
    await takeTurn(scan, node.kind === 'file' ? node.state.size : 0);
  }
  return children;
}

/** Gives the event loop a turn after much work: a package manager can leave 100,000 small files, and the kernel has to answer meanwhile. */
async function takeTurn(scan: Scan, bytes: number): Promise<void> {
  scan.work += 1 + Math.floor(bytes / BLOCK_BYTES);
  if (scan.work < WORK_PER_TURN) return;
  scan.work = 0;
  await setImmediate();
}

async function scanEntry(
  scan: Scan,
  descriptors: Descriptors,
  parent: OpenDirectory,
  name: string,
): Promise<ScratchNode> {
  const path = parent.path === '' ? name : `${parent.path}/${name}`;
  const found = descriptors.pin(parent.fd, name);
  if (found.kind !== 'pinned') throw new Refusal(`${JSON.stringify(path)} can't be examined`);
  const { fd, stat } = found.pinned;

  if (isWhiteout(stat)) return { kind: 'whiteout' };
  if (stat.isDirectory()) {
    makeAccessible(fd, stat, 0o700);
    const opaque = parent.opaque || scan.marks.isOpaque(fd);
    const children = await scanEntries(scan, { fd, path, depth: parent.depth + 1, opaque });
    return { kind: 'directory', opaque, mode: stat.mode & 0o777, children };
  }
  if (stat.isSymbolicLink()) {
    const target = readLink(parent.fd, name);
    return target === null
      ? unfit(path, 'changed while it was examined')
      : { kind: 'symlink', state: { kind: 'symlink', target } };
  }
  if (!stat.isFile()) return unfit(path, `is a ${specialKind(stat)}`);
  if ((stat.mode & 0o6000) !== 0) return unfit(path, 'has its setuid or setgid bit set');
  return scanFile(scan, descriptors, { fd, stat }, path);
}

async function scanFile(
  scan: Scan,
  descriptors: Descriptors,
  file: { readonly fd: number; readonly stat: Stats },
  path: string,
): Promise<ScratchNode> {
  const { fd, stat } = file;
  // By apparent size: a sparse file costs its writer nothing, but its reader the whole size.
  if (stat.size > scan.limits.maxFileBytes)
    throw new Refusal(`${JSON.stringify(path)} is larger than ${scan.limits.maxFileBytes} bytes`);
  scan.bytes += stat.size;
  if (scan.bytes > scan.limits.maxBytes) throw new Refusal(`more than ${scan.limits.maxBytes} bytes were written`);
  if (stat.nlink > 1) {
    const seen = scan.links.get(stat.ino);
    if (seen === undefined) scan.links.set(stat.ino, { met: 1, claimed: stat.nlink, path });
    else seen.met += 1;
  }
  makeAccessible(fd, stat, 0o600);
  try {
    return { kind: 'file', state: await hashPinnedFile(descriptors, fd) };
  } catch (error) {
    // Copied up from a file of another user, with its mode.
    if (errnoOf(error) === 'EACCES') return unfit(path, "can't be read");
    throw error;
  }
}

/** A sandbox of the same uid can lock its files. This unlocks them and changes nothing else. */
function makeAccessible(fd: number, stat: Stats, bits: number): void {
  if ((stat.mode & bits) !== bits && stat.uid === process.geteuid?.())
    chmodSync(throughFd(fd), (stat.mode & 0o777) | bits);
}

/** Fatal: a name shown with replacement characters would not be the name that was written. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeName(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Refusal('a file name is not valid UTF-8');
  }
}

function unfit(path: string, what: string): ScratchNode {
  return { kind: 'unfit', reason: `${JSON.stringify(path)} ${what}` };
}

function specialKind(stat: Stats): string {
  if (stat.isFIFO()) return 'named pipe';
  if (stat.isSocket()) return 'socket';
  return 'device';
}
