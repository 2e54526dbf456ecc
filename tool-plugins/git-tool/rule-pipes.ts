import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Files of rules that git opens wherever it finds them in the work tree, and those in its own directory. */
const IN_TREE: ReadonlySet<string> = new Set(['.gitignore', '.gitattributes', '.mailmap', '.gitmodules']);
const IN_GIT = ['info', '.'];

/**
 * The first named pipe in the place of a file that git reads, relative to the workspace; null for none. git waits for its writer for ever.
 * A walk of the whole tree, for when git does not end.
 */
export async function pipeThatGitReads(workspace: string, signal: AbortSignal): Promise<string | null> {
  for (const below of IN_GIT) {
    const found = (await entriesOf(join(workspace, '.git', below))).find((entry) => entry.isFIFO());
    if (found !== undefined) return join('.git', below, found.name);
  }
  const pending = [''];
  for (let next = pending.pop(); next !== undefined && !signal.aborted; next = pending.pop()) {
    const entries = await entriesOf(join(workspace, next));
    const pipe = entries.find((entry) => entry.isFIFO() && IN_TREE.has(entry.name));
    if (pipe !== undefined) return join(next, pipe.name);
    for (const entry of entries) if (entry.isDirectory() && entry.name !== '.git') pending.push(join(next, entry.name));
  }
  return null;
}

function entriesOf(directory: string): Promise<Dirent[]> {
  return readdir(directory, { withFileTypes: true }).catch(() => []);
}
