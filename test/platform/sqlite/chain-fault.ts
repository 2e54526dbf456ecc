import { openSnapshot } from '../../../src/platform/sqlite/open-snapshot.ts';
import { chainRows } from '../../../src/platform/sqlite/chain-rows.ts';
import { TRANSITION_CHAIN } from '../../../src/kernel/audit/transition-chain.ts';
import { AUDIT_CHAIN, followChain } from '../../../src/kernel/audit/verify-chain.ts';
import type { ChainFault } from '../../../src/kernel/audit/verify-chain.ts';

/** The first fault of a chain on the disk, or null. */
export function chainFault(path: string, table: 'audit' | 'transitions' = 'audit'): ChainFault | null {
  const snapshot = openSnapshot(path);
  if (snapshot.kind !== 'open') throw new Error(`no database at ${path}`);
  try {
    return followChain(table === 'audit' ? AUDIT_CHAIN : TRANSITION_CHAIN, chainRows(snapshot.connection, table)).fault;
  } finally {
    snapshot.close();
  }
}
