/** The directories that contain a path, outermost first: `a/b/c` -> `a`, `a/b`. Pure. */
export function ancestors(path: string): string[] {
  const found: string[] = [];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) found.push(path.slice(0, at));
  return found;
}
