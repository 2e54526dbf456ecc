/** A piece of JavaScript or TypeScript: a literal's value, a name, or one character of punctuation. */
export type Token =
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'name'; readonly value: string }
  | { readonly kind: 'mark'; readonly value: string };

const SKIPPED = /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const STRING = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\$]|\\.|\$(?!\{))*)`/y;
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
/** After one of these a slash is a division; after anything else it begins a regular expression. */
const ENDS_VALUE = /^[)\]}]$/;

/** Source as tokens, enough to find literals in it: comments and regular expressions are left out. This is no parser: only plain literals can be relied on. */
export function sourceTokens(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  while (at < source.length) {
    if (take(SKIPPED) !== null) continue;
    const before = tokens.at(-1);
    const afterValue = before !== undefined && (before.kind !== 'mark' || ENDS_VALUE.test(before.value));
    if (!afterValue && take(REGEX) !== null) continue;
    const string = take(STRING);
    if (string !== null) {
      const raw = string[1] ?? string[2] ?? string[3] ?? '';
      tokens.push({ kind: 'string', value: raw.replace(/\\(.)/gs, '$1') });
      continue;
    }
    const name = take(NAME);
    if (name !== null) {
      tokens.push({ kind: 'name', value: name[0] });
      continue;
    }
    tokens.push({ kind: 'mark', value: source[at] as string });
    at += 1;
  }
  return tokens;
}
