import { createHash } from 'node:crypto';
import { PAYLOAD_TYPE } from '../../contracts/review/evidence.ts';
import type { DsseEnvelope } from '../../contracts/review/evidence.ts';
import { verifyEd25519 } from '../ed25519.ts';

/** A signer: base64 of the raw public key, base64 signatures. */
export interface EnvelopeSigner {
  readonly publicKey: string;
  sign(message: Uint8Array): string;
}

/**
 * The bytes that a DSSE signature covers: pre-authentication encoding, version 1. It begins with the scheme and the type, each with its length, so
 * that a signature cannot be used for another type of content.
 */
export function preAuthEncoding(payloadType: string, payload: Uint8Array): Buffer {
  const type = Buffer.from(payloadType);
  return Buffer.concat([Buffer.from(`DSSEv1 ${type.length} `), type, Buffer.from(` ${payload.length} `), payload]);
}

export function sealEnvelope(payload: Buffer, signer: EnvelopeSigner): DsseEnvelope {
  const sig = signer.sign(preAuthEncoding(PAYLOAD_TYPE, payload));
  return {
    payloadType: PAYLOAD_TYPE,
    payload: payload.toString('base64'),
    signatures: [{ keyid: keyFingerprint(signer.publicKey), sig }],
  };
}

/** The first of `publicKeys` (base64, raw) that made one of the envelope's signatures, or null. A `keyid` is only a claim and is not used. */
export function signerOf(envelope: DsseEnvelope, publicKeys: readonly string[]): string | null {
  const message = preAuthEncoding(envelope.payloadType, Buffer.from(envelope.payload, 'base64'));
  const signed = (key: string): boolean => envelope.signatures.some(({ sig }) => verifyEd25519(key, message, sig));
  return publicKeys.find(signed) ?? null;
}

/** SHA-256 of the 32 raw bytes of a public key, 64 hexadecimal digits: the key's name in an envelope. */
export function keyFingerprint(publicKey: string): string {
  return createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex');
}
