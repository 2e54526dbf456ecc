import { fstatSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { usage } from '../usage-error.ts';

export const MAX_PIPED_BYTES = 8 * 1024 * 1024;

export type PipedInput =
  { readonly kind: 'none' } | { readonly kind: 'text'; readonly text: string } | { readonly kind: 'too-large' };

/**
 * For all code that reads standard input: Node silently treats what it cannot read (a directory, a disk) as empty input. Throws FluffyError `usage`.
 */
export function refuseUnreadableInput(stdin: Readable): void {
  const fd: unknown = Reflect.get(stdin, 'fd');
  if (typeof fd !== 'number') return;
  const found = fstatSync(fd);
  if (!found.isDirectory() && !found.isBlockDevice()) return;
  throw usage(
    `standard input is ${found.isDirectory() ? 'a directory' : 'a block device'}, which has no text to read`,
    'Send a file (< FILE), or start with < /dev/null if nothing is to be read',
  );
}

/**
 * Reads a pipe or a file to its end, however slowly it arrives. A terminal is never read. Reading stops at the first byte over the limit. Throws
 * FluffyError `usage` if it cannot be read.
 */
export async function readPipedInput(stdin: Readable & { readonly isTTY?: boolean }): Promise<PipedInput> {
  if (stdin.isTTY === true) return { kind: 'none' };
  refuseUnreadableInput(stdin);
  try {
    return await readWhole(stdin);
  } catch (error) {
    throw usage(
      `standard input cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`,
      'Open it for reading (< FILE), or start with < /dev/null if nothing is to be read',
    );
  }
}

async function readWhole(stdin: Readable): Promise<PipedInput> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const data = Buffer.from(chunk as string);
    bytes += data.length;
    if (bytes > MAX_PIPED_BYTES) return { kind: 'too-large' };
    chunks.push(data);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? { kind: 'none' } : { kind: 'text', text };
}
