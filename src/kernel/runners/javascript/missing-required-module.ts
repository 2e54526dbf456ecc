import type { Missing } from '../missing-module.ts';
import { missingNodeModule } from './missing-node-module.ts';

const PATTERNS: readonly RegExp[] = [
  // jest: the importer is relative to its root directory.
  /Cannot find module '(?<specifier>[^']+)' from '(?<importer>[^']+)'/,
  // Bun
  /Cannot find (?:module|package) '(?<specifier>[^']+)' imported from (?<importer>\/.+)$/m,
  // Node's require
  /Cannot find module '(?<specifier>[^']+)'\nRequire stack:\n- (?<importer>\S+)/,
  // TypeScript, if a transformer checks types.
  /(?<importer>[^\s:]+):\d+:\d+ - error TS2307: Cannot find module '(?<specifier>[^']+)'/,
];

/**
 * jest, if a `moduleNameMapper` maps a name to a missing file. The project writes these patterns, and only the usual
 * forms are understood.
 */
const MAPPED = /Could not locate module (?<specifier>\S+) mapped as:\s+(?<target>\S+)\.$/m;

/**
 * Pure: returns the path that a `moduleNameMapper` of the form `^prefix(.*)$`, `^name$` or `^(\.{1,2}/.*)\.js$` leads
 * to.
 */
function mappedModule(message: string): string | null {
  const { specifier = '', target = '' } = MAPPED.exec(message)?.groups ?? {};
  // A TypeScript file is imported by the name of its compiled file.
  if (target === '$1' && /^\.\.?\/.*\.[cm]?js$/.test(specifier)) return specifier.replace(/\.[cm]?js$/, '');
  if (!target.startsWith('/')) return null;
  if (!target.includes('$')) return target;
  const tail = message
    .split('\n')
    .map((line) => /^\s*"\/\^(.*)\((?:\.[*+]\??)\)\$?\/": "(.*)",?$/.exec(line.trimEnd()))
    .filter((found) => found?.[2] === target)
    .map((found) => (found?.[1] ?? '').replace(/\\+(.)/g, '$1'))
    .find((prefix) => specifier.startsWith(prefix));
  if (tail === undefined || !/^[^$]*\$1[^$]*$/.test(target)) return null;
  return target.replace('$1', () => specifier.slice(tail.length));
}

/**
 * Pure: returns the module that a message of jest, mocha or Node's require names as missing; null for another message.
 * A relative specifier becomes a path below `root` if the message names the importer. With `projects`, jest names it
 * relative to the root directory of its project, so the test file itself, an absolute path, is recognised by its end.
 */
export function missingRequiredModule(message: string, root: string, testFile = ''): Missing | null {
  const mapped = mappedModule(message);
  if (mapped !== null) return { specifier: mapped };
  for (const pattern of PATTERNS) {
    const groups = pattern.exec(message)?.groups;
    const specifier = groups?.['specifier'];
    if (specifier === undefined) continue;
    const importer = groups?.['importer'];
    if (!/^\.\.?\//.test(specifier) || importer === undefined) return { specifier };
    const inRoot = testFile.endsWith(`/${importer}`) ? testFile : `${root}/${importer}`;
    const from = importer.startsWith('/') ? importer : inRoot;
    return { specifier: `${from.slice(0, from.lastIndexOf('/'))}/${specifier}` };
  }
  const line = message
    .split('\n')
    .find((each) => /The requested module '|Export named '|Cannot find (?:module|package) '/.test(each));
  return missingNodeModule((line ?? message).replace(/^\s*(?:\w*Error(?: \[\w+\])?: )?/, ''));
}
