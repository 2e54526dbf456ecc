import { assertNever } from '../../../lib/assert-never.ts';
import { parseBracket } from './bracket-expression.ts';

/** A pattern of git's wildcard language, ready to be matched. */
export interface WildcardPattern {
  /** What every match begins with. */
  readonly literal: string;
  /** What follows, from the first wildcard to the last; empty for a pattern without any. */
  readonly tokens: readonly Token[];
  /** What every match ends with. */
  readonly ending: string;
}

type Token =
  | { readonly kind: 'char'; readonly char: string }
  /** Any character but a slash, or those of a bracket expression. */
  | { readonly kind: 'one-of'; readonly has: (char: string) => boolean }
  /** `*`: any run without a slash. */
  | { readonly kind: 'run' }
  /** A double star with a slash behind it: nothing, or any directories up to and with their last slash. */
  | { readonly kind: 'directories' }
  /** A double star at the end: everything that is left. */
  | { readonly kind: 'rest' };

/** Reads a pattern; null for one that git never matches, such as an unclosed bracket. */
export function parseWildcards(source: string): WildcardPattern | null {
  const wild = source.search(/[*?[\\]/);
  if (wild === -1) return { literal: source, tokens: [], ending: '' };
  // git compares the part before the first wildcard by itself, and takes what follows for a pattern of its own: a double star right
  // after it stands at a beginning.
  const tokens = tokenise(source.slice(wild));
  if (tokens === null) return null;
  const end = tokens.findLastIndex((token) => token.kind !== 'char') + 1;
  const ending = tokens
    .slice(end)
    .map((token) => (token.kind === 'char' ? token.char : ''))
    .join('');
  return { literal: source.slice(0, wild), tokens: tokens.slice(0, end), ending };
}

function tokenise(source: string): Token[] | null {
  const tokens: Token[] = [];
  for (let at = 0; at < source.length; at += 1) {
    const char = source.charAt(at);
    switch (char) {
      case '\\': {
        at += 1;
        if (at === source.length) return null;
        tokens.push({ kind: 'char', char: source.charAt(at) });
        break;
      }
      case '?':
        tokens.push({ kind: 'one-of', has: () => true });
        break;
      case '[': {
        const bracket = parseBracket(source, at + 1);
        if (bracket === null) return null;
        tokens.push({ kind: 'one-of', has: bracket.has });
        at = bracket.end;
        break;
      }
      case '*': {
        const start = at;
        while (source[at + 1] === '*') at += 1;
        const bounded = at > start && (start === 0 || source[start - 1] === '/');
        if (bounded && at + 1 === source.length) tokens.push({ kind: 'rest' });
        else if (bounded && source[at + 1] === '/') {
          tokens.push({ kind: 'directories' });
          at += 1;
        } else tokens.push({ kind: 'run' });
        break;
      }
      default:
        tokens.push({ kind: 'char', char });
    }
  }
  return tokens;
}

/**
 * Whether all of `text` matches. Keeps the set of places in the pattern that could have been reached, never a way back: time is the
 * product of both lengths at worst, whatever a hostile repository writes into its ignore file.
 */
export function matchesWildcards(pattern: WildcardPattern, text: string): boolean {
  const { literal, tokens, ending } = pattern;
  const end = text.length - ending.length;
  if (end < literal.length || !text.startsWith(literal) || !text.endsWith(ending)) return false;
  if (tokens.length === 0) return end === literal.length;
  return matchesTokens(tokens, text.slice(literal.length, end));
}

function matchesTokens(tokens: readonly Token[], text: string): boolean {
  if (tokens.length === 1 && tokens[0]?.kind === 'run') return !text.includes('/');
  // Two places a token: before it, and inside it (only `directories` has an inside).
  let reached = new Uint8Array(2 * tokens.length + 2);
  enter(tokens, reached, 0);
  for (let at = 0; at < text.length; at += 1) {
    const next = new Uint8Array(reached.length);
    let alive = false;
    for (let index = 0; index < tokens.length; index += 1) {
      const token = tokens[index];
      if (token === undefined) break;
      if (reached[2 * index] === 1) alive = step(tokens, next, index, text.charAt(at)) || alive;
      if (reached[2 * index + 1] === 1) alive = stepInside(tokens, next, index, text.charAt(at)) || alive;
    }
    if (!alive) return false;
    reached = next;
  }
  return reached[2 * tokens.length] === 1;
}

/** Reaches the place before a token, and whatever can be reached from there without reading. */
function enter(tokens: readonly Token[], reached: Uint8Array, index: number): void {
  for (let at = index; ; at += 1) {
    reached[2 * at] = 1;
    const kind = tokens[at]?.kind;
    if (kind === 'directories') reached[2 * at + 1] = 1;
    if (kind !== 'run' && kind !== 'rest' && kind !== 'directories') return;
  }
}

/** Reads one character before a token. */
function step(tokens: readonly Token[], next: Uint8Array, index: number, char: string): boolean {
  const token = tokens[index];
  if (token === undefined) return false;
  switch (token.kind) {
    case 'char':
      if (char !== token.char) return false;
      enter(tokens, next, index + 1);
      return true;
    case 'one-of':
      if (char === '/' || !token.has(char)) return false;
      enter(tokens, next, index + 1);
      return true;
    case 'run':
      if (char === '/') return false;
      enter(tokens, next, index);
      return true;
    case 'rest':
      enter(tokens, next, index);
      return true;
    case 'directories':
      // Reading begins inside it.
      return false;
    default:
      return assertNever(token);
  }
}

function stepInside(tokens: readonly Token[], next: Uint8Array, index: number, char: string): boolean {
  next[2 * index + 1] = 1;
  if (char === '/') enter(tokens, next, index + 1);
  return true;
}
