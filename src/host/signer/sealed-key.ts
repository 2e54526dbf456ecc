import { createCipheriv, createDecipheriv, scrypt } from 'node:crypto';
import { z } from 'zod';

/**
 * The text form of a stored secret key: PKCS#8 in base64, plain or sealed with a passphrase (scrypt, AES-256-GCM). The version fixes the cost, so
 * that a file can request neither less work nor all the memory.
 */
const storedKeySchema = z.discriminatedUnion('protection', [
  z.strictObject({ version: z.literal(1), protection: z.literal('none'), pkcs8: z.string() }),
  z.strictObject({
    version: z.literal(1),
    protection: z.literal('scrypt-aes-256-gcm'),
    salt: z.string(),
    nonce: z.string(),
    sealed: z.string(),
    tag: z.string(),
  }),
]);

export type OpenedKey =
  | { readonly kind: 'opened'; readonly pkcs8: Buffer }
  | { readonly kind: 'needs-passphrase' }
  | { readonly kind: 'wrong-passphrase' }
  | { readonly kind: 'damaged' };

const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
const KEY_BYTES = 32;

export function storePlain(pkcs8: Buffer): string {
  return `${JSON.stringify({ version: 1, protection: 'none', pkcs8: pkcs8.toString('base64') })}\n`;
}

/** `random` returns that many random bytes. */
export async function storeSealed(
  pkcs8: Buffer,
  passphrase: string,
  random: (bytes: number) => Buffer,
): Promise<string> {
  const salt = random(16);
  const nonce = random(12);
  const cipher = createCipheriv('aes-256-gcm', await deriveKey(passphrase, salt), nonce);
  const sealed = Buffer.concat([cipher.update(pkcs8), cipher.final()]);
  const fields = { salt, nonce, sealed, tag: cipher.getAuthTag() };
  const texts = Object.fromEntries(Object.entries(fields).map(([name, bytes]) => [name, bytes.toString('base64')]));
  return `${JSON.stringify({ version: 1, protection: 'scrypt-aes-256-gcm', ...texts })}\n`;
}

export async function openStored(text: string, passphrase: string | null): Promise<OpenedKey> {
  const stored = parse(text);
  if (stored === null) return { kind: 'damaged' };
  if (stored.protection === 'none') return { kind: 'opened', pkcs8: Buffer.from(stored.pkcs8, 'base64') };
  if (passphrase === null) return { kind: 'needs-passphrase' };
  const [salt, nonce, sealed, tag] = [stored.salt, stored.nonce, stored.sealed, stored.tag].map((field) =>
    Buffer.from(field, 'base64'),
  );
  if (salt === undefined || nonce?.length !== 12 || sealed === undefined || tag?.length !== 16)
    return { kind: 'damaged' };
  const decipher = createDecipheriv('aes-256-gcm', await deriveKey(passphrase, salt), nonce).setAuthTag(tag);
  try {
    return { kind: 'opened', pkcs8: Buffer.concat([decipher.update(sealed), decipher.final()]) };
  } catch {
    return { kind: 'wrong-passphrase' };
  }
}

function parse(text: string): z.infer<typeof storedKeySchema> | null {
  try {
    return storedKeySchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

async function deriveKey(passphrase: string, salt: Buffer): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFC'), salt, KEY_BYTES, SCRYPT, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}
