import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Everything below a directory, path -> kind, permission bits, owner and content: two equal snapshots are the same bytes. */
export function snapshotTree(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(root, name);
    const stat = lstatSync(path);
    const permissions = `${(stat.mode & 0o7777).toString(8)} ${stat.uid}:${stat.gid}`;
    if (stat.isSymbolicLink()) found[name] = `link to ${readlinkSync(path)}`;
    else if (stat.isDirectory()) found[name] = `directory ${permissions}`;
    else if (stat.isFile()) found[name] = `file ${permissions} ${sha256(readFileSync(path))}`;
    else found[name] = `special ${stat.mode.toString(8)}`;
  }
  return found;
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
