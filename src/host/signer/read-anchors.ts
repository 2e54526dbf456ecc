import { constants } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import type { ProjectDirs } from '../../contracts/host-layout.ts';
import type { Anchor } from './anchor-line.ts';
import { readAnchorLine } from './anchor-line.ts';
import { FIRST_EPOCH, readEpochLine } from './epoch-line.ts';
import type { EpochStart } from './epoch-line.ts';

export type AnchorDirs = Pick<ProjectDirs, 'id' | 'anchors'>;

/** The heads of one epoch, in the order of the file, with verified signatures. */
export interface SignedEpoch {
  readonly start: EpochStart;
  readonly anchors: readonly Anchor[];
  /** Lines that this key did not sign for this project: written by another program, or damaged. */
  readonly badLines: readonly number[];
  /** Bad lines after the last valid head: each may have been a newer head. */
  readonly badTail: readonly number[];
}

export interface AnchorReading {
  /** At least one; the last is the current one. */
  readonly epochs: readonly [SignedEpoch, ...SignedEpoch[]];
  /** Why the file was not read at all. */
  readonly unreadable?: string;
}

const MAX_FILE_BYTES = 64 * 1024 * 1024;
const NOTHING = { start: FIRST_EPOCH, anchors: [], badLines: [], badTail: [] } as const;

/**
 * Reads every anchor of the project. The file is not trusted: unsigned lines do not count, and are reported. `any-epoch` is for a file of single
 * heads, without the lines that begin epochs.
 */
export async function readAnchors(
  dirs: AnchorDirs,
  publicKey: string,
  wanted: 'in-order' | 'any-epoch' = 'in-order',
): Promise<AnchorReading> {
  const file = await open(dirs.anchors, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw error;
    },
  );
  if (file === null) return { epochs: [NOTHING] };
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return { epochs: [NOTHING], unreadable: 'it is not a regular file' };
    if (stats.size > MAX_FILE_BYTES)
      return { epochs: [NOTHING], unreadable: `it has ${stats.size} bytes, more than fluffy ever writes` };
    const lines = (await file.readFile('latin1')).split('\n');
    // The text after the last line feed is an unfinished write: neither an anchor nor a fault.
    lines.pop();
    if (wanted === 'in-order') return { epochs: readLines(lines, dirs.id, publicKey) };
    const anchors = lines.map((line) => readAnchorLine(line, dirs.id, publicKey)).filter((anchor) => anchor !== null);
    return { epochs: [{ ...NOTHING, anchors }] };
  } finally {
    await file.close();
  }
}

/** Pure. Lines are numbered from 1. */
export function readLines(lines: readonly string[], project: string, publicKey: string): AnchorReading['epochs'] {
  const epochs: [Collected, ...Collected[]] = [emptyEpoch(FIRST_EPOCH)];
  let current = epochs[0];
  for (const [index, line] of lines.entries()) {
    const anchor = readAnchorLine(line, project, publicKey);
    if (anchor !== null && (anchor.epoch ?? 1) === current.start.epoch) {
      current.anchors.push(anchor);
      current.badTail = [];
      continue;
    }
    const start = anchor === null ? readEpochLine(line, project, publicKey) : null;
    if (start !== null && start.epoch > current.start.epoch) {
      current = emptyEpoch(start);
      epochs.push(current);
      continue;
    }
    current.badLines.push(index + 1);
    current.badTail.push(index + 1);
  }
  return epochs;
}

interface Collected {
  readonly start: EpochStart;
  readonly anchors: Anchor[];
  readonly badLines: number[];
  badTail: number[];
}

function emptyEpoch({ epoch, entries, head }: EpochStart): Collected {
  return { start: { epoch, entries, head }, anchors: [], badLines: [], badTail: [] };
}

/** The line of the newest head, unchanged; null if there is none. */
export async function newestLine(dirs: AnchorDirs, publicKey: string): Promise<string | null> {
  const text = await readFile(dirs.anchors, 'latin1').catch(() => '');
  const lines = text.split('\n').slice(0, -1);
  return lines.findLast((line) => readAnchorLine(line, dirs.id, publicKey) !== null) ?? null;
}
