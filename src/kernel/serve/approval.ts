import { createPublicKey, verify } from 'node:crypto';

/** Whether an Ed25519 signature (base64) by a public key (base64 of its SPKI form) is over the 32 bytes of a hex digest. */
export function approvalHolds(approval: {
  readonly sha256: string;
  readonly signature: string;
  readonly public_key: string;
}): boolean {
  if (!/^[0-9a-f]{64}$/.test(approval.sha256)) return false;
  try {
    const key = createPublicKey({ key: Buffer.from(approval.public_key, 'base64'), format: 'der', type: 'spki' });
    if (key.asymmetricKeyType !== 'ed25519') return false;
    return verify(null, Buffer.from(approval.sha256, 'hex'), key, Buffer.from(approval.signature, 'base64'));
  } catch {
    return false;
  }
}
