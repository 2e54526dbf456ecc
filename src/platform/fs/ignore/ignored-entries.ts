import { setImmediate } from 'node:timers/promises';
import type { IgnoredEntries } from '../../../contracts/ports/workspace.ts';
import { listDirectory } from '../union/union-read.ts';
import type { UnionRoots } from '../union/union-walk.ts';
import type { IgnoreView } from './ignore-view.ts';

const MAX_DIRECTORIES = 100_000;
const MAX_PATHS = 20_000;
const DIRECTORIES_PER_TURN = 200;

/**
 * What git ignores in the union, without the paths of `kept`. An ignored directory is listed as a whole, unless it
 * contains a kept path. Git's own directory is skipped.
 */
export async function ignoredEntries(
  roots: UnionRoots,
  ignore: IgnoreView,
  kept: ReadonlySet<string>,
): Promise<IgnoredEntries> {
  const above = directoriesAbove(kept);
  const paths: string[] = [];
  const pending = [''];
  let looked = 0;
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    looked += 1;
    if (looked > MAX_DIRECTORIES)
      return { kind: 'too-many', reason: `the project has more than ${MAX_DIRECTORIES} directories` };
    if (looked % DIRECTORIES_PER_TURN === 0) await setImmediate();
    for (const { name, kind } of listDirectory(roots, directory) ?? []) {
      const path = directory === '' ? name : `${directory}/${name}`;
      if (name === '.git' || kept.has(path)) continue;
      const isIgnored = ignore.isIgnored(path, kind === 'directory');
      if (kind === 'directory' && (!isIgnored || above.has(path))) pending.push(path);
      else if (isIgnored) paths.push(path);
    }
    if (paths.length > MAX_PATHS) return { kind: 'too-many', reason: `git ignores more than ${MAX_PATHS} entries` };
  }
  return { kind: 'found', paths: paths.sort() };
}

function directoriesAbove(paths: Iterable<string>): ReadonlySet<string> {
  const above = new Set<string>();
  for (const path of paths) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const directory = path.slice(0, at);
      if (above.has(directory)) break;
      above.add(directory);
    }
  }
  return above;
}
