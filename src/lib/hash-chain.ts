import { hash } from 'node:crypto';

/**
 * A chain of records: each names the hash of the one before, so that none can be changed, moved, added or taken out without
 * changing every later hash. All hashes are lower-case hexadecimal SHA-256.
 */

/** What the first record of a chain begun at `startedMs` (milliseconds since the epoch) has in place of a predecessor's hash. */
export function genesisHash(startedMs: number): string {
  return hash('sha256', `genesis:${startedMs}`, 'hex');
}

/** Hash of a record: over its predecessor's hash and its own RFC 8785 text, which leaves `hash` out. */
export function linkHash(previousHash: string, canonicalBody: string): string {
  return hash('sha256', previousHash + canonicalBody, 'hex');
}
