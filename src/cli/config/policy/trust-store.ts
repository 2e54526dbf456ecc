import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EXIT } from '../../../contracts/exit-codes.ts';
import { FluffyError } from '../../../contracts/fluffy-error.ts';

/**
 * Which project policies this user has signed: one file for each, named by the SHA-256 of the policy's text, under `<trust>/policies/` in the
 * user's own configuration. `trustDirectory` is `userDirs(…).trust`.
 */
const HASH = /^[0-9a-f]{64}$/;

/** @throws FluffyError `trust_unsafe` if somebody else could have put files there. */
export async function readTrustedHashes(trustDirectory: string): Promise<ReadonlySet<string>> {
  const directory = join(trustDirectory, 'policies');
  for (const path of [trustDirectory, directory]) {
    const info = await lstat(path).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw error;
    });
    if (info === null) return new Set();
    if (!info.isDirectory() || info.uid !== process.getuid?.() || (info.mode & 0o022) !== 0) throw unsafe(path);
  }
  return new Set((await readdir(directory)).filter((name) => HASH.test(name)));
}

/**
 * Signs the text with this hash; false if it was signed already. `note` is for people who look into the directory. On disk when it resolves.
 */
export async function trustPolicy(trustDirectory: string, hash: string, note: string): Promise<boolean> {
  if (!HASH.test(hash)) throw new Error('not a policy hash');
  const directory = join(trustDirectory, 'policies');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const known = (await readTrustedHashes(trustDirectory)).has(hash);
  await chmod(directory, 0o700);
  await replaceFile(directory, hash, `${note}\n`, 0o600);
  return !known;
}

/** Takes a signature back. */
export async function distrustPolicy(trustDirectory: string, hash: string): Promise<void> {
  if (!HASH.test(hash)) throw new Error('not a policy hash');
  await rm(join(trustDirectory, 'policies', hash), { force: true });
}

/** Puts a file in place whole or not at all, on disk when it resolves. A link that bears its name is replaced, not followed. */
export async function replaceFile(directory: string, name: string, text: string, mode: number): Promise<void> {
  const temporary = join(directory, `.${name}.${randomBytes(6).toString('hex')}`);
  const file = await open(temporary, 'wx', mode);
  try {
    await file.writeFile(text, 'utf8');
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, join(directory, name));
  const parent = await open(directory, 'r');
  try {
    await parent.sync();
  } finally {
    await parent.close();
  }
}

function unsafe(path: string): FluffyError {
  return new FluffyError({
    code: 'trust_unsafe',
    what: `The record of signed policies can't be used`,
    why: `${path} is not a directory that only you can write to`,
    fix: `look at what is in it, then run: chmod -R go-w ${JSON.stringify(path)}`,
    exitCode: EXIT.usage,
  });
}
