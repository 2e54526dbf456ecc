import picomatch from 'picomatch';

/** Which files a runner collects by globs: the project's own where it names some, else `usual`. `never` are not collected either way. */
export interface FilePatterns {
  readonly own: readonly string[];
  readonly usual: readonly string[];
  readonly never: readonly string[];
}

export function matchesPatterns(path: string, { own, usual, never }: FilePatterns): boolean {
  return matchesAnyGlob(path, own.length > 0 ? own : usual) && !matchesAnyGlob(path, never);
}

/** Whether a path matches one of a runner's own file patterns (shell globs of the user's configuration, not policy). */
export function matchesAnyGlob(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => matcherOf(pattern)(path));
}

type Matcher = (path: string) => boolean;

/** A project's commands name a handful of patterns; they are asked about each of its files. */
const MOST_MATCHERS = 500;
const matchers = new Map<string, Matcher>();

/** The same function for the same pattern. */
export function matcherOf(pattern: string): Matcher {
  const known = matchers.get(pattern);
  if (known !== undefined) return known;
  if (matchers.size >= MOST_MATCHERS) matchers.clear();
  const made = picomatch(pattern.replace(/^\.\//, ''), { dot: true });
  matchers.set(pattern, made);
  return made;
}
