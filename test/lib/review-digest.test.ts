import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { reviewDigest, verifyApproval } from '../../src/lib/review-digest.ts';

const subject = { session_id: 's_abcdefgh', base: 'f'.repeat(40), message: 'Fix ü', diff: '--- a\n+++ b\n' };

describe('reviewDigest', () => {
  test('is the hash of the canonical form, by hand', () => {
    const text = `{"base":"${subject.base}","diff":"--- a\\n+++ b\\n","message":"Fix ü","session_id":"s_abcdefgh"}`;
    expect(reviewDigest(subject)).toBe(createHash('sha256').update(text).digest('hex'));
  });

  test.each(['session_id', 'base', 'message', 'diff'] as const)('changes with %s', (member) => {
    expect(reviewDigest({ ...subject, [member]: `${subject[member]} ` })).not.toBe(reviewDigest(subject));
  });

  test('does not see members that are not shown', () => {
    expect(reviewDigest({ ...subject, ...{ risk: 'low' } })).toBe(reviewDigest(subject));
  });
});

describe('verifyApproval', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64');
  const digest = reviewDigest(subject);
  const signature = sign(null, Buffer.from(digest, 'hex'), privateKey).toString('base64');

  test('takes the signature of the key', () => {
    expect(verifyApproval(key, digest, signature)).toBe(true);
  });

  test.each([
    ['an empty signature', key, digest, ''],
    ['a signature with junk that decoders skip', key, digest, `${signature}\n`],
    [
      'a signature in the URL alphabet',
      key,
      digest,
      signature.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
    ],
    ['a signature cut short', key, digest, Buffer.from(signature, 'base64').subarray(1).toString('base64')],
    ['an empty key', '', digest, signature],
    ['a key that is no point', Buffer.alloc(32, 255).toString('base64'), digest, signature],
    [
      'the all-zero key and signature',
      Buffer.alloc(32).toString('base64'),
      digest,
      Buffer.alloc(64).toString('base64'),
    ],
    ['a digest in capitals', key, digest.toUpperCase(), signature],
    ['no digest', key, '', signature],
  ])('refuses %s', (_what, publicKeyText, sha256, signatureText) => {
    expect(verifyApproval(publicKeyText, sha256, signatureText)).toBe(false);
  });
});
