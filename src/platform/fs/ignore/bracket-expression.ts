/** `[a-z]`, `[!x]`, `[[:alpha:]]`: tells whether a character is in it. */
export interface BracketExpression {
  readonly has: (char: string) => boolean;
  /** Index of its closing bracket. */
  readonly end: number;
}

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
  space: /[ \t-\r]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

/** Reads a bracket expression from after its `[`; null when it never closes or names an unknown class. */
export function parseBracket(source: string, start: number): BracketExpression | null {
  let at = start;
  const negated = source[at] === '!' || source[at] === '^';
  if (negated) at += 1;
  const members: ((char: string) => boolean)[] = [];
  for (let first = true; first || source[at] !== ']'; first = false) {
    const named = /^\[:([a-z]*):\]/.exec(source.slice(at, at + 12));
    if (named !== null) {
      const pattern = CLASSES[named[1] ?? ''];
      if (pattern === undefined) return null;
      members.push((char) => pattern.test(char));
      at += named[0].length;
      continue;
    }
    const low = readMember(source, at);
    if (low === null) return null;
    at = low.next;
    if (source[at] === '-' && source[at + 1] !== ']' && source[at + 1] !== undefined) {
      const high = readMember(source, at + 1);
      if (high === null) return null;
      at = high.next;
      members.push((char) => char >= low.char && char <= high.char);
    } else {
      members.push((char) => char === low.char);
    }
  }
  return { end: at, has: (char) => members.some((member) => member(char)) !== negated };
}

function readMember(source: string, at: number): { readonly char: string; readonly next: number } | null {
  const escaped = source[at] === '\\';
  const char = source[escaped ? at + 1 : at];
  return char === undefined ? null : { char, next: at + (escaped ? 2 : 1) };
}
