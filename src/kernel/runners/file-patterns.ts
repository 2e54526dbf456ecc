import picomatch from 'picomatch';

/**
 * Globs of the files that a runner collects: `own`, which the project defines, or else `usual`. Files in `never` are
 * not collected.
 */
export interface FilePatterns {
  readonly own: readonly string[];
  readonly usual: readonly string[];
  readonly never: readonly string[];
}

export function matchesPatterns(path: string, { own, usual, never }: FilePatterns): boolean {
  return matchesAnyGlob(path, own.length > 0 ? own : usual) && !matchesAnyGlob(path, never);
}

/**
 * Returns whether a path matches a file pattern of a runner. These are globs of the user's configuration, not of the
 * policy.
 */
export function matchesAnyGlob(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => matcherOf(pattern)(path));
}

type Matcher = (path: string) => boolean;

/** Maximum number of kept matchers. A project uses few patterns, and each is applied to all of its files. */
const MOST_MATCHERS = 500;
const matchers = new Map<string, Matcher>();

/** Returns a matcher for a pattern, and the same matcher for the same pattern. */
export function matcherOf(pattern: string): Matcher {
  const known = matchers.get(pattern);
  if (known !== undefined) return known;
  if (matchers.size >= MOST_MATCHERS) matchers.clear();
  const made = picomatch(pattern.replace(/^\.\//, ''), { dot: true });
  matchers.set(pattern, made);
  return made;
}
