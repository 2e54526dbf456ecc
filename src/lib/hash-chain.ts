import { hash } from 'node:crypto';

/**
 * A chain of records: each contains the hash of the record before it, so that none can be changed, moved, added or removed without changing every
 * later hash. All hashes are lower-case hexadecimal SHA-256.
 */

/** The previous hash in the first record of a chain that began at `startedMs` (milliseconds since the epoch). */
export function genesisHash(startedMs: number): string {
  return hash('sha256', `genesis:${startedMs}`, 'hex');
}

/** Hash of a record: over its predecessor's hash and its own RFC 8785 text without `hash`. */
export function linkHash(previousHash: string, canonicalBody: string): string {
  return hash('sha256', previousHash + canonicalBody, 'hex');
}
