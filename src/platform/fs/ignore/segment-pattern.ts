/** One piece of a pattern between two slashes: it matches names, never a slash. */
export type SegmentToken =
  | { readonly kind: 'literal'; readonly char: string }
  | { readonly kind: 'any-char' }
  | { readonly kind: 'any-run' }
  | { readonly kind: 'set'; readonly negated: boolean; readonly has: (char: string) => boolean };

const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /[\u0000-\u001f\u007f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /\s/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

/** Reads a segment; null for one that git never matches, such as an unclosed bracket. */
export function parseSegment(source: string): readonly SegmentToken[] | null {
  const chars = [...source];
  const tokens: SegmentToken[] = [];
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at] ?? '';
    switch (char) {
      case '\\': {
        at += 1;
        const escaped = chars[at];
        if (escaped === undefined) return null;
        tokens.push({ kind: 'literal', char: escaped });
        break;
      }
      case '?':
        tokens.push({ kind: 'any-char' });
        break;
      case '*':
        if (tokens.at(-1)?.kind !== 'any-run') tokens.push({ kind: 'any-run' });
        break;
      case '[': {
        const set = parseSet(chars, at + 1);
        if (set === null) return null;
        tokens.push(set.token);
        at = set.end;
        break;
      }
      default:
        tokens.push({ kind: 'literal', char });
    }
  }
  return tokens;
}

/**
 * Whether a name matches. One way back is kept, to the last `*`: time grows with the product of both lengths at worst, whatever
 * a hostile repository writes into its ignore file.
 */
export function matchSegment(tokens: readonly SegmentToken[], name: string): boolean {
  const chars = [...name];
  let token = 0;
  let char = 0;
  let runToken = -1;
  let runChar = 0;
  while (char < chars.length) {
    const wanted = tokens[token];
    if (wanted?.kind === 'any-run') {
      runToken = token;
      runChar = char;
      token += 1;
    } else if (wanted !== undefined && matchesOne(wanted, chars[char] ?? '')) {
      token += 1;
      char += 1;
    } else if (runToken >= 0) {
      runChar += 1;
      char = runChar;
      token = runToken + 1;
    } else {
      return false;
    }
  }
  while (tokens[token]?.kind === 'any-run') token += 1;
  return token === tokens.length;
}

function matchesOne(token: SegmentToken, char: string): boolean {
  switch (token.kind) {
    case 'literal':
      return token.char === char;
    case 'set':
      return token.has(char) !== token.negated;
    case 'any-char':
    case 'any-run':
      return true;
  }
}

/** Reads a bracket expression from after its `[`; `end` is the index of its `]`. */
function parseSet(
  chars: readonly string[],
  start: number,
): { readonly token: SegmentToken; readonly end: number } | null {
  let at = start;
  const negated = chars[at] === '!' || chars[at] === '^';
  if (negated) at += 1;
  const members: ((char: string) => boolean)[] = [];
  for (let first = true; first || chars[at] !== ']'; first = false) {
    const named = /^\[:([a-z]*):\]/.exec(chars.slice(at, at + 12).join(''));
    if (named !== null) {
      const pattern = CLASSES[named[1] ?? ''];
      if (pattern === undefined) return null;
      members.push((char) => pattern.test(char));
      at += named[0].length;
      continue;
    }
    const low = readMember(chars, at);
    if (low === null) return null;
    at = low.next;
    if (chars[at] === '-' && chars[at + 1] !== ']' && chars[at + 1] !== undefined) {
      const high = readMember(chars, at + 1);
      if (high === null) return null;
      at = high.next;
      members.push((char) => char >= low.char && char <= high.char);
    } else {
      members.push((char) => char === low.char);
    }
  }
  return { token: { kind: 'set', negated, has: (char) => members.some((member) => member(char)) }, end: at };
}

function readMember(chars: readonly string[], at: number): { readonly char: string; readonly next: number } | null {
  const escaped = chars[at] === '\\';
  const char = chars[escaped ? at + 1 : at];
  return char === undefined ? null : { char, next: at + (escaped ? 2 : 1) };
}
