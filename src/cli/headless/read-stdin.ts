import type { Readable } from 'node:stream';

export const MAX_PIPED_BYTES = 8 * 1024 * 1024;

export type PipedInput =
  { readonly kind: 'none' } | { readonly kind: 'text'; readonly text: string } | { readonly kind: 'too-large' };

/**
 * What a pipe or a file holds, read to its end however slowly it comes. A terminal is never waited for. Reading stops at the first byte that is too many.
 * Throws what the stream fails with.
 */
export async function readPipedInput(stdin: Readable & { readonly isTTY?: boolean }): Promise<PipedInput> {
  if (stdin.isTTY === true) return { kind: 'none' };
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
