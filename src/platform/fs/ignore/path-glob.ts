import { toByteString } from '../../../lib/globs/glob.ts';
import type { IgnorePattern } from '../../../lib/globs/ignore-rules.ts';
import { parseIgnorePattern, patternMatches } from '../../../lib/globs/ignore-rules.ts';

/** A glob for a search: .gitignore syntax and semantics, plus `{a,b}`. */
export type PathGlob =
  | { readonly kind: 'ok'; readonly matches: (path: string) => boolean }
  | { readonly kind: 'invalid'; readonly reason: string };

/** Maximum number of alternatives that braces may expand to. */
const MAX_ALTERNATIVES = 64;

/**
 * A glob without a slash matches names at any depth; with a slash, it matches the path from the start of the search.
 */
export function compileGlob(glob: string): PathGlob {
  const alternatives = expandBraces(glob);
  if (alternatives === null)
    return { kind: 'invalid', reason: `braces stand for more than ${MAX_ALTERNATIVES} patterns` };
  const patterns: IgnorePattern[] = [];
  for (const alternative of alternatives) {
    const pattern = parseIgnorePattern(toByteString(alternative));
    if (pattern === null) return { kind: 'invalid', reason: `"${alternative}" is not a valid pattern` };
    patterns.push(pattern);
  }
  return { kind: 'ok', matches: (path) => matchesAny(patterns, toByteString(path)) };
}

function matchesAny(patterns: readonly IgnorePattern[], path: string): boolean {
  return patterns.some((pattern) => patternMatches(pattern, path));
}

/**
 * Splits off the leading components without a wildcard: the search starts there, and the rest is matched from there.
 */
export function splitLiteralPrefix(glob: string): { readonly prefix: string; readonly rest: string | null } {
  const components = glob.split('/');
  const wild = components.findIndex((component) => /[*?[\]{}\\]/.test(component));
  if (wild === -1) return { prefix: glob, rest: null };
  if (wild === 0) return { prefix: '', rest: glob };
  return { prefix: components.slice(0, wild).join('/'), rest: `/${components.slice(wild).join('/')}` };
}

/** All expansions of the braces; null if there are too many. An unclosed brace is literal. */
function expandBraces(glob: string): string[] | null {
  const done: string[] = [];
  const pending = [glob];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const braces = firstBraces(next);
    if (braces === null) done.push(next);
    else {
      const { before, options, after } = braces;
      pending.push(...options.map((option) => `${before}${option}${after}`));
    }
    if (done.length + pending.length > MAX_ALTERNATIVES) return null;
  }
  return done;
}

function firstBraces(
  glob: string,
): { readonly before: string; readonly options: readonly string[]; readonly after: string } | null {
  const open = indexOfUnescaped(glob, '{');
  if (open === -1) return null;
  const options: string[] = [];
  let depth = 0;
  let from = open + 1;
  for (let at = open; at < glob.length; at += 1) {
    const char = glob[at];
    if (char === '\\') at += 1;
    else if (char === '{') depth += 1;
    else if (char === ',' && depth === 1) {
      options.push(glob.slice(from, at));
      from = at + 1;
    } else if (char === '}') {
      depth -= 1;
      if (depth === 0) {
        options.push(glob.slice(from, at));
        return { before: glob.slice(0, open), options, after: glob.slice(at + 1) };
      }
    }
  }
  return null;
}

function indexOfUnescaped(text: string, wanted: string): number {
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === wanted) return at;
  }
  return -1;
}
