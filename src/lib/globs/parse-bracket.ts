import { ownValue } from '../own-value.ts';
import type { Token } from './token.ts';

export type BracketResult =
  | {
      readonly kind: 'ok';
      readonly token: Token;
      readonly end: number;
      /** Accepted by git, but certainly a mistake: part of the expression can never match. */
      readonly doubt: string | null;
    }
  /** git treats a pattern that contains it as one that matches nothing. */
  | { readonly kind: 'refused'; readonly reason: string };

const code = (character: string): number => character.charCodeAt(0);
const range = (first: string, last: string) => (byte: number) => byte >= code(first) && byte <= code(last);
const digit = range('0', '9');
const lower = range('a', 'z');
const upper = range('A', 'Z');
const alpha = (byte: number) => lower(byte) || upper(byte);
const graph = range('!', '~');

/** The POSIX classes as git defines them: ASCII only, in every locale. */
const POSIX_CLASSES: Readonly<Record<string, (byte: number) => boolean>> = {
  alnum: (byte) => alpha(byte) || digit(byte),
  alpha,
  blank: (byte) => byte === 0x20 || byte === 0x09,
  cntrl: (byte) => byte < 0x20 || byte === 0x7f,
  digit,
  graph,
  lower,
  print: (byte) => graph(byte) || byte === 0x20,
  punct: (byte) => graph(byte) && !alpha(byte) && !digit(byte),
  space: (byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d),
  upper,
  xdigit: (byte) => digit(byte) || range('a', 'f')(byte) || range('A', 'F')(byte),
};

const refused = (reason: string): BracketResult => ({ kind: 'refused', reason });

/**
 * Reads the bracket expression that opens at `start` of a byte string as git does: `]` first is literal, `!` and `^` negate, a backslash
 * escapes. `end` is the index after its `]`.
 */
export function parseBracket(text: string, start: number): BracketResult {
  return scan(text, start, null);
}

/** The bytes that the expression of a token matches: 1 for each of the 256 that does. */
export function bracketMembers({ expression, folded }: Extract<Token, { kind: 'set' }>): Uint8Array {
  const members = new Uint8Array(256);
  const scanned = scan(expression, 0, members);
  if (scanned.kind === 'refused') throw new Error(`a bracket expression that was accepted ${scanned.reason}`);
  const first = expression[1];
  if (folded)
    for (let byte = code('A'); byte <= code('Z'); byte += 1) if (members[byte] === 1) members[byte | 0x20] = 1;
  if (first === '!' || first === '^')
    for (let byte = 0; byte < 256; byte += 1) members[byte] = members[byte] === 1 ? 0 : 1;
  members[code('/')] = 0;
  return members;
}

/**
 * Reads an expression and, if `members` is given, marks the bytes that it names, before any negation. Most expressions are read long before their
 * members are needed, if ever.
 */
function scan(text: string, start: number, members: Uint8Array | null): BracketResult {
  let doubt: string | null = null;
  let at = start + 1;
  const negated = text[at] === '!' || text[at] === '^';
  if (negated) at += 1;
  const first = at;
  let rangeStart: number | null = null;

  for (;;) {
    const character = text[at];
    if (character === undefined) return refused('has a "[" without its "]"; write "\\[" for the character itself');
    if (character === ']' && at > first) break;
    if (character === '[' && text[at + 1] === ':') {
      const named = className(text, at);
      if (named !== null) {
        const contains = ownValue(POSIX_CLASSES, named);
        if (contains === undefined) return refused(`has an unknown character class "[:${named}:]"`);
        for (let byte = 0; members !== null && byte < 256; byte += 1) if (contains(byte)) members[byte] = 1;
        rangeStart = null;
        at += named.length + 4;
        continue;
      }
      doubt ??= 'has "[:" without ":]" inside "[...]"';
    }
    const next = text[at + 1];
    const isRange = character === '-' && next !== undefined && next !== ']';
    const from = isRange ? rangeStart : null;
    if (from !== null) at += 1;
    if (text[at] === '\\') at += 1;
    const operand = text[at];
    if (operand === undefined) return refused('ends in a backslash');
    if (operand === '/') doubt ??= 'has a "/" inside "[...]"; no file name contains one';
    const byte = code(operand);
    if (from !== null) {
      if (byte < from) doubt ??= 'has a range that is the wrong way round';
      else members?.fill(1, from, byte + 1);
      rangeStart = null;
    } else {
      if (members !== null) members[byte] = 1;
      rangeStart = byte;
    }
    at += 1;
  }
  const token = { kind: 'set', expression: text.slice(start, at + 1), folded: false } as const;
  return { kind: 'ok', token, end: at + 1, doubt };
}

/** The name in `[:name:]` at `start`; null if the first `]` does not close one, so that the `[` is literal. */
function className(text: string, start: number): string | null {
  const close = text.indexOf(']', start + 2);
  if (close <= start + 2 || text[close - 1] !== ':') return null;
  return text.slice(start + 2, close - 1);
}
