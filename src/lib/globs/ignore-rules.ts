import type { SegmentPattern } from './glob.ts';
import type { Token } from './token.ts';
import { toByteString } from './glob.ts';
import { matchSegment } from './match-glob.ts';
import { parseBracket } from './parse-bracket.ts';
import { segmentPattern } from './segment-pattern.ts';
import { Wildcards } from './wildcards.ts';

/** One line of an ignore file. */
export type IgnoreRule = IgnorePattern & { readonly negated: boolean; readonly directoryOnly: boolean };

/** `name`: any name of a path, at any depth. `path`: the whole path below the file's directory, which begins with `literal`. */
export type IgnorePattern =
  | { readonly appliesTo: 'name'; readonly name: SegmentPattern }
  | { readonly appliesTo: 'path'; readonly literal: string; readonly rest: Wildcards | null };

/** Reads an ignore file exactly as git does, while `parseGlob` refuses ambiguous patterns. Lines that can't match anything are left out. */
export function parseIgnoreFile(text: string): readonly IgnoreRule[] {
  return toByteString(text.replace(/^\ufeff/, ''))
    .split('\n')
    .flatMap((line) => {
      const rule = parseIgnoreLine(line);
      return rule === null ? [] : [rule];
    });
}

/** `path` is a byte string and relative to the directory of the ignore file. */
export function ruleMatches(rule: IgnoreRule, path: string, directory: boolean): boolean {
  if (rule.directoryOnly && !directory) return false;
  return patternMatches(rule, path);
}

/** `path` is a byte string. */
export function patternMatches(pattern: IgnorePattern, path: string): boolean {
  if (pattern.appliesTo === 'name') return matchSegment(pattern.name, path.slice(path.lastIndexOf('/') + 1));
  const { literal, rest } = pattern;
  if (rest === null) return path === literal;
  return path.startsWith(literal) && rest.matches(path.slice(literal.length));
}

/** A pattern without `!` and without a slash at its end; null for one that never matches, such as an unclosed bracket. */
export function parseIgnorePattern(source: string): IgnorePattern | null {
  // Two notations for "at any depth".
  const name = source.startsWith('**/') ? source.slice('**/'.length) : source;
  if (!name.includes('/')) {
    const tokens = tokenise(name);
    // Inside one name, two stars count as one.
    const inName = tokens?.map((token): Token => (token.kind === 'rest' ? { kind: 'star' } : token));
    return inName === undefined ? null : { appliesTo: 'name', name: segmentPattern(name, inName) };
  }
  const path = source.replace(/^\//, '');
  // git compares the part before the first wildcard by itself, and reads the rest as a pattern of its own: two stars right after it are at the
  // beginning of that pattern.
  const wild = path.search(/[*?[\\]/);
  if (wild === -1) return { appliesTo: 'path', literal: path, rest: null };
  const tokens = tokenise(path.slice(wild));
  return tokens === null ? null : { appliesTo: 'path', literal: path.slice(0, wild), rest: new Wildcards(tokens) };
}

function parseIgnoreLine(line: string): IgnoreRule | null {
  let source = stripTrailingSpaces(line.replace(/\r$/, ''));
  if (source === '' || source.startsWith('#')) return null;
  const negated = source.startsWith('!');
  if (negated) source = source.slice(1);
  const directoryOnly = source.endsWith('/');
  if (directoryOnly) source = source.slice(0, -1);
  if (source === '') return null;
  const pattern = parseIgnorePattern(source);
  return pattern === null ? null : { negated, directoryOnly, ...pattern };
}

/** Spaces at the end don't count, unless a backslash precedes them. */
function stripTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ') end -= 1;
  let backslashes = 0;
  while (line[end - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1 ? line.slice(0, end + 1) : line.slice(0, end);
}

/** The tokens of a pattern that may match across slashes; null if git matches nothing with it. */
function tokenise(source: string): readonly Token[] | null {
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length) {
    const character = source.charAt(at);
    if (character === '?') {
      tokens.push({ kind: 'one' });
      at += 1;
    } else if (character === '[') {
      const bracket = parseBracket(source, at);
      if (bracket.kind === 'refused') return null;
      tokens.push(bracket.token);
      at = bracket.end;
    } else if (character === '*') {
      const start = at;
      while (source[at] === '*') at += 1;
      const whole = at - start > 1 && (start === 0 || source[start - 1] === '/');
      if (whole && at === source.length) tokens.push({ kind: 'rest' });
      else if (whole && source[at] === '/') {
        at += 1;
        // Any number of directories twice is the same as once.
        if (tokens.at(-1)?.kind !== 'directories') tokens.push({ kind: 'directories' });
      } else tokens.push({ kind: 'star' });
    } else {
      if (character === '\\') at += 1;
      if (at === source.length) return null;
      tokens.push({ kind: 'byte', code: source.charCodeAt(at) });
      at += 1;
    }
  }
  return tokens;
}
