import type { IgnoreRule } from './ignore-rules.ts';
import { asBytes, parseIgnoreFile, ruleMatches } from './ignore-rules.ts';

/** What git ignores, as the tree stands: made for one question or one search, since it remembers what it has read. */
export interface IgnoreView {
  isIgnored(path: string, directory: boolean): boolean;
}

export interface IgnoreSources {
  /** Text of `<directory>/.gitignore`, or null; the project itself is ''. */
  ignoreFile(directory: string): string | null;
  /** Text of `.git/info/exclude`, or null. */
  exclude(): string | null;
}

/** git's own order: the nearest ignore file that says anything decides, its last word first; nothing in an ignored directory comes back. */
export function createIgnoreView(sources: IgnoreSources): IgnoreView {
  const rules = new Map<string, readonly IgnoreRule[]>();
  const directories = new Map<string, boolean>();
  let excluded: readonly IgnoreRule[] | null = null;

  const rulesOf = (directory: string): readonly IgnoreRule[] => {
    const known = rules.get(directory);
    if (known !== undefined) return known;
    const parsed = parseIgnoreFile(sources.ignoreFile(directory) ?? '');
    rules.set(directory, parsed);
    return parsed;
  };

  const decide = (path: string, directory: boolean): boolean => {
    const names = path.split('/');
    for (let depth = names.length - 1; depth >= 0; depth -= 1) {
      const verdict = lastVerdict(rulesOf(names.slice(0, depth).join('/')), names.slice(depth).join('/'), directory);
      if (verdict !== null) return verdict;
    }
    excluded ??= parseIgnoreFile(sources.exclude() ?? '');
    return lastVerdict(excluded, path, directory) ?? false;
  };

  const directoryIgnored = (path: string): boolean => {
    const known = directories.get(path);
    if (known !== undefined) return known;
    const parent = parentOf(path);
    const ignored = (parent !== null && directoryIgnored(parent)) || decide(path, true);
    directories.set(path, ignored);
    return ignored;
  };

  return {
    isIgnored: (path, directory) => {
      if (path === '') return false;
      if (path.split('/').includes('.git')) return true;
      if (directory) return directoryIgnored(path);
      const parent = parentOf(path);
      return (parent !== null && directoryIgnored(parent)) || decide(path, false);
    },
  };
}

function lastVerdict(rules: readonly IgnoreRule[], path: string, directory: boolean): boolean | null {
  if (rules.length === 0) return null;
  const bytes = asBytes(path);
  const rule = rules.findLast((candidate) => ruleMatches(candidate, bytes, directory));
  return rule === undefined ? null : !rule.negated;
}

function parentOf(path: string): string | null {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? null : path.slice(0, slash);
}
