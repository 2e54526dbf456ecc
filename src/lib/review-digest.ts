import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';
import { verifyEd25519 } from './ed25519.ts';

/** Exactly what a person was shown and decides about. `base` is the commit to which it is applied. */
export interface ReviewSubject {
  readonly session_id: string;
  readonly base: string;
  readonly message: string;
  readonly diff: string;
}

/** SHA-256, as 64 hexadecimal digits, of the RFC 8785 form of exactly these four members. Throws for lone surrogates. */
export function reviewDigest({ session_id, base, message, diff }: ReviewSubject): string {
  return createHash('sha256').update(canonicalJson({ session_id, base, message, diff })).digest('hex');
}

/** Whether the holder of `publicKey` approved the review with this digest. The signature is over the digest's 32 bytes. */
export function verifyApproval(publicKey: string, sha256: string, signature: string): boolean {
  return /^[0-9a-f]{64}$/.test(sha256) && verifyEd25519(publicKey, Buffer.from(sha256, 'hex'), signature);
}
