/** What a load error says is missing. */
export interface Missing {
  readonly specifier: string;
  readonly export?: string;
}

/** Pure: the first of some patterns that matches a message; their groups `specifier` and `export` are what is missing. */
export function firstMissing(patterns: readonly RegExp[], message: string): Missing | null {
  for (const pattern of patterns) {
    const groups = pattern.exec(message)?.groups;
    if (groups?.['specifier'] === undefined) continue;
    return groups['export'] === undefined
      ? { specifier: groups['specifier'] }
      : { specifier: groups['specifier'], export: groups['export'] };
  }
  return null;
}

/** Whether a specifier in a project file leads to a place in the project: relative, or absolute below it; never a package. */
export function resolvesInside(projectRoot: string, fromFile: string, specifier: string): boolean {
  const path = specifier.startsWith('file://') ? decodeURIComponent(specifier.slice('file://'.length)) : specifier;
  const absolute = path.startsWith('/')
    ? path
    : path.startsWith('./') || path.startsWith('../')
      ? `${projectRoot}/${fromFile.split('/').slice(0, -1).join('/')}/${path}`
      : null;
  if (absolute === null) return false;
  const parts: string[] = [];
  for (const part of absolute.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return `/${parts.join('/')}`.startsWith(`${projectRoot}/`) && !parts.includes('node_modules');
}
