import picomatch from 'picomatch';

/** Whether a path matches one of a runner's own file patterns (shell globs of the user's configuration, not policy). */
export function matchesAnyGlob(path: string, patterns: readonly string[]): boolean {
  return picomatch([...patterns.map((pattern) => pattern.replace(/^\.\//, ''))], { dot: true })(path);
}
