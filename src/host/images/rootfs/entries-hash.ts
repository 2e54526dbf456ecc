import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { assertNever } from '../../../lib/assert-never.ts';
import type { FileContent, RootfsEntry } from './rootfs-entry.ts';

/** SHA-256 (hex) over type, path, mode and content of every entry, in the given order. */
export async function hashEntries(entries: Iterable<RootfsEntry>): Promise<string> {
  const hash = createHash('sha256');
  for (const entry of entries) hash.update(`${JSON.stringify(await describe(entry))}\n`);
  return hash.digest('hex');
}

async function describe(entry: RootfsEntry): Promise<readonly (string | number)[]> {
  switch (entry.kind) {
    case 'directory':
      return [entry.kind, entry.path, entry.mode];
    case 'symlink':
      return [entry.kind, entry.path, entry.target];
    case 'file':
      return [entry.kind, entry.path, entry.mode, entry.mtimeSeconds ?? 0, await hashContent(entry.content)];
    default:
      return assertNever(entry);
  }
}

async function hashContent(content: FileContent): Promise<string> {
  const hash = createHash('sha256');
  if (content.kind === 'bytes') hash.update(content.bytes);
  else {
    const stream = createReadStream(content.path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>;
    for await (const chunk of stream) hash.update(chunk);
  }
  return hash.digest('hex');
}
