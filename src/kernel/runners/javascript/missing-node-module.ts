import { firstMissing } from '../missing-module.ts';
import type { Missing } from '../missing-module.ts';

const PATTERNS: readonly RegExp[] = [
  /^The requested module '(?<specifier>[^']+)' does not provide an export named '(?<export>[^']+)'/,
  /^Export named '(?<export>[^']+)' not found in module '(?<specifier>[^']+)'/,
  /^Cannot find module '(?<specifier>[^']+)'/,
  /^Cannot find package '(?<specifier>[^']+)'/,
];

/** Pure: returns the module or export that a message of Node's loader names as missing; null for another message. */
export function missingNodeModule(message: string): Missing | null {
  return firstMissing(PATTERNS, message);
}
