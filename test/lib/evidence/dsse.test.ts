import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { dsseEnvelopeSchema } from '../../../src/contracts/review/evidence.ts';
import { generateSigningKey } from '../../../src/host/signer/signing-key.ts';
import { keyFingerprint, preAuthEncoding, sealEnvelope, signerOf } from '../../../src/lib/evidence/dsse.ts';

describe('an envelope', () => {
  it('encodes as the example of the DSSE specification does', () => {
    const encoded = preAuthEncoding('http://example.com/HelloWorld', Buffer.from('hello world'));
    expect(encoded.toString()).toBe('DSSEv1 29 http://example.com/HelloWorld 11 hello world');
  });

  it('counts bytes, not characters', () => {
    expect(preAuthEncoding('ä', Buffer.from('ö')).toString()).toBe('DSSEv1 2 ä 2 ö');
  });

  it('is signed so that any Ed25519 tool can tell', () => {
    const { key } = generateSigningKey();
    const envelope = sealEnvelope(Buffer.from('{}'), key);
    expect(dsseEnvelopeSchema.parse(envelope)).toEqual(envelope);
    const x = Buffer.from(key.publicKey, 'base64').toString('base64url');
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    const message = Buffer.from('DSSEv1 28 application/vnd.in-toto+json 2 {}');
    expect(verify(null, message, publicKey, Buffer.from(envelope.signatures[0]?.sig ?? '', 'base64'))).toBe(true);
    expect(envelope.signatures[0]?.keyid).toBe(keyFingerprint(key.publicKey));
  });

  it('names its signer among the keys asked for, whatever key id it claims', () => {
    const [a, b] = [generateSigningKey().key, generateSigningKey().key];
    const envelope = sealEnvelope(Buffer.from('{}'), a);
    const lying = {
      ...envelope,
      signatures: envelope.signatures.map(({ sig }) => ({ keyid: keyFingerprint(b.publicKey), sig })),
    };
    expect(signerOf(lying, [b.publicKey, a.publicKey])).toBe(a.publicKey);
    expect(signerOf(lying, [b.publicKey])).toBeNull();
    expect(signerOf(envelope, [])).toBeNull();
  });
});
