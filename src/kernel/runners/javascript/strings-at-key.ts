import type { Token } from './source-tokens.ts';

/**
 * The strings that an object literal gives to a key, at any depth: one string, or a list of strings. null: the key is there, and its value is written in
 * another way. Empty: there is no such key.
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
