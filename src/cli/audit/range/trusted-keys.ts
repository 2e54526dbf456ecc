import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { EXIT } from '../../../contracts/exit-codes.ts';
import { FluffyError } from '../../../contracts/fluffy-error.ts';
import { readRegularFile } from '../../../lib/files/read-regular-file.ts';
import { messageOf } from '../../../lib/text/message-of.ts';

/** Public keys that the verifier trusts, base64 of the raw 32 bytes. The roles are separate: a host's key cannot approve. */
export interface TrustedKeys {
  readonly hosts: readonly string[];
  readonly approvers: readonly string[];
}

export const KEY_ROLES = ['host', 'approver'] as const;
export type KeyRole = (typeof KEY_ROLES)[number];

const MAX_FILE_BYTES = 1024 * 1024;
const SUFFIX = '.keys';

/** One line of a key file: `host ed25519 BASE64 comment`. */
export function formatKeyLine(role: KeyRole, publicKey: string, comment: string): string {
  return `${role} ed25519 ${publicKey} ${comment}`.trimEnd();
}

export type ParsedKeys =
  | { readonly kind: 'keys'; readonly keys: TrustedKeys }
  | { readonly kind: 'invalid'; readonly line: number; readonly reason: string };

/** Parses a key file: one key per line, `#` begins a comment. Strict, because a misread line could be a missing key. */
export function parseKeyFile(text: string): ParsedKeys {
  const found: Record<KeyRole, string[]> = { host: [], approver: [] };
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
    const [role = '', type, key = ''] = line.trim().split(/[ \t]+/);
    const problem = !isRole(role)
      ? 'it begins neither with host nor with approver'
      : type !== 'ed25519'
        ? 'its second word is not ed25519'
        : !isPublicKey(key)
          ? 'its third word is not a public key'
          : null;
    if (problem !== null || !isRole(role)) return { kind: 'invalid', line: index + 1, reason: problem ?? '' };
    found[role].push(key);
  }
  return { kind: 'keys', keys: { hosts: found.host, approvers: found.approver } };
}

/**
 * Reads key files; in a directory, every file that ends in `.keys`. Files inside the repository are refused: a person who can change a commit could
 * change its keys. Throws FluffyError `keys_unusable`, `keys_in_repository`.
 */
export async function loadKeys(paths: readonly string[], repository: readonly string[]): Promise<TrustedKeys> {
  const files = (await Promise.all(paths.map(keyFiles))).flat();
  const held = await Promise.all(repository.map((directory) => realpath(directory)));
  const read = await Promise.all(files.map((file) => readKeyFile(file, held)));
  return {
    hosts: [...new Set(read.flatMap(({ hosts }) => hosts))],
    approvers: [...new Set(read.flatMap(({ approvers }) => approvers))],
  };
}

async function keyFiles(path: string): Promise<string[]> {
  const found = await stat(path).catch((error: unknown) => {
    throw unusable(path, messageOf(error));
  });
  if (!found.isDirectory()) return [path];
  const names = (await readdir(path)).filter((name) => name.endsWith(SUFFIX)).sort();
  if (names.length === 0) throw unusable(path, `no file in it ends in ${SUFFIX}`);
  return names.map((name) => join(path, name));
}

async function readKeyFile(path: string, repository: readonly string[]): Promise<TrustedKeys> {
  const real = await realpath(path);
  if (repository.some((directory) => isInside(directory, real))) throw inRepository(path);
  const read = await readRegularFile(real, { maxBytes: MAX_FILE_BYTES, links: 'followed' });
  if (read.kind !== 'file') throw unusable(path, read.kind === 'missing' ? 'it does not exist' : read.why);
  const parsed = parseKeyFile(read.bytes.toString('utf8'));
  if (parsed.kind === 'keys') return parsed.keys;
  throw unusable(path, `line ${parsed.line}: ${parsed.reason}`);
}

function isInside(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way === '' || !(way === '..' || way.startsWith('../'));
}

function isRole(word: string): word is KeyRole {
  return KEY_ROLES.some((role) => role === word);
}

function isPublicKey(text: string): boolean {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === 32 && bytes.toString('base64') === text;
}

function unusable(path: string, why: string): FluffyError {
  return new FluffyError({
    code: 'keys_unusable',
    what: `The keys in ${path} cannot be used`,
    why,
    fix: 'Name a file of lines like `host ed25519 BASE64`, as `fluffy audit keys` prints them where the commits are made',
    exitCode: EXIT.usage,
  });
}

function inRepository(path: string): FluffyError {
  return new FluffyError({
    code: 'keys_in_repository',
    what: `The keys in ${path} are not used`,
    why: 'they are in the repository that is verified: whoever can change a commit there could change them too',
    fix: 'Keep them elsewhere: in a secret of your CI, or in your own configuration',
    exitCode: EXIT.usage,
  });
}
