/** What a load error says is missing. */
export interface Missing {
  readonly specifier: string;
  readonly export?: string;
}

const PATTERNS: readonly RegExp[] = [
  /^The requested module '(?<specifier>[^']+)' does not provide an export named '(?<export>[^']+)'/,
  /^Cannot find module '(?<specifier>[^']+)'/,
  /^Cannot find package '(?<specifier>[^']+)'/,
];

/** Pure: the module or export that an error message names, or null when it is about something else. */
export function missingFrom(message: string): Missing | null {
  return firstMatch(PATTERNS, message);
}

const PYTHON_PATTERNS: readonly RegExp[] = [
  /^No module named '(?<specifier>[\p{L}\p{N}_.]+)'/u,
  /^cannot import name '(?<export>[\p{L}\p{N}_]+)' from '(?<specifier>[\p{L}\p{N}_.]+)'/u,
];

/** Pure: the same of an import error of Python; `specifier` has dots. A circular import names a module that is there, and is no match. */
export function missingPythonFrom(type: string, message: string): Missing | null {
  return type === 'ModuleNotFoundError' || type === 'ImportError' ? firstMatch(PYTHON_PATTERNS, message) : null;
}

function firstMatch(patterns: readonly RegExp[], message: string): Missing | null {
  for (const pattern of patterns) {
    const groups = pattern.exec(message)?.groups;
    if (groups?.['specifier'] === undefined) continue;
    return groups['export'] === undefined
      ? { specifier: groups['specifier'] }
      : { specifier: groups['specifier'], export: groups['export'] };
  }
  return null;
}

/** Whether a specifier seen from a project file names a place of the project: relative, or absolute under it; never a package. */
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

const VITE_PATTERNS: readonly RegExp[] = [
  /^Cannot find (?:module|package) '(?<specifier>[^']+)' imported from '?(?<importer>[^']+?)'?$/m,
  /^Failed to resolve import "(?<specifier>[^"]+)" from "(?<importer>[^"]+)"/,
  /^Failed to load url (?<specifier>.+?) \(resolved id: .*?\)(?: in (?<importer>[^\s]+?)\.? |$)/,
];

/** Pure: the same of Vite, which says who imports: a relative specifier becomes a path below `root`, whoever of the project's files has it. */
export function missingFromVite(message: string, root: string): Missing | null {
  for (const pattern of VITE_PATTERNS) {
    const groups = pattern.exec(message)?.groups;
    const specifier = groups?.['specifier'];
    if (specifier === undefined) continue;
    // No package can be called so: an alias of the project's, which Vite names as it was written.
    if (/^[@~]\//.test(specifier)) return { specifier: `${root}/${specifier.slice(2)}` };
    const importer = groups?.['importer'];
    if (!/^\.\.?\//.test(specifier) || importer === undefined) return { specifier };
    const from = importer.startsWith('/') ? importer : `${root}/${importer}`;
    return { specifier: `${from.slice(0, from.lastIndexOf('/'))}/${specifier}` };
  }
  return missingFrom(message);
}
