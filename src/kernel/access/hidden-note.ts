import { posix } from 'node:path';
import type { HiddenFile } from '../../contracts/sandbox/test-run.ts';
import { listFirst } from '../../lib/text/list-first.ts';

const MAX_NAMED = 5;
/** Directories of installed packages. A failing test seldom needs a file that policy hides there. */
const INSTALLED = /(^|\/)(node_modules|\.?venv|site-packages|\.tox|\.nox)\//;

/**
 * The hidden files whose name occurs in `text`. The output of a failed program usually names the file that it missed.
 */
export function namedIn(hidden: readonly HiddenFile[], text: string): readonly HiddenFile[] {
  return hidden.filter(({ path }) => text.includes(posix.basename(path)));
}

/**
 * A sentence for a model or person that may need a hidden file; null if no file is hidden. Files that `said` names come
 * first.
 */
export function hiddenNote(hidden: readonly HiddenFile[], said: string): string | null {
  const likely = namedIn(hidden, said);
  const all = [...likely, ...hidden.filter((file) => !likely.includes(file) && !INSTALLED.test(file.path))];
  if (all.length === 0) return null;
  const named = listFirst(all, { max: MAX_NAMED, name: ({ path, rule }) => `${path} (rule ${rule})` });
  return `Not there for code of the project, because policy closes it to reading: ${named}. A test that needs such a file fails here whatever the source does; only the user can open it, in a signed policy.`;
}
