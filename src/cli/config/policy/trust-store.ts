import { chmod, lstat, readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EXIT } from '../../../contracts/exit-codes.ts';
import { FluffyError } from '../../../contracts/fluffy-error.ts';
import { escapeTerminal } from '../../../lib/text/escape-terminal.ts';
import { PROJECT_POLICY } from '../../../kernel/policy-source/read-policy-text.ts';
import { syncDirectory, writeFileAtomic } from '../../../lib/files/atomic-file.ts';
import { makeDirectories } from '../../../lib/files/make-directories.ts';

/**
 * The project policies that this user has signed: one file for each text, named by its SHA-256, under `<trust>/policies/` in the user's own
 * configuration. Its lines are the policy files for which it was signed; it counts only for these. `trustDirectory` is `userDirs(…).trust`.
 */
const HASH = /^[0-9a-f]{64}$/;

/**
 * The texts that were signed as the policy of this project, by SHA-256. Throws FluffyError `trust_unsafe` if another user could have put files there.
 */
export async function signedHashes(trustDirectory: string, projectRoot: string): Promise<ReadonlySet<string>> {
  const signer = signerOf(projectRoot);
  const hashes = await allHashes(trustDirectory);
  const signers = await Promise.all(hashes.map((hash) => signersOf(trustDirectory, hash)));
  return new Set(hashes.filter((_, index) => signers[index]?.includes(signer)));
}

/** Signs the text with this hash as the policy of a project; false if it was signed already. On disk when it resolves. */
export async function trustPolicy(trustDirectory: string, hash: string, projectRoot: string): Promise<boolean> {
  if (!HASH.test(hash)) throw new Error('not a policy hash');
  const directory = policiesIn(trustDirectory);
  await makeDirectories(directory, 0o700);
  const signers = (await allHashes(trustDirectory)).includes(hash) ? await signersOf(trustDirectory, hash) : [];
  const signer = signerOf(projectRoot);
  if (signers.includes(signer)) return false;
  await chmod(directory, 0o700);
  await writeSigners(trustDirectory, hash, [...signers, signer]);
  return true;
}

/** Revokes the signature of a text as the policy of this project; false if there was none. On disk when it resolves. */
export async function distrustPolicy(trustDirectory: string, hash: string, projectRoot: string): Promise<boolean> {
  if (!(await signedHashes(trustDirectory, projectRoot)).has(hash)) return false;
  const others = (await signersOf(trustDirectory, hash)).filter((line) => line !== signerOf(projectRoot));
  if (others.length > 0) await writeSigners(trustDirectory, hash, others);
  else {
    await rm(join(policiesIn(trustDirectory), hash), { force: true });
    await syncDirectory(policiesIn(trustDirectory));
  }
  return true;
}

async function allHashes(trustDirectory: string): Promise<readonly string[]> {
  const directory = policiesIn(trustDirectory);
  for (const path of [trustDirectory, directory]) {
    const info = await lstat(path).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw error;
    });
    if (info === null) return [];
    if (!info.isDirectory() || info.uid !== process.getuid?.() || (info.mode & 0o022) !== 0) throw unsafe(path);
  }
  return (await readdir(directory)).filter((name) => HASH.test(name)).sort();
}

function policiesIn(trustDirectory: string): string {
  return join(trustDirectory, 'policies');
}

/** Escaped, because a path may contain a line feed, which would make two records of one. */
function signerOf(projectRoot: string): string {
  return escapeTerminal(`${projectRoot}/${PROJECT_POLICY}`);
}

async function signersOf(trustDirectory: string, hash: string): Promise<readonly string[]> {
  const text = await readFile(join(policiesIn(trustDirectory), hash), 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}

async function writeSigners(trustDirectory: string, hash: string, signers: readonly string[]): Promise<void> {
  await writeFileAtomic(join(policiesIn(trustDirectory), hash), [...signers, ''].join('\n'), { mode: 0o600 });
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
