import { missingNodeModule } from '../javascript/missing-node-module.ts';
import type { Missing } from '../missing-module.ts';

const PATTERNS: readonly RegExp[] = [
  /^Cannot find (?:module|package) '(?<specifier>[^']+)' imported from '?(?<importer>[^']+?)'?\.?$/m,
  /^Failed to resolve import "(?<specifier>[^"]+)" from "(?<importer>[^"]+)"/,
  /^Failed to load url (?<specifier>.+?) \(resolved id: .*?\)(?: in (?<importer>[^\s]+?)\.? |$)/,
];

/** A line that Fluffy's program adds to the message. The program knows the aliases of the configuration. */
const ALIASED = /^Its alias leads to '(?<path>\/[^']+)'\.$/m;

/**
 * Pure: returns the module that a message of Vite or of Node's loader names as missing; null for another message. Vite
 * also names the importer, so a relative specifier becomes a path below `root`.
 */
export function missingViteModule(message: string, root: string): Missing | null {
  const aliased = ALIASED.exec(message)?.groups?.['path'];
  if (aliased !== undefined) return { specifier: aliased };
  for (const pattern of PATTERNS) {
    const groups = pattern.exec(message)?.groups;
    const specifier = groups?.['specifier'];
    if (specifier === undefined) continue;
    // No package can have such a name. It is an alias of the project, which Vite repeats unchanged.
    if (/^[@~]\//.test(specifier)) return { specifier: `${root}/${specifier.slice(2)}` };
    // If mocks of a file were hoisted, Vite gives its imports relative to the project root.
    if (specifier.startsWith('/') && !specifier.startsWith(`${root}/`)) return { specifier: `${root}${specifier}` };
    const importer = groups?.['importer'];
    if (!/^\.\.?\//.test(specifier) || importer === undefined) return { specifier };
    const from = importer.startsWith('/') ? importer : `${root}/${importer}`;
    return { specifier: `${from.slice(0, from.lastIndexOf('/'))}/${specifier}` };
  }
  return missingNodeModule(message);
}
