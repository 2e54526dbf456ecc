import { createPublicKey, verify } from 'node:crypto';

const PUBLIC_KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/**
 * Whether `signature` (base64) was made over `message` by the holder of `publicKey` (base64 of the 32 raw bytes). False for malformed input, because
 * keys and signatures come from files and sockets.
 */
export function verifyEd25519(publicKey: string, message: Uint8Array, signature: string): boolean {
  const key = strictBase64(publicKey, PUBLIC_KEY_BYTES);
  const bytes = strictBase64(signature, SIGNATURE_BYTES);
  if (key === null || bytes === null) return false;
  try {
    const x = key.toString('base64url');
    return verify(null, message, createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }), bytes);
  } catch {
    return false;
  }
}

/** Node's decoder skips invalid characters, but two texts must not represent one signature. */
function strictBase64(text: string, length: number): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === length && bytes.toString('base64') === text ? bytes : null;
}
