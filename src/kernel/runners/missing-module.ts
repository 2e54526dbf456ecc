import { posix } from 'node:path';

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
  return pathInside(projectRoot, fromFile, specifier) !== null;
}

/** The project-relative path that a specifier in a project file leads to, whether or not something is there; null outside of the project. */
export function pathInside(projectRoot: string, fromFile: string, specifier: string): string | null {
  const path = specifier.startsWith('file://') ? decoded(specifier.slice('file://'.length)) : specifier;
  if (path === null) return null;
  const absolute = path.startsWith('/')
    ? path
    : path.startsWith('./') || path.startsWith('../')
      ? `${projectRoot}/${fromFile.split('/').slice(0, -1).join('/')}/${path}`
      : null;
  if (absolute === null) return null;
  const parts: string[] = [];
  for (const part of absolute.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  const resolved = `/${parts.join('/')}`;
  const inside = resolved.startsWith(`${projectRoot}/`) && !parts.includes('node_modules');
  return inside ? resolved.slice(projectRoot.length + 1) : null;
}

/** null: not the escapes of a URL. A test can write anything into its message. */
function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/** Of a language whose packages are built: what is missing belongs in some file of the package in this directory. */
export function missingInPackage(directory: string, name: string | undefined): Missing {
  return { specifier: `${directory}/(package)`, ...(name === undefined ? {} : { export: name }) };
}

/** The same, of the package that a test file is in. */
export function missingBeside(
  { projectRoot, files }: { readonly projectRoot: string; readonly files: readonly string[] },
  index: number,
  name: string | undefined,
): Missing {
  return missingInPackage(posix.dirname(`${projectRoot}/${files[index] ?? ''}`), name);
}
