import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Makes a build cache of Go that can be written, with what is in the host's: links, since that one is read-only. */
export function linkGoCache(from: string | undefined, target: string): void {
  mkdirSync(target, { recursive: true });
  if (from === undefined || !existsSync(from)) return;
  for (const part of readdirSync(from, { withFileTypes: true })) {
    if (!part.isDirectory()) continue;
    mkdirSync(join(target, part.name), { recursive: true });
    for (const name of readdirSync(join(from, part.name)))
      symlinkSync(join(from, part.name, name), join(target, part.name, name));
  }
  // Without a date the cache would be cleaned first.
  writeFileSync(join(target, 'trim.txt'), String(Math.floor(Date.now() / 1000)));
}
