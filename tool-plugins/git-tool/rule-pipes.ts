import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { findInTree } from '../../src/lib/files/find-in-tree.ts';
import { readRegularText } from '../../src/lib/files/read-regular-file.ts';
import { lastSetting, parseGitConfig } from '../../src/lib/git/git-config.ts';

/** Files of rules that git opens wherever it finds them in the work tree, and those in its own directory. */
const IN_TREE: ReadonlySet<string> = new Set(['.gitignore', '.gitattributes', '.mailmap', '.gitmodules']);
const IN_GIT = ['info', '.'];
const CONFIG = { maxBytes: 1024 * 1024, links: 'followed' } as const;

/**
 * The first named pipe in the place of a file that git reads, relative to the workspace; null for none. git waits for its writer for ever.
 * A walk of the whole tree, for when git does not end.
 */
export async function pipeThatGitReads(workspace: string, signal: AbortSignal): Promise<string | null> {
  for (const below of IN_GIT) {
    const directory = join(workspace, '.git', below);
    for (const entry of await entriesOf(directory))
      // Git follows links there.
      if (entry.isFIFO() || (entry.isSymbolicLink() && (await leadsToPipe(join(directory, entry.name)))))
        return join('.git', below, entry.name);
  }
  const named = await namedRules(workspace);
  if (named !== null && (await leadsToPipe(resolve(workspace, named)))) return named;
  return findInTree(workspace, (entry) => entry.isFIFO() && IN_TREE.has(entry.name), signal);
}

/** The file of rules that the repository's own settings name. */
async function namedRules(workspace: string): Promise<string | null> {
  const config = parseGitConfig((await readRegularText(join(workspace, '.git/config'), CONFIG)) ?? '');
  return config.kind === 'ok' ? (lastSetting(config.settings, 'core.excludesfile') ?? null) : null;
}

async function leadsToPipe(link: string): Promise<boolean> {
  return (await stat(link).catch(() => null))?.isFIFO() === true;
}

function entriesOf(directory: string): Promise<Dirent[]> {
  return readdir(directory, { withFileTypes: true }).catch(() => []);
}
