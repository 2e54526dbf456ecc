import { chmod, lstat, mkdir, readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EXIT } from '../../../contracts/exit-codes.ts';
import { FluffyError } from '../../../contracts/fluffy-error.ts';
import { escapeTerminal } from '../../../lib/escape-terminal.ts';
import { syncDirectory, writeFileAtomic } from '../../../lib/files/atomic-file.ts';

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
 * Signs the text with this hash; false if it was signed already. `signer` is the policy file that it was signed as, one line of the record for each; it
 * binds nothing: a signature is of a text, wherever that is. On disk when it resolves.
 */
export async function trustPolicy(trustDirectory: string, hash: string, signer: string): Promise<boolean> {
  if (!HASH.test(hash)) throw new Error('not a policy hash');
  const directory = join(trustDirectory, 'policies');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const known = (await readTrustedHashes(trustDirectory)).has(hash);
  await chmod(directory, 0o700);
  const signers = new Set([...(known ? await signersOf(directory, hash) : []), lineOf(signer)]);
  await writeFileAtomic(join(directory, hash), [...signers, ''].join('\n'), { mode: 0o600 });
  return !known;
}

/** Takes a signature back, on disk when it resolves: to the files that the text was signed as, or to null if it was not signed. */
export async function distrustPolicy(trustDirectory: string, hash: string): Promise<readonly string[] | null> {
  if (!(await readTrustedHashes(trustDirectory)).has(hash)) return null;
  const directory = join(trustDirectory, 'policies');
  const signers = await signersOf(directory, hash);
  await rm(join(directory, hash), { force: true });
  await syncDirectory(directory);
  return signers;
}

/** The texts that were signed as this policy file, sorted. */
export async function hashesSignedAs(trustDirectory: string, signer: string): Promise<readonly string[]> {
  const hashes = [...(await readTrustedHashes(trustDirectory))].sort();
  const signers = await Promise.all(hashes.map((hash) => signersOf(join(trustDirectory, 'policies'), hash)));
  return hashes.filter((_, index) => signers[index]?.includes(lineOf(signer)));
}

/** A path may hold a line feed, which would make two records of one. */
function lineOf(signer: string): string {
  return escapeTerminal(signer);
}

async function signersOf(directory: string, hash: string): Promise<readonly string[]> {
  const text = await readFile(join(directory, hash), 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
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
