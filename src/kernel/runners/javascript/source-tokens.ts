/** A piece of JavaScript or TypeScript: a literal's value, a name, or one character of punctuation. */
export type Token =
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'name'; readonly value: string }
  | { readonly kind: 'mark'; readonly value: string };

const SKIPPED = /\s+|\/\/[^\n]*/y;
/** Each of these goes as far as it can where its end, the last group, is missing: what is in it is not looked through again from each of its characters. */
const COMMENT = /\/\*[\s\S]*?(\*\/|$)/y;
const QUOTED = /(["'])((?:(?!\1)[^\\\n]|\\.)*)(\1?)/y;
const TEMPLATE = /`((?:[^`\\$]|\\.|\$(?!\{))*)(`?)/y;
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*(?:\]|(?=\n|\\\n|\\?$)))+(\/[a-z]*|)/y;
/** After one of these a slash is a division; after anything else it begins a regular expression. */
const ENDS_VALUE = /^[)\]}]$/;

/** Source as tokens, enough to find literals in it: comments and regular expressions are left out. This is no parser: only plain literals can be relied on. */
export function sourceTokens(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  /** Up to where one that begins so has no end. */
  const unclosed = new Map<string, number>();
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  /** Null also for one without an end: its first character is a mark then, and what follows is read as if nothing had begun. */
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
