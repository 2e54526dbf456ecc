import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Writes, and waits while the reader is behind: a batch of a million lines must not pile up in memory. */
export async function writeAll(stream: Writable, text: string): Promise<void> {
  if (text !== '' && !stream.write(text)) await once(stream, 'drain');
}
