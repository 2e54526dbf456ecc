import { randomInt } from 'node:crypto';

const VERBS = ['keeps', 'returns', 'accepts', 'sorts', 'reads', 'counts', 'joins', 'splits', 'compares', 'rounds'];
const THINGS = ['the order', 'values', 'names', 'pairs', 'lists', 'words', 'paths', 'numbers', 'keys', 'dates'];

function oneOf(list: readonly string[]): string {
  return list[randomInt(list.length)] ?? '';
}

/** One of the names of the file's own tests, or one that any test could have: it differs in every run, and no code can tell it from a real one. */
export function canaryName(own: readonly string[]): string {
  return own.length > 0 ? oneOf(own) : `${oneOf(VERBS)} ${oneOf(THINGS)}`;
}
