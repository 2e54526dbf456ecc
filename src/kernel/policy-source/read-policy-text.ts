import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PolicyDiagnostic } from '../../contracts/policy.ts';
import { firstInvalidUtf8 } from '../../lib/text/decode-utf8.ts';
import { messageOf } from '../../lib/text/message-of.ts';

/** A policy file as it was read. `file` is the name that messages show. */
export type PolicyText =
  | { readonly kind: 'text'; readonly file: string; readonly text: string }
  | { readonly kind: 'missing'; readonly file: string }
  | UnreadablePolicy;

/** Lines and columns begin with 1. The place is 1:1 if the file could not be read at all. */
export interface UnreadablePolicy {
  readonly kind: 'unreadable';
  readonly file: string;
  readonly why: string;
  readonly line: number;
  readonly column: number;
}

/** Relative to the project. */
export const PROJECT_POLICY = '.fluffy/policy.yaml';

/** A larger file from the author of a repository could fill the reader's memory. */
export const MAX_POLICY_BYTES = 8 * 1024 * 1024;

/**
 * Reads a file that the user has named. Links are followed. Anything but a regular file is refused, because reading a
 * pipe may never end.
 */
export async function readPolicyText(file: string): Promise<PolicyText> {
  return reading(file, () => readRegularFile(file, 0));
}

/**
 * Reads the policy file of a project. The directory comes from the author of the repository: through a link an error
 * message could quote a file of the user, and a FIFO could block the reader for ever. Only a file that does not exist
 * is `missing`.
 */
export async function readProjectPolicyText(projectRoot: string, name = PROJECT_POLICY): Promise<PolicyText> {
  const path = join(projectRoot, name);
  return reading(name, async () => {
    if (!(await lstat(dirname(path))).isDirectory()) throw new Error('its directory is not a directory');
    return readRegularFile(path, constants.O_NOFOLLOW);
  });
}

/** The diagnostic for a file that is missing or cannot be read. */
export function readError(text: Exclude<PolicyText, { kind: 'text' }>): PolicyDiagnostic {
  if (text.kind === 'missing')
    return { file: text.file, line: 1, column: 1, message: 'the file does not exist', severity: 'error' };
  const { file, line, column, why } = text;
  return { file, line, column, message: `the file can't be read: ${why}`, severity: 'error' };
}

/** The digest of the exact bytes, which names a signature. */
export function sha256Of(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

async function readRegularFile(path: string, flags: number): Promise<Uint8Array> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | flags);
  try {
    const info = await handle.stat();
    if (!info.isFile()) throw new Error('it is not a regular file');
    if (info.size > MAX_POLICY_BYTES) throw new Error(`it is larger than ${MAX_POLICY_BYTES} bytes`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

async function reading(file: string, read: () => Promise<Uint8Array>): Promise<PolicyText> {
  let bytes: Uint8Array;
  try {
    bytes = await read();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return { kind: 'missing', file };
    const why = code === 'ELOOP' ? 'it is a symbolic link' : messageOf(error);
    return { kind: 'unreadable', file, why, line: 1, column: 1 };
  }
  const invalid = firstInvalidUtf8(bytes);
  if (invalid === null)
    return { kind: 'text', file, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) };
  const byte = (bytes[invalid.offset] ?? 0).toString(16).padStart(2, '0');
  const why = `it is not valid UTF-8 (byte 0x${byte} at offset ${invalid.offset})`;
  return { kind: 'unreadable', file, why, line: invalid.line, column: invalid.column };
}
