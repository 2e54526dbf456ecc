/** A token of JavaScript or TypeScript: the value of a string literal, a name, or one character of punctuation. */
export type Token =
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'name'; readonly value: string }
  | { readonly kind: 'mark'; readonly value: string };

const SKIPPED = /\s+|\/\/[^\n]*/y;
/**
 * If the end of one of these is missing, the pattern matches as far as possible, with '' as the last group. So the text
 * inside is not scanned again from each of its characters.
 */
const COMMENT = /\/\*[\s\S]*?(\*\/|$)/y;
const QUOTED = /(["'])((?:(?!\1)[^\\\n]|\\.)*)(\1?)/y;
const TEMPLATE = /`((?:[^`\\$]|\\.|\$(?!\{))*)(`?)/y;
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*(?:\]|(?=\n|\\\n|\\?$)))+(\/[a-z]*|)/y;
/** After one of these, a slash is a division. Otherwise it begins a regular expression. */
const ENDS_VALUE = /^[)\]}]$/;

/**
 * Returns the tokens of a source, to find literals in it. Comments and regular expressions are left out. It is not a
 * parser: only plain literals are reliable.
 */
export function sourceTokens(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  /** For each opening, the place up to which it is known to have no end. */
  const unclosed = new Map<string, number>();
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  /**
   * Returns null if the end is missing too. Then the first character becomes a `mark`, and the text after it is read
   * normally.
   */
  const takeClosed = (pattern: RegExp, begins = source[at] as string): RegExpExecArray | null => {
    const start = at;
    if ((unclosed.get(begins) ?? 0) > start) return null;
    const found = take(pattern);
    if (found === null || found.at(-1) !== '') return found;
    unclosed.set(begins, at);
    at = start;
    return null;
  };
  while (at < source.length) {
    if (take(SKIPPED) !== null || takeClosed(COMMENT, '/*') !== null) continue;
    const before = tokens.at(-1);
    const afterValue = before !== undefined && (before.kind !== 'mark' || ENDS_VALUE.test(before.value));
    if (!afterValue && takeClosed(REGEX) !== null) continue;
    const [, , quoted] = takeClosed(QUOTED) ?? [];
    const raw = quoted ?? takeClosed(TEMPLATE)?.[1];
    if (raw !== undefined) {
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
