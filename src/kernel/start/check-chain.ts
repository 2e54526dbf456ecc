import { startBefore } from '../audit/chain-start.ts';
import type { ChainFault, ChainKind, ChainPosition, ChainRow } from '../audit/verify-chain.ts';
import { START, followChain } from '../audit/verify-chain.ts';

/** At most `limit` rows of a chain, in order, starting at an id. Throws if the file is damaged. */
export type ReadSlice = (fromId: number, limit: number) => readonly ChainRow[];

/**
 * Number of records checked before the first request. The rest is checked in the background, so that a long log does
 * not delay a start.
 */
export const CHECKED_AT_START = 500;
const SLICE_ROWS = 200;

/** Checks the last records of a chain that has `entries` records, each linked to the one before. */
export function checkEnd(chain: ChainKind, read: ReadSlice, entries: number): ChainFault | null {
  const from = Math.max(1, entries - CHECKED_AT_START + 1);
  try {
    const before = from === 1 ? null : (read(from - 1, 1)[0]?.hash ?? null);
    const position = from === 1 ? START : { entries: from - 1, hash: before };
    return followChain(chain, read(from, CHECKED_AT_START), undefined, position).fault;
  } catch (error) {
    return { id: from, reason: `unreadable: ${String(error)}` };
  }
}

/**
 * Checks everything that `checkEnd` left out, slice by slice; `pause` lets the process do other work in between. null
 * for a correct chain, and if `signal` ended the check early.
 */
export async function checkRest(
  chain: ChainKind,
  read: ReadSlice,
  entries: number,
  { pause, signal }: { readonly pause: () => Promise<void>; readonly signal: AbortSignal },
): Promise<ChainFault | null> {
  const last = entries - CHECKED_AT_START;
  let position: ChainPosition = START;
  while (position.entries < last) {
    await pause();
    if (signal.aborted) return null;
    const from = position.entries + 1;
    try {
      const rows = read(from, Math.min(SLICE_ROWS, last - position.entries));
      // Older records may have been moved out of the database.
      if (from === 1) position = startBefore(rows[0] ?? null);
      const checked = followChain(chain, rows, undefined, position);
      if (checked.fault !== null) return checked.fault;
      if (checked.position.entries < from) return { id: from, reason: 'missing' };
      position = checked.position;
    } catch (error) {
      return { id: from, reason: `unreadable: ${String(error)}` };
    }
  }
  return null;
}
