import type { Missing } from '../missing-module.ts';
import { missingNodeModule } from './missing-node-module.ts';

const PATTERNS: readonly RegExp[] = [
  // jest, and the importer below its root directory
  /Cannot find module '(?<specifier>[^']+)' from '(?<importer>[^']+)'/,
  // Bun
  /Cannot find (?:module|package) '(?<specifier>[^']+)' imported from (?<importer>\/.+)$/m,
  // Node's require
  /Cannot find module '(?<specifier>[^']+)'\nRequire stack:\n- (?<importer>\S+)/,
  // TypeScript, where a transformer checks types
  /(?<importer>[^\s:]+):\d+:\d+ - error TS2307: Cannot find module '(?<specifier>[^']+)'/,
];

/**
 * Pure: the module that a message of jest, mocha or Node's require names as missing; null for another message. A relative specifier becomes a path below
 * `root`, where the message names the importer.
 */
export function missingRequiredModule(message: string, root: string): Missing | null {
  for (const pattern of PATTERNS) {
    const groups = pattern.exec(message)?.groups;
    const specifier = groups?.['specifier'];
    if (specifier === undefined) continue;
    const importer = groups?.['importer'];
    if (!/^\.\.?\//.test(specifier) || importer === undefined) return { specifier };
    const from = importer.startsWith('/') ? importer : `${root}/${importer}`;
    return { specifier: `${from.slice(0, from.lastIndexOf('/'))}/${specifier}` };
  }
  const line = message
    .split('\n')
    .find((each) => /The requested module '|Export named '|Cannot find (?:module|package) '/.test(each));
  return missingNodeModule((line ?? message).replace(/^\s*(?:\w*Error(?: \[\w+\])?: )?/, ''));
}
