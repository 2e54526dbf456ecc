import type { GitForm } from '../../src/contracts/sandbox/git-tool.ts';
import { withPrivateIndex } from './private-index.ts';
import type { Git } from './run-git.ts';

/** Paths that one command line names. */
const MAX_NAMED = 500;

/** The filter of each path that has one. Attributes are read from the working tree, and from the index where it has no such file. */
export async function filtersOf(
  git: Git,
  paths: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ReadonlyMap<string, string>> {
  const filters = new Map<string, string>();
  if (paths.length === 0) return filters;
  const { stdout } = await git.run(['check-attr', '-z', '--stdin', 'filter'], { env, stdin: listOf(paths) });
  const values = stdout.split('\0');
  for (let at = 0; at + 3 <= values.length; at += 3) {
    const [path = '', , value = ''] = values.slice(at, at + 3);
    if (!['unspecified', 'unset', 'set', ''].includes(value)) filters.set(path, value);
  }
  return filters;
}

/**
 * What `git add` would store of each file on this parent, without filters. It is tried on an index of the parent: for files of which git guesses whether they are
 * text, it looks how the parent has them.
 */
export async function formsOf(git: Git, parent: string, paths: readonly string[]): Promise<readonly GitForm[]> {
  if (paths.length === 0) return [];
  return withPrivateIndex(async (env) => {
    await git.run(['read-tree', parent], { env });
    await git.run(['update-index', '--add', '--replace', '-z', '--stdin'], { env, stdin: listOf(paths) });
    const forms: GitForm[] = [];
    for (let at = 0; at < paths.length; at += MAX_NAMED) {
      const named = paths.slice(at, at + MAX_NAMED);
      const { stdout } = await git.run(['ls-files', '--stage', '-z', '--', ...named], { env });
      for (const [, id = '', path = ''] of stdout.matchAll(/\d+ ([0-9a-f]+) 0\t([^\0]+)\0/g))
        forms.push({ path, id: id as GitForm['id'] });
    }
    return forms;
  });
}

function listOf(paths: readonly string[]): string {
  return paths.map((path) => `${path}\0`).join('');
}
