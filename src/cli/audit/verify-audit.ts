import Database from 'better-sqlite3';
import { EXIT } from '../../contracts/exit-codes.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import { AnchorComparison } from '../../kernel/audit/compare-anchors.ts';
import type { Anchor } from '../../kernel/audit/compare-anchors.ts';
import { AUDIT_CHAIN, followChain } from '../../kernel/audit/verify-chain.ts';
import type { ChainFault, ChainPosition } from '../../kernel/audit/verify-chain.ts';
import type { SnapshotOptions } from '../../platform/sqlite/open-snapshot.ts';
import { openSnapshot } from '../../platform/sqlite/open-snapshot.ts';
import type { FoundRow } from '../../platform/sqlite/chain-rows.ts';
import { chainRows } from '../../platform/sqlite/chain-rows.ts';

/** What is known of the records of one epoch. */
export interface EpochVerdict {
  readonly epoch: number;
  readonly intact: boolean;
  /** The last record that could be followed without a fault in the chain itself. */
  readonly entries: number;
  /** Hash of it; null if there are none. */
  readonly head: string | null;
  /** Records up to this one are as the host signed them; 0 if none was signed. */
  readonly anchored_through: number;
  readonly first_bad: ChainFault | null;
  /** Records up to this one are to be believed. */
  readonly trustworthy_through: number;
}

/** What `fluffy audit verify --json` prints: the current epoch, and those that a person has closed by `fluffy audit reset`. */
export interface AuditVerdict extends EpochVerdict {
  readonly earlier: readonly EpochVerdict[];
}

/** The heads that the host signed in one epoch, signatures already checked. */
export interface EpochRead {
  readonly epoch: number;
  /** Where its records begin: after this one. */
  readonly start: ChainPosition;
  readonly anchors: readonly Anchor[];
  /** Why there may have been others: then nothing behind these is known to be whole. */
  readonly doubt: string | null;
}

/** Oldest first; the last is the current one. */
export type AnchorsRead = readonly [EpochRead, ...EpochRead[]];

export interface VerifyOptions {
  readonly databasePath: string;
  readonly readAnchors: () => AnchorsRead | Promise<AnchorsRead>;
  readonly snapshot?: SnapshotOptions;
}

/**
 * Follows the whole chain and compares it with what was signed. The anchors are read first: read last, they could be of records
 * younger than the copy of the database, which would look like a cut. Throws FluffyError for what is no verdict: unreadable files, a newer database.
 */
export async function verifyAudit(options: VerifyOptions): Promise<AuditVerdict> {
  const epochs = await options.readAnchors();
  const snapshot = openSnapshot(options.databasePath, options.snapshot);
  const rows = (from: number | undefined): Iterable<FoundRow> =>
    snapshot.kind === 'open' ? chainRows(snapshot.connection, 'audit', from) : [];
  const unusable = snapshot.kind === 'unusable' ? `unreadable: ${snapshot.reason}` : null;
  try {
    const verdicts = epochs.map((epoch, index) => judgeEpoch(epoch, endOf(epochs, index), rows, unusable));
    const current = verdicts.at(-1) ?? judgeEpoch(epochs[0], Infinity, rows, unusable);
    return { ...current, earlier: verdicts.slice(0, -1) };
  } finally {
    if (snapshot.kind === 'open') snapshot.close();
  }
}

export function auditExitCode(verdict: Pick<AuditVerdict, 'intact'>): ExitCode {
  return verdict.intact ? EXIT.done : EXIT.auditBroken;
}

/** The last record of an epoch: later ones belong to a later epoch, also where that began again with the first. */
function endOf(epochs: AnchorsRead, index: number): number {
  return Math.min(Infinity, ...epochs.slice(index + 1).map(({ start }) => start.entries));
}

interface Followed {
  readonly position: ChainPosition;
  readonly fault: ChainFault | null;
}

function judgeEpoch(
  epoch: EpochRead,
  end: number,
  rows: (from: number | undefined) => Iterable<FoundRow>,
  unusable: string | null,
): EpochVerdict {
  const { start } = epoch;
  const anchors = new AnchorComparison(epoch.anchors, start.entries);
  const followed =
    unusable === null
      ? followRows(start, until(end, rows(start.entries === 0 ? undefined : start.entries + 1)), anchors)
      : { position: start, fault: { id: start.entries + 1, reason: unusable } };
  return judge(epoch, followed, anchors);
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
  // A chain that contradicts what was signed was made by somebody who can make chains: only what was signed counts then.
  const trustworthy = rewritten ? anchors.agreedThrough : position.entries;
  return {
    epoch,
    intact: firstBad === null,
    entries: position.entries,
    head: position.hash,
    anchored_through: anchors.agreedThrough,
    first_bad: firstBad,
    trustworthy_through: trustworthy,
  };
}
