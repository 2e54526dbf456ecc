import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** An Ed25519 key for signing; its secret half is not accessible. */
export interface SigningKey {
  /** Base64 of the 32 raw bytes. */
  readonly publicKey: string;
  /** Base64 of the 64 bytes. */
  sign(message: Uint8Array): string;
}

/** A new key, and its secret half as PKCS#8 for storing. */
export function generateSigningKey(): { readonly key: SigningKey; readonly pkcs8: Buffer } {
  const { privateKey } = generateKeyPairSync('ed25519');
  return { key: fromKeyObject(privateKey), pkcs8: privateKey.export({ format: 'der', type: 'pkcs8' }) };
}

/** null if the bytes are no Ed25519 key. */
export function signingKeyFrom(pkcs8: Buffer): SigningKey | null {
  try {
    const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
    return key.asymmetricKeyType === 'ed25519' ? fromKeyObject(key) : null;
  } catch {
    return null;
  }
}

function fromKeyObject(privateKey: KeyObject): SigningKey {
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  return {
    publicKey: Buffer.from(x ?? '', 'base64url').toString('base64'),
    sign: (message) => sign(null, message, privateKey).toString('base64'),
  };
}
