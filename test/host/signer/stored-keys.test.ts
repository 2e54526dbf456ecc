import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  anchorKey,
  anchorPublicKey,
  approvalKey,
  approvalPublicKey,
  protectApprovalKey,
  signApproval,
} from '../../../src/host/signer/index.ts';
import { reviewDigest, verifyApproval } from '../../../src/lib/review-digest.ts';

let home: string;
let dirs: { keys: string; trust: string };

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'fluffy-signer-'));
  dirs = { keys: join(home, 'keys'), trust: join(home, 'trust') };
});

afterEach(async () => {
  await rm(home, { recursive: true });
});

const nobody = (): Promise<null> => Promise.resolve(null);
const digest = reviewDigest({ session_id: 's_1', base: 'b', message: 'm', diff: 'd' });

describe('keys', () => {
  test('are made at their first use and stay the same', async () => {
    expect((await anchorKey(dirs)).publicKey).toBe((await anchorKey(dirs)).publicKey);
    expect((await approvalKey(dirs, nobody)).publicKey).toBe((await approvalKey(dirs, nobody)).publicKey);
  });

  test('of the machine are not made by asking for their public half', async () => {
    expect(await anchorPublicKey(dirs)).toBeNull();
    expect(await anchorPublicKey(dirs)).toBeNull();
    const { publicKey } = await anchorKey(dirs);
    expect(await anchorPublicKey(dirs)).toBe(publicKey);
  });

  test('of the machine and of the human are two', async () => {
    expect((await anchorKey(dirs)).publicKey).not.toBe((await approvalKey(dirs, nobody)).publicKey);
  });

  test('are for their owner alone', async () => {
    await anchorKey(dirs);
    await approvalKey(dirs, nobody);
    for (const path of [join(dirs.keys, 'anchor.key'), join(dirs.trust, 'approval.key')]) {
      expect((await stat(path)).mode & 0o777).toBe(0o600);
    }
    expect(await readdir(dirs.trust)).toEqual(['approval.key', 'approval.pub']);
  });

  test('are made once when many ask at the same time', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => anchorKey(dirs)));
    expect(new Set(keys.map(({ publicKey }) => publicKey)).size).toBe(1);
  });

  test('that others could read are refused', async () => {
    await anchorKey(dirs);
    await chmod(join(dirs.keys, 'anchor.key'), 0o644);
    await expect(anchorKey(dirs)).rejects.toMatchObject({ code: 'key_file_unsafe' });
  });

  test.each(['', 'garbage', '{"version":1,"protection":"none","pkcs8":"AAAA"}', '{"version":2}'])(
    'damaged as %j are not replaced',
    async (text) => {
      await anchorKey(dirs);
      const path = join(dirs.keys, 'anchor.key');
      await writeFile(path, text);
      await expect(anchorKey(dirs)).rejects.toMatchObject({ code: 'signing_key_damaged' });
      await expect(anchorPublicKey(dirs)).rejects.toMatchObject({ code: 'signing_key_damaged' });
      expect(await readFile(path, 'utf8')).toBe(text);
    },
  );
});

describe('a passphrase', () => {
  test('is asked for from then on, and must be right', async () => {
    const { publicKey } = await approvalKey(dirs, nobody);
    const plain = await readFile(join(dirs.trust, 'approval.key'), 'utf8');
    const { pkcs8 } = JSON.parse(plain) as { pkcs8: string };
    await protectApprovalKey(dirs, nobody, 'correct horse');
    expect(await readFile(join(dirs.trust, 'approval.key'), 'utf8')).not.toContain(pkcs8);
    await expect(approvalKey(dirs, nobody)).rejects.toMatchObject({ code: 'passphrase_needed', exitCode: 4 });
    await expect(approvalKey(dirs, () => Promise.resolve('wrong'))).rejects.toMatchObject({ code: 'passphrase_wrong' });
    expect((await approvalKey(dirs, () => Promise.resolve('correct horse'))).publicKey).toBe(publicKey);
  });

  test.each(['nonce', 'tag'])('is not tried on a file whose %s was cut', async (field) => {
    await approvalKey(dirs, nobody);
    const sealed = { salt: 'AAAA', nonce: 'A'.repeat(16), sealed: 'AAAA', tag: `${'A'.repeat(22)}==`, [field]: 'AAAA' };
    const stored = { version: 1, protection: 'scrypt-aes-256-gcm', ...sealed };
    await writeFile(join(dirs.trust, 'approval.key'), JSON.stringify(stored));
    await expect(approvalKey(dirs, () => Promise.resolve('any'))).rejects.toMatchObject({
      code: 'signing_key_damaged',
    });
  });

  test('is not needed to know the public key', async () => {
    const { publicKey } = await approvalKey(dirs, nobody);
    await protectApprovalKey(dirs, nobody, 'correct horse');
    expect(await approvalPublicKey(dirs)).toBe(publicKey);
  });

  test('can be taken off by who knows it', async () => {
    await protectApprovalKey(dirs, nobody, 'correct horse');
    await protectApprovalKey(dirs, () => Promise.resolve('correct horse'), '');
    await expect(approvalKey(dirs, nobody)).resolves.toBeDefined();
  });
});

describe('an approval', () => {
  test('holds for exactly what was shown', async () => {
    const { sha256, signature, public_key } = signApproval(await approvalKey(dirs, nobody), digest);
    expect(verifyApproval(public_key, sha256, signature)).toBe(true);
    const other = reviewDigest({ session_id: 's_1', base: 'b', message: 'm', diff: 'd ' });
    expect(verifyApproval(public_key, other, signature)).toBe(false);
  });

  test('of another key does not hold', async () => {
    const { sha256, signature } = signApproval(await anchorKey(dirs), digest);
    expect(verifyApproval(await approvalPublicKey(dirs), sha256, signature)).toBe(false);
  });

  test('is never made of what is no digest', async () => {
    const key = await approvalKey(dirs, nobody);
    expect(() => signApproval(key, 'zz')).toThrow();
  });
});
