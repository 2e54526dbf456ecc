import Database from 'better-sqlite3';
import { EXIT } from '../../contracts/exit-codes.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import { AnchorComparison } from '../../kernel/audit/compare-anchors.ts';
import type { Anchor } from '../../kernel/audit/compare-anchors.ts';
import { deletionIn, startBefore } from '../../kernel/audit/chain-start.ts';
import { AUDIT_CHAIN, followChain } from '../../kernel/audit/verify-chain.ts';
import type { ChainFault, ChainPosition } from '../../kernel/audit/verify-chain.ts';
import type { SnapshotOptions } from '../../platform/sqlite/open-snapshot.ts';
import { openSnapshot } from '../../platform/sqlite/open-snapshot.ts';
import type { FoundRow } from '../../platform/sqlite/chain-rows.ts';
import { allRecords } from '../../platform/sqlite/audit-archive.ts';

/** The verification result of one epoch. */
export interface EpochVerdict {
  readonly epoch: number;
  readonly intact: boolean;
  /** The last record without a fault in the chain before it. */
  readonly entries: number;
  /** Hash of this record; null if there is none. */
  readonly head: string | null;
  /** The records up to this one agree with the host's signatures; 0 if none was signed. */
  readonly anchored_through: number;
  readonly first_bad: ChainFault | null;
  /** A later record says that all records of this epoch were deleted. */
  readonly deleted: boolean;
  /** The records up to this one can be trusted. */
  readonly trustworthy_through: number;
}

/** The output of `fluffy audit verify --json`: the current epoch, and those that a person has closed by `fluffy audit reset`. */
export interface AuditVerdict extends EpochVerdict {
  readonly earlier: readonly EpochVerdict[];
}

/** The heads that the host signed in one epoch, with verified signatures. */
export interface EpochRead {
  readonly epoch: number;
  /** The record after which the epoch begins. */
  readonly start: ChainPosition;
  readonly anchors: readonly Anchor[];
  /** Why heads may be missing. Then it is unknown whether the log after these heads is complete. */
  readonly doubt: string | null;
}

/** Oldest first; the last is the current one. */
export type AnchorsRead = readonly [EpochRead, ...EpochRead[]];

export interface VerifyOptions {
  readonly databasePath: string;
  /** Directory of records that were moved out of the database. */
  readonly archives?: string;
  readonly readAnchors: () => AnchorsRead | Promise<AnchorsRead>;
  readonly snapshot?: SnapshotOptions;
}

/**
 * Follows the whole chain and compares it with the signatures. The anchors are read first: read later, they could cover records that are newer than
 * the copy of the database, which would look like a truncated log. Throws FluffyError if there is no verdict: unreadable files, a newer database.
 */
export async function verifyAudit(options: VerifyOptions): Promise<AuditVerdict> {
  const epochs = await options.readAnchors();
  const snapshot = openSnapshot(options.databasePath, options.snapshot);
  const rows = (from: number | undefined): Iterable<FoundRow> =>
    snapshot.kind === 'open' ? allRecords(snapshot.connection, options.archives, from) : [];
  const unusable = snapshot.kind === 'unusable' ? `unreadable: ${snapshot.reason}` : null;
  try {
    const records = recordsOf(rows, unusable);
    const verdicts = epochs.map((epoch, index) => judgeEpoch(epoch, endOf(epochs, index), records));
    const current = verdicts.at(-1) ?? judgeEpoch(epochs[0], Infinity, records);
    return { ...current, earlier: verdicts.slice(0, -1) };
  } finally {
    if (snapshot.kind === 'open') snapshot.close();
  }
}

export function auditExitCode(verdict: Pick<AuditVerdict, 'intact'>): ExitCode {
  return verdict.intact ? EXIT.done : EXIT.auditBroken;
}

/** The last record of an epoch. Later ones belong to a later epoch, also if that began again with the first record. */
function endOf(epochs: AnchorsRead, index: number): number {
  return Math.min(Infinity, ...epochs.slice(index + 1).map(({ start }) => start.entries));
}

interface Records {
  readonly rows: (from: number | undefined) => Iterable<FoundRow>;
  /** The position before the first record. */
  readonly begin: ChainPosition;
  /** Whether a record says that the records up to there were deleted. */
  readonly isDeletion: boolean;
  /** Why no record can be read. */
  readonly unusable: string | null;
}

interface Followed {
  readonly position: ChainPosition;
  readonly fault: ChainFault | null;
}

function recordsOf(rows: Records['rows'], unusable: string | null): Records {
  const begin = startBefore(firstOf(rows(undefined)));
  return { rows, begin, isDeletion: begin.entries > 0 && namesDeletion(rows(undefined), begin), unusable };
}

function judgeEpoch(epoch: EpochRead, end: number, { rows, begin, isDeletion, unusable }: Records): EpochVerdict {
  // The oldest records may have been deleted, and with them a part of an epoch or all of it.
  const isCut = begin.entries > epoch.start.entries && end > epoch.start.entries;
  if (isCut && isDeletion && begin.entries >= end) return deletedEpoch(epoch, end);
  const start = isCut && begin.entries < end ? begin : epoch.start;
  const anchors = new AnchorComparison(
    epoch.anchors.filter(({ entries }) => entries > start.entries),
    start.entries,
  );
  if (unusable !== null) {
    const fault = { id: start.entries + 1, reason: unusable };
    return judge(epoch, { position: start, fault }, anchors);
  }
  const wanted = until(end, rows(start.entries === 0 ? undefined : start.entries + 1));
  const followed = followRows(start, wanted, anchors);
  if (!isCut || isDeletion) return judge(epoch, followed, anchors);
  const reason = `missing: records up to ${begin.entries} are missing, and no record says that they were deleted`;
  return judge(epoch, { position: epoch.start, fault: { id: epoch.start.entries + 1, reason } }, anchors);
}

function deletedEpoch({ epoch }: EpochRead, end: number): EpochVerdict {
  return {
    epoch,
    intact: true,
    entries: end,
    head: null,
    anchored_through: 0,
    first_bad: null,
    deleted: true,
    trustworthy_through: end,
  };
}

/** Searched in all epochs, because the record is newer than what was deleted. */
function namesDeletion(rows: Iterable<FoundRow>, { entries, hash }: ChainPosition): boolean {
  try {
    for (const { body } of rows) {
      const deletion = deletionIn(body);
      if (deletion?.entries === entries && deletion.hash === hash) return true;
    }
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
  }
  return false;
}

function followRows(start: ChainPosition, rows: Iterable<FoundRow>, anchors: AnchorComparison): Followed {
  let position = start;
  try {
    return followChain(
      AUDIT_CHAIN,
      rows,
      (good) => {
        position = good;
        anchors.see(good.entries, good.hash);
      },
      start,
    );
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    return { position, fault: { id: position.entries + 1, reason: `unreadable: ${error.message}` } };
  }
}

/** null also if the first row cannot be read; following the chain will report that. */
function firstOf(rows: Iterable<FoundRow>): FoundRow | null {
  try {
    for (const row of rows) return row;
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
  }
  return null;
}

function* until(end: number, rows: Iterable<FoundRow>): Generator<FoundRow> {
  for (const row of rows) {
    if (row.id > end) return;
    yield row;
  }
}

function judge({ epoch, doubt }: EpochRead, { position, fault }: Followed, anchors: AnchorComparison): EpochVerdict {
  const doubted = doubt === null ? null : { id: anchors.agreedThrough + 1, reason: doubt };
  const anchorFault = anchors.fault(position.entries) ?? doubted;
  const rewritten = anchorFault !== null && (fault === null || anchorFault.id < fault.id);
  const firstBad = rewritten ? anchorFault : fault;
  // A chain that contradicts the signatures was forged, so only the signed part counts.
  const trustworthy = rewritten ? anchors.agreedThrough : position.entries;
  return {
    epoch,
    intact: firstBad === null,
    entries: position.entries,
    head: position.hash,
    anchored_through: anchors.agreedThrough,
    first_bad: firstBad,
    deleted: false,
    trustworthy_through: trustworthy,
  };
}
