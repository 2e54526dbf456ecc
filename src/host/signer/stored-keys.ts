import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { UserDirs } from '../../contracts/host-layout.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { readPrivateFile, writePrivateFile } from '../secrets/private-file.ts';
import { openStored, storePlain, storeSealed } from './sealed-key.ts';
import type { SigningKey } from './signing-key.ts';
import { generateSigningKey, signingKeyFrom } from './signing-key.ts';

type KeyDirs = Pick<UserDirs, 'keys' | 'trust'>;

/** Asks the user; null if no user can be asked. */
export type AskPassphrase = () => Promise<string | null>;

/**
 * The key that signs the audit log's heads without a person. It means "this machine saw it", never "a person agreed". Created at its first use.
 * Throws FluffyError `key_file_unsafe`, `signing_key_damaged`.
 */
export async function anchorKey(dirs: KeyDirs): Promise<SigningKey> {
  return await loadOrMake(anchorKeyPath(dirs), () => Promise.resolve(null));
}

/** The public half of the anchor key, for verification; null if there is none: a key created now would not fit the existing signatures. */
export async function anchorPublicKey(dirs: KeyDirs): Promise<string | null> {
  const path = anchorKeyPath(dirs);
  const stored = await readStored(path);
  if (stored === null) return null;
  const key = signingKeyFrom(await readSecret(path, stored, () => Promise.resolve(null)));
  if (key === null) throw damaged(path);
  return key.publicKey;
}

/**
 * The key that signs a person's approval; only a decision by a person may use it. Created at its first use, without a passphrase;
 * `protectApprovalKey` adds one. Throws FluffyError `key_file_unsafe`, `signing_key_damaged`, `passphrase_needed`, `passphrase_wrong`.
 */
export async function approvalKey(dirs: KeyDirs, askPassphrase: AskPassphrase): Promise<SigningKey> {
  const key = await loadOrMake(approvalKeyPath(dirs), askPassphrase);
  await writePublicKey(dirs, key);
  return key;
}

/** The public half of the approval key, for checking approvals: a key is created if there is none, and no passphrase is needed. */
export async function approvalPublicKey(dirs: KeyDirs): Promise<string> {
  return (await knownApprovalKey(dirs)) ?? (await approvalKey(dirs, () => Promise.resolve(null))).publicKey;
}

/** The same, or null if there is none yet; no key is created. */
export async function knownApprovalKey(dirs: Pick<KeyDirs, 'trust'>): Promise<string | null> {
  const path = publicKeyPath(dirs);
  return (await readPrivateFile(path, `Remove it: rm ${path}`))?.trim() ?? null;
}

/** Seals the approval key with a passphrase from now on; an empty one removes the seal. Throws like `approvalKey`. */
export async function protectApprovalKey(
  dirs: KeyDirs,
  askPassphrase: AskPassphrase,
  newPassphrase: string,
): Promise<void> {
  const path = approvalKeyPath(dirs);
  await approvalKey(dirs, askPassphrase);
  const pkcs8 = await readSecret(path, (await readStored(path)) ?? '', askPassphrase);
  const text = newPassphrase === '' ? storePlain(pkcs8) : await storeSealed(pkcs8, newPassphrase, randomBytes);
  await writePrivateFile(path, text, { ifAbsent: false });
}

/** Approves the review with this digest (`reviewDigest`), in the form of `review.decide`. */
export function signApproval(
  key: SigningKey,
  sha256: string,
): { readonly sha256: string; readonly signature: string; readonly public_key: string } {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new TypeError('a digest has 64 hexadecimal digits');
  return { sha256, signature: key.sign(Buffer.from(sha256, 'hex')), public_key: key.publicKey };
}

const anchorKeyPath = (dirs: KeyDirs): string => join(dirs.keys, 'anchor.key');
const approvalKeyPath = (dirs: KeyDirs): string => join(dirs.trust, 'approval.key');
const publicKeyPath = (dirs: Pick<KeyDirs, 'trust'>): string => join(dirs.trust, 'approval.pub');

async function loadOrMake(path: string, askPassphrase: AskPassphrase): Promise<SigningKey> {
  let stored = await readStored(path);
  if (stored === null) {
    await writePrivateFile(path, storePlain(generateSigningKey().pkcs8), { ifAbsent: true });
    // The first writer decides: both read the same key.
    stored = await readStored(path);
  }
  const key = signingKeyFrom(await readSecret(path, stored ?? '', askPassphrase));
  if (key === null) throw damaged(path);
  return key;
}

async function readStored(path: string): Promise<string | null> {
  return await readPrivateFile(path, 'Move it away; a new key is made, and verifiers must trust the new one');
}

async function readSecret(path: string, stored: string, askPassphrase: AskPassphrase): Promise<Buffer> {
  let opened = await openStored(stored, null);
  if (opened.kind === 'needs-passphrase') {
    const passphrase = await askPassphrase();
    if (passphrase !== null) opened = await openStored(stored, passphrase);
  }
  switch (opened.kind) {
    case 'opened':
      return opened.pkcs8;
    case 'damaged':
      throw damaged(path);
    case 'needs-passphrase':
      throw passphraseError('passphrase_needed', 'it has a passphrase, and there is no terminal to ask for it');
    case 'wrong-passphrase':
      throw passphraseError('passphrase_wrong', 'the passphrase does not open it');
    default:
      return assertNever(opened);
  }
}

async function writePublicKey(dirs: KeyDirs, key: SigningKey): Promise<void> {
  const path = publicKeyPath(dirs);
  const known = await readPrivateFile(path, `Remove it: rm ${path}`);
  if (known?.trim() === key.publicKey) return;
  await writePrivateFile(path, `${key.publicKey}\n`, { ifAbsent: false });
}

function passphraseError(code: 'passphrase_needed' | 'passphrase_wrong', why: string): FluffyError {
  return new FluffyError({
    code,
    what: 'The approval key cannot be used',
    why,
    fix: 'Set FLUFFY_PASSPHRASE to the passphrase of the key, only for this command',
    exitCode: EXIT.decisionNeeded,
  });
}

function damaged(path: string): FluffyError {
  return new FluffyError({
    code: 'signing_key_damaged',
    what: `The signing key ${path} cannot be used`,
    why: "the file does not contain an Ed25519 key in fluffy's format",
    fix: 'Restore it from a backup, or move it away: a new key is made, and verifiers must trust the new one',
    exitCode: EXIT.usage,
  });
}
