import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_EXTENSION_BYTES } from '../../contracts/policy-extension.ts';
import { messageOf } from '../../lib/text/message-of.ts';
import type { ExtensionText } from '../policy/index.ts';

/**
 * Reads the file of an extension beside its policy. The directory may come from the author of the repository: a link
 * could lead anywhere, and reading a FIFO could block for ever. Never rejects.
 */
export async function readExtensionSource(directory: string, entry: string): Promise<ExtensionText> {
  try {
    if (!(await lstat(directory)).isDirectory()) return { kind: 'unreadable', why: 'its directory is not a directory' };
    const handle = await open(join(directory, entry), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const found = await handle.stat();
      if (!found.isFile()) return { kind: 'unreadable', why: 'it is not a regular file' };
      if (found.size > MAX_EXTENSION_BYTES)
        return { kind: 'unreadable', why: `it has more than ${MAX_EXTENSION_BYTES} bytes` };
      // Keeps the byte order mark, because the digest covers every byte.
      const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
      return { kind: 'text', text: decoder.decode(await handle.readFile()) };
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return { kind: 'missing' };
    if (code === 'ELOOP') return { kind: 'unreadable', why: 'it is a symbolic link' };
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return { kind: 'unreadable', why: 'it is not valid UTF-8' };
    return { kind: 'unreadable', why: messageOf(error) };
  }
}
