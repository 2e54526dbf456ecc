import Database from 'better-sqlite3';
import { EXIT } from '../../contracts/exit-codes.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import { AnchorComparison } from '../../kernel/audit/compare-anchors.ts';
import type { Anchor } from '../../kernel/audit/compare-anchors.ts';
import { AUDIT_CHAIN, START, followChain } from '../../kernel/audit/verify-chain.ts';
import type { ChainFault, ChainPosition } from '../../kernel/audit/verify-chain.ts';
import type { SnapshotOptions } from '../../platform/sqlite/open-snapshot.ts';
import { openSnapshot } from '../../platform/sqlite/open-snapshot.ts';
import { chainRows } from '../../platform/sqlite/chain-rows.ts';

/** What `fluffy audit verify --json` prints. */
export interface AuditVerdict {
  readonly intact: boolean;
  /** Records that could be followed without a fault in the chain itself. */
  readonly entries: number;
  /** Hash of the last of them; null if there are none. */
  readonly head: string | null;
  /** Records up to this one are as the host signed them; 0 if none was signed. */
  readonly anchored_through: number;
  readonly first_bad: ChainFault | null;
  /** Records up to this one are to be believed. */
  readonly trustworthy_through: number;
}

export interface AnchorsRead {
  /** The heads that the host signed, signatures already checked; empty if there are none. */
  readonly anchors: readonly Anchor[];
  /** Why there may have been others: then nothing behind these is known to be whole. */
  readonly doubt: string | null;
}

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
  const read = await options.readAnchors();
  const anchors = new AnchorComparison(read.anchors);
  return judge(followDatabase(options, anchors), anchors, read.doubt);
}

export function auditExitCode(verdict: AuditVerdict): ExitCode {
  return verdict.intact ? EXIT.done : EXIT.auditBroken;
}

interface Followed {
  readonly position: ChainPosition;
  readonly fault: ChainFault | null;
}

function followDatabase(options: VerifyOptions, anchors: AnchorComparison): Followed {
  const snapshot = openSnapshot(options.databasePath, options.snapshot);
  if (snapshot.kind === 'missing') return { position: START, fault: null };
  if (snapshot.kind === 'unusable') {
    return { position: START, fault: { id: 1, reason: `unreadable: ${snapshot.reason}` } };
  }
  let position = START;
  try {
    return followChain(AUDIT_CHAIN, chainRows(snapshot.connection, 'audit'), (good) => {
      position = good;
      anchors.see(good.entries, good.hash);
    });
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    return { position, fault: { id: position.entries + 1, reason: `unreadable: ${error.message}` } };
  } finally {
    snapshot.close();
  }
}

function judge({ position, fault }: Followed, anchors: AnchorComparison, doubt: string | null): AuditVerdict {
  const doubted = doubt === null ? null : { id: anchors.agreedThrough + 1, reason: doubt };
  const anchorFault = anchors.fault(position.entries) ?? doubted;
  const rewritten = anchorFault !== null && (fault === null || anchorFault.id < fault.id);
  const firstBad = rewritten ? anchorFault : fault;
  // A chain that contradicts what was signed was made by somebody who can make chains: only what was signed counts then.
  const trustworthy = rewritten ? anchors.agreedThrough : position.entries;
  return {
    intact: firstBad === null,
    entries: position.entries,
    head: position.hash,
    anchored_through: anchors.agreedThrough,
    first_bad: firstBad,
    trustworthy_through: trustworthy,
  };
}
