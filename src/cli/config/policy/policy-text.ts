import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A policy file as it was read. */
export type PolicyText =
  | { readonly kind: 'text'; readonly file: string; readonly text: string }
  | { readonly kind: 'missing'; readonly file: string }
  | { readonly kind: 'unreadable'; readonly file: string; readonly why: string };

const MAX_BYTES = 8 * 1024 * 1024;

/** Reads a file that the user has named: links and pipes are what they are meant to be. */
export async function readPolicyText(file: string): Promise<PolicyText> {
  return reading(file, () => readFile(file));
}

/**
 * Reads a project's policy file. Its directory comes from whoever wrote the repository: a link could show somebody else's file in an error
 * message, a FIFO could make us wait for ever.
 */
export async function readProjectPolicyText(file: string): Promise<PolicyText> {
  return reading(file, async () => {
    if (!(await lstat(dirname(file))).isDirectory()) throw new Error('its directory is not a directory');
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const info = await handle.stat();
      if (!info.isFile()) throw new Error('it is not a regular file');
      if (info.size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  });
}

async function reading(file: string, read: () => Promise<Uint8Array>): Promise<PolicyText> {
  try {
    return {
      kind: 'text',
      file,
      text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await read()),
    };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return { kind: 'missing', file };
    const why = { ELOOP: 'it is a symbolic link', ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not valid UTF-8' }[
      String(code)
    ];
    return { kind: 'unreadable', file, why: why ?? (error instanceof Error ? error.message : String(error)) };
  }
}

/** What a signature is kept by: of the text as it is, to the byte. */
export function sha256Of(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
