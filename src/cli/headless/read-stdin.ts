import type { Readable } from 'node:stream';

const QUIET_MS = 2000;
const MAX_BYTES = 8 * 1024 * 1024;

export type PipedInput =
  { readonly kind: 'none' } | { readonly kind: 'text'; readonly text: string } | { readonly kind: 'too-large' };

/** Piped input to its end, or until nothing came for two seconds. A terminal is never waited for. */
export async function readPipedInput(
  stdin: Readable & { readonly isTTY?: boolean },
  quietMs = QUIET_MS,
): Promise<PipedInput> {
  if (stdin.isTTY === true) return { kind: 'none' };
  const chunks: Buffer[] = [];
  let bytes = 0;
  await new Promise<void>((resolve) => {
    let timer = setTimeout(done, quietMs);
    function done(): void {
      clearTimeout(timer);
      stdin.off('data', take);
      stdin.pause();
      resolve();
    }
    function take(chunk: Buffer | string): void {
      clearTimeout(timer);
      timer = setTimeout(done, quietMs);
      const data = Buffer.from(chunk as string);
      bytes += data.length;
      if (bytes > MAX_BYTES) done();
      else chunks.push(data);
    }
    stdin.on('data', take);
    stdin.once('end', done);
    stdin.once('error', done);
    stdin.once('close', done);
  });
  if (bytes > MAX_BYTES) return { kind: 'too-large' };
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? { kind: 'none' } : { kind: 'text', text };
}
