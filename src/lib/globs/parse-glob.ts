import { toByteString } from './glob.ts';
import type { Glob, GlobPart } from './glob.ts';
import type { Token } from './token.ts';
import { parseBracket } from './parse-bracket.ts';
import { literalText, segmentPattern } from './segment-pattern.ts';

export type ParsedGlob =
  | { readonly kind: 'ok'; readonly glob: Glob }
  /** `reason` completes the sentence "the pattern …" and says what to write instead. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Together with `glob-weight.ts`, limits the time of a pattern on any path. */
export const MAX_GLOB_BYTES = 1024;

const REFUSALS: readonly { readonly pattern: RegExp; readonly reason: string }[] = [
  { pattern: /^$/, reason: 'is empty' },
  { pattern: /\p{Cc}/u, reason: 'contains a control character' },
  { pattern: /\p{Cs}/u, reason: 'contains half of a surrogate pair' },
  { pattern: /^!/, reason: 'begins with "!"; use except, or write "\\!" for the character itself' },
  { pattern: /^#/, reason: 'begins with "#", which is a comment in .gitignore; write "\\#" for the character itself' },
  {
    pattern: /(?<!\\)(?:\\\\)* $/,
    reason: 'ends in a space, which .gitignore drops; remove it, or write "\\ " if it is meant',
  },
];

/**
 * Parses a .gitignore pattern. Refused is everything that git reads differently from the glob dialects of other tools (braces, extended globs,
 * negation), and everything that git accepts but that can never match: an allow must not be wider and a deny not narrower than its author thinks.
 * docs/decisions/0004-globs.md lists each.
 */
export function parseGlob(source: string, maxBytes = MAX_GLOB_BYTES): ParsedGlob {
  return parse(source, false, maxBytes);
}

function parse(source: string, folded: boolean, maxBytes: number): ParsedGlob {
  // Checked before anything that reads each character. No text has fewer bytes than characters.
  const tooLong: ParsedGlob = { kind: 'refused', reason: `is longer than ${maxBytes} bytes` };
  if (source.length > maxBytes) return tooLong;
  for (const { pattern, reason } of REFUSALS) if (pattern.test(source)) return { kind: 'refused', reason };
  if (source.normalize('NFC') !== source) {
    return { kind: 'refused', reason: 'is not in Unicode form NFC, in which every path is matched' };
  }
  const text = toByteString(source);
  if (text.length > maxBytes) return tooLong;
  const lookalike = foreignSyntax(text);
  if (lookalike !== null) return { kind: 'refused', reason: lookalike };

  const directoryOnly = text.endsWith('/');
  const body = directoryOnly ? text.slice(0, -1) : text;
  const rooted = body.startsWith('/');
  const pieces = splitSegments(rooted ? body.slice(1) : body, folded);
  if (pieces.kind === 'refused') return pieces;

  const parts: GlobPart[] = rooted || pieces.segments.length > 1 ? [] : [{ kind: 'globstar' }];
  const anchored = parts.length === 0;
  for (const [index, segment] of pieces.segments.entries()) {
    // Without a slash, or at the end, `**` means no more than `*`: everything below a match matches anyway.
    if (anchored && /^\*\*+$/.test(segment.text) && index < pieces.segments.length - 1) {
      if (parts.at(-1)?.kind !== 'globstar') parts.push({ kind: 'globstar' });
    } else {
      // Two patterns of one text are treated as one, so a folded pattern needs another text.
      parts.push(segmentPattern(folded ? `folded ${segment.text}` : segment.text, segment.tokens));
    }
  }
  return { kind: 'ok', glob: { source, parts: simplifyEnd(parts), directoryOnly } };
}

/**
 * The glob for folded paths (`foldPath`): upper-case letters of the pattern match lower-case ones. null if that changes nothing. A negated set
 * excludes both cases.
 */
export function foldGlob(glob: Glob): Glob | null {
  const source = glob.source.toLowerCase();
  if (source === glob.source && !source.includes('[:upper:]')) return null;
  const parsed = parse(source, true, 2 * MAX_GLOB_BYTES);
  return parsed.kind === 'ok' ? parsed.glob : null;
}

/** A glob matches everything below a match, so "any depth, then any name" is the same as "any name". */
function simplifyEnd(parts: GlobPart[]): GlobPart[] {
  return parts.at(-1)?.kind === 'any' && parts.at(-2)?.kind === 'globstar'
    ? [...parts.slice(0, -2), { kind: 'any' }]
    : parts;
}

/**
 * Syntax that other tools expand and git reads literally: either interpretation could widen an allow or narrow a deny. Each check passes over the
 * pattern once, because `{,,,,` and `*(*(*(` are attacks on expressions that start again at every character.
 */
function foreignSyntax(text: string): string | null {
  const bare = text.replaceAll(/\\./g, '__');
  if ((bare.match(/\{[^{}]*\}/g) ?? []).some((braces) => /,|\.\./.test(braces))) {
    return 'has a brace expansion, which .gitignore does not know; list the alternatives, or write "\\{" for the character itself';
  }
  const opened = bare.search(/[@!+?*]\(/);
  if (opened >= 0 && bare.includes(')', opened)) {
    return 'has an extended glob, which .gitignore does not know; write "\\(" for the character itself';
  }
  return null;
}

interface Segment {
  readonly text: string;
  readonly tokens: readonly Token[];
}

type Segments =
  | { readonly kind: 'ok'; readonly segments: readonly Segment[] }
  | { readonly kind: 'refused'; readonly reason: string };

function splitSegments(text: string, folded: boolean): Segments {
  const refused = (reason: string): Segments => ({ kind: 'refused', reason });
  const segments: Segment[] = [];
  let tokens: Token[] = [];
  let start = 0;
  let at = 0;
  for (;;) {
    const character = text[at];
    if (character === undefined || character === '/') {
      if (at === start) return refused('has an empty path segment');
      const segment = { text: text.slice(start, at), tokens };
      const name = literalText(tokens);
      if (name === '.' || name === '..') return refused(`has a "${name}" segment, which no normalised path contains`);
      segments.push(segment);
      if (character === undefined) return { kind: 'ok', segments };
      tokens = [];
      at += 1;
      start = at;
    } else if (character === '*') {
      let end = at + 1;
      while (text[end] === '*') end += 1;
      const wholeSegment = at === start && (text[end] === undefined || text[end] === '/');
      // git reads such stars as one or, after a literal beginning (`a**/b` matches ab), as any depth: nobody can mean that.
      if (end - at > 1 && !wholeSegment)
        return refused('has "**" beside other characters; it means any depth only as a whole segment');
      tokens.push({ kind: 'star' });
      at = end;
    } else if (character === '?') {
      tokens.push({ kind: 'one' });
      at += 1;
    } else if (character === '[') {
      const bracket = parseBracket(text, at);
      if (bracket.kind === 'refused') return bracket;
      if (bracket.doubt !== null) return refused(bracket.doubt);
      tokens.push(bracket.token.kind === 'set' ? { ...bracket.token, folded } : bracket.token);
      at = bracket.end;
    } else {
      if (character === '\\') at += 1;
      const literal = text[at];
      if (literal === undefined) return refused('ends in a backslash');
      if (literal === '/') return refused('has an escaped "/"');
      tokens.push({ kind: 'byte', code: literal.charCodeAt(0) });
      at += 1;
    }
  }
}
