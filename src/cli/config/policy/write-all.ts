import type { Writable } from 'node:stream';

/** Writes, and waits until the reader has taken it: a batch of a million lines must not pile up in memory. Throws what the stream fails with. */
export function writeAll(stream: Writable, text: string): Promise<void> {
  if (text === '') return Promise.resolve();
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error === null || error === undefined ? resolve() : reject(error)));
  });
}
