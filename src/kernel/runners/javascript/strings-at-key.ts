import type { Token } from './source-tokens.ts';

/**
 * Returns the strings that an object literal assigns to a key at any depth: one string or a list. null if the key has
 * another kind of value. Empty if there is no such key.
 */
export function stringsAtKey(tokens: readonly Token[], key: string): readonly string[] | null {
  const at = tokens.findIndex(
    (token, index) => token.kind !== 'mark' && token.value === key && tokens[index + 1]?.value === ':',
  );
  const value = tokens[at + 2];
  if (at === -1 || value === undefined) return [];
  if (value.kind === 'string') return [value.value];
  if (value.value !== '[') return null;
  const strings: string[] = [];
  for (const token of tokens.slice(at + 3)) {
    if (token.kind === 'mark' && token.value === ']') return strings;
    if (token.kind === 'string') strings.push(token.value);
    else if (token.value !== ',') return null;
  }
  return null;
}
