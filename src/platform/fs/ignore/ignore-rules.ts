import type { WildcardPattern } from './wildcard-pattern.ts';
import { matchesWildcards, parseWildcards } from './wildcard-pattern.ts';

/** One line of an ignore file. */
export interface IgnoreRule {
  readonly negated: boolean;
  readonly directoryOnly: boolean;
  /** `name`: any component of that name, at any depth; `path`: the whole path below the file's directory. */
  readonly appliesTo: 'name' | 'path';
  readonly pattern: WildcardPattern;
}

/**
 * git matches bytes: `?` is one of them, and é is two. Text as a string of its UTF-8 bytes, for rules of ignore files and for the
 * paths they are asked about.
 */
export function asBytes(text: string): string {
  return /^[\u0000-\u007f]*$/.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

/** Reads an ignore file as git does; lines that can't match anything are left out. */
export function parseIgnoreFile(text: string): readonly IgnoreRule[] {
  return asBytes(text.replace(/^\ufeff/, ''))
    .split('\n')
    .flatMap((line) => {
      const rule = parseIgnoreLine(line);
      return rule === null ? [] : [rule];
    });
}

/** `path` is relative to the directory of the ignore file, and made by `asBytes` like the rules of one. */
export function ruleMatches(rule: IgnoreRule, path: string, directory: boolean): boolean {
  if (rule.directoryOnly && !directory) return false;
  return matchesWildcards(rule.pattern, rule.appliesTo === 'path' ? path : path.slice(path.lastIndexOf('/') + 1));
}

function parseIgnoreLine(line: string): IgnoreRule | null {
  let source = stripTrailingSpaces(line.replace(/\r$/, ''));
  if (source === '' || source.startsWith('#')) return null;
  const negated = source.startsWith('!');
  if (negated) source = source.slice(1);
  const directoryOnly = source.endsWith('/');
  if (directoryOnly) source = source.slice(0, -1);
  if (source === '') return null;

  const parsed = parsePattern(source);
  return parsed === null ? null : { negated, directoryOnly, ...parsed };
}

/** A pattern without its marks; null for one that never matches. */
export function parsePattern(source: string): Pick<IgnoreRule, 'appliesTo' | 'pattern'> | null {
  // At any depth, said in two ways.
  const name = source.startsWith('**/') ? source.slice('**/'.length) : source;
  const appliesTo = name.includes('/') ? 'path' : 'name';
  const pattern = parseWildcards(appliesTo === 'name' ? name : source.replace(/^\//, ''));
  return pattern === null ? null : { appliesTo, pattern };
}

/** Spaces at the end don't count, unless a backslash stands before them. */
function stripTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ') end -= 1;
  let backslashes = 0;
  while (line[end - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1 ? line.slice(0, end + 1) : line.slice(0, end);
}
