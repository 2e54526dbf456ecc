import { posix } from 'node:path';

/** The missing module, and the missing export if the module exists. */
export interface Missing {
  readonly specifier: string;
  readonly export?: string;
}

/** Pure: returns the groups `specifier` and `export` of the first pattern that matches a message. */
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

/**
 * Returns whether a specifier in a project file leads to a path in the project: relative, or absolute below its root.
 * Packages do not.
 */
export function resolvesInside(projectRoot: string, fromFile: string, specifier: string): boolean {
  return pathInside(projectRoot, fromFile, specifier) !== null;
}

/**
 * Returns the project-relative path that a specifier leads to. The path need not exist. null if it is outside of the
 * project.
 */
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

/** null if the text is not a valid URL: a test can write any text into its message. */
function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/**
 * Returns a missing name in a language that builds packages. It belongs to some file of the package in this directory.
 */
export function missingInPackage(directory: string, name: string | undefined): Missing {
  return { specifier: `${directory}/(package)`, ...(name === undefined ? {} : { export: name }) };
}

/** Like `missingInPackage`, for the package that contains a test file. */
export function missingBeside(
  { projectRoot, files }: { readonly projectRoot: string; readonly files: readonly string[] },
  index: number,
  name: string | undefined,
): Missing {
  return missingInPackage(posix.dirname(`${projectRoot}/${files[index] ?? ''}`), name);
}
