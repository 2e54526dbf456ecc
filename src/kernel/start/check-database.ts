import type { AuditInput } from '../../contracts/audit-entry.ts';
import type { ChainKind } from '../audit/verify-chain.ts';
import { chainBreakEntry, databaseDamageEntry } from '../record/kernel-entries.ts';
import type { ReadSlice } from './check-chain.ts';
import { checkRest } from './check-chain.ts';
import type { Notice } from './start-notices.ts';
import { damageNotice } from './start-notices.ts';

export interface CheckedChain {
  readonly table: string;
  readonly chain: ChainKind;
  readonly read: ReadSlice;
  readonly entries: number;
}

export interface DatabaseChecks {
  readonly chains: readonly CheckedChain[];
  /**
   * Finds damage outside of the chains; the function returns null for a sound database. null if this check is not
   * needed.
   */
  readonly findDamage: ((signal: AbortSignal) => Promise<string | null>) | null;
  readonly pause: () => Promise<void>;
  readonly append: (entry: AuditInput) => void;
  /** Shows a notice to everybody, now and when a session is resumed. */
  readonly notify: (notice: Notice) => void;
  readonly trust: () => void;
  readonly distrust: () => void;
}

/**
 * The rest of the database check, while the kernel already serves requests. Records and reports what it finds, and has
 * the next start save what can be saved. Ends early with `signal`.
 */
export async function checkDatabase(checks: DatabaseChecks, signal: AbortSignal): Promise<void> {
  const { chains, pause, append } = checks;
  let damage: string | null = null;
  for (const { table, chain, read, entries } of chains) {
    const reading: ReadSlice = (from, limit) => {
      try {
        return read(from, limit);
      } catch (error) {
        damage ??= `${table}, from record ${from} on: ${String(error)}`;
        throw error;
      }
    };
    const fault = await checkRest(chain, reading, entries, { pause, signal });
    if (fault !== null) append(chainBreakEntry(table, fault));
  }
  const damagedRow = (await checks.findDamage?.(signal)) ?? null;
  if (damagedRow !== null) append(databaseDamageEntry(damagedRow));
  damage ??= damagedRow;
  if (damage !== null) {
    checks.distrust();
    checks.notify(damageNotice(damage));
  } else if (!signal.aborted) {
    checks.trust();
  }
}
