import type { IgnoreRule } from '../../../lib/globs/ignore-rules.ts';
import { toByteString } from '../../../lib/globs/glob.ts';
import { parseIgnoreFile, ruleMatches } from '../../../lib/globs/ignore-rules.ts';

/**
 * What git ignores in the current tree. Created for one query or one search, because it caches the files that it has
 * read.
 */
export interface IgnoreView {
  isIgnored(path: string, directory: boolean): boolean;
}

export interface IgnoreSources {
  /** Text of `<directory>/.gitignore`, or null; '' is the project root. */
  ignoreFile(directory: string): string | null;
  /** Text of `.git/info/exclude`, or null. */
  exclude(): string | null;
}

/** Rules of one ignore file, and the offset at which the part of a path begins that they apply to. */
interface Scope {
  readonly rules: readonly IgnoreRule[];
  readonly offset: number;
}

/**
 * Uses git's order: the nearest ignore file with a matching rule decides, its last rule first. Nothing in an ignored
 * directory is included again.
 */
export function createIgnoreView(sources: IgnoreSources): IgnoreView {
  const scopes = new Map<string, readonly Scope[]>();
  const directories = new Map<string, boolean>();

  /** Scopes for the entries of a directory: the nearest file first, `info/exclude` last. */
  const scopesOf = (directory: string): readonly Scope[] => {
    const known = scopes.get(directory);
    if (known !== undefined) return known;
    const outer =
      directory === ''
        ? [{ rules: parseIgnoreFile(sources.exclude() ?? ''), offset: 0 }]
        : scopesOf(parentOf(directory));
    const own = { rules: parseIgnoreFile(sources.ignoreFile(directory) ?? ''), offset: offsetIn(directory) };
    const all = [own, ...outer].filter((scope) => scope.rules.length > 0);
    scopes.set(directory, all);
    return all;
  };

  const decide = (path: string, directory: boolean): boolean => {
    const bytes = toByteString(path);
    for (const { rules, offset } of scopesOf(parentOf(path))) {
      const below = bytes.slice(offset);
      const rule = rules.findLast((candidate) => ruleMatches(candidate, below, directory));
      if (rule !== undefined) return !rule.negated;
    }
    return false;
  };

  const directoryIgnored = (path: string): boolean => {
    if (path === '') return false;
    const known = directories.get(path);
    if (known !== undefined) return known;
    const ignored = directoryIgnored(parentOf(path)) || decide(path, true);
    directories.set(path, ignored);
    return ignored;
  };

  return {
    isIgnored: (path, directory) => {
      if (path === '') return false;
      if (path.includes('.git') && path.split('/').includes('.git')) return true;
      return directory ? directoryIgnored(path) : directoryIgnored(parentOf(path)) || decide(path, false);
    },
  };
}

/** Length in bytes of a directory's path and the slash after it. */
function offsetIn(directory: string): number {
  return directory === '' ? 0 : toByteString(directory).length + 1;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}
