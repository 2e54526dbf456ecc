import type { SegmentToken } from './segment-pattern.ts';
import { matchSegment, parseSegment } from './segment-pattern.ts';

/** One line of an ignore file. */
export interface IgnoreRule {
  readonly negated: boolean;
  readonly directoryOnly: boolean;
  readonly pattern:
    | { readonly kind: 'name'; readonly tokens: readonly SegmentToken[] }
    /** Matched against the whole path below the file's directory; `**` stands for any number of directories. */
    | { readonly kind: 'path'; readonly segments: readonly (readonly SegmentToken[] | '**')[] };
}

/** Reads an ignore file as git does; lines that can't match anything are left out. */
export function parseIgnoreFile(text: string): readonly IgnoreRule[] {
  return text
    .replace(/^\ufeff/, '')
    .split('\n')
    .flatMap((line) => {
      const rule = parseIgnoreLine(line);
      return rule === null ? [] : [rule];
    });
}

/** `path` is relative to the directory of the ignore file. */
export function ruleMatches(rule: IgnoreRule, path: string, directory: boolean): boolean {
  if (rule.directoryOnly && !directory) return false;
  const names = path.split('/');
  return rule.pattern.kind === 'name'
    ? matchSegment(rule.pattern.tokens, names.at(-1) ?? '')
    : matchSegments(rule.pattern.segments, names);
}

function parseIgnoreLine(line: string): IgnoreRule | null {
  let source = stripTrailingSpaces(line.replace(/\r$/, ''));
  if (source === '' || source.startsWith('#')) return null;
  const negated = source.startsWith('!');
  if (negated) source = source.slice(1);
  const directoryOnly = source.endsWith('/');
  if (directoryOnly) source = source.slice(0, -1);
  if (source === '') return null;

  const pattern = parsePattern(source);
  return pattern === null ? null : { negated, directoryOnly, pattern };
}

/** A pattern without its marks; null for one that never matches. */
export function parsePattern(source: string): IgnoreRule['pattern'] | null {
  if (!source.includes('/')) {
    const tokens = parseSegment(source);
    return tokens === null ? null : { kind: 'name', tokens };
  }
  const segments = source
    .replace(/^\//, '')
    .split('/')
    .map((segment) => (segment === '**' ? segment : parseSegment(segment)));
  if (segments.includes(null)) return null;
  return { kind: 'path', segments: segments.filter((segment) => segment !== null) };
}

/** Spaces at the end don't count, unless a backslash stands before them. */
function stripTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ') end -= 1;
  let backslashes = 0;
  while (line[end - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1 ? line.slice(0, end + 1) : line.slice(0, end);
}

/** As `matchSegment`, one level up: names for characters, `**` for `*`. A `**` at the end needs something to stand for. */
function matchSegments(segments: readonly (readonly SegmentToken[] | '**')[], names: readonly string[]): boolean {
  let segment = 0;
  let name = 0;
  let runSegment = -1;
  let runName = 0;
  while (name < names.length) {
    const wanted = segments[segment];
    if (wanted === '**') {
      if (segment === segments.length - 1) return true;
      runSegment = segment;
      runName = name;
      segment += 1;
    } else if (wanted !== undefined && matchSegment(wanted, names[name] ?? '')) {
      segment += 1;
      name += 1;
    } else if (runSegment >= 0) {
      runName += 1;
      name = runName;
      segment = runSegment + 1;
    } else {
      return false;
    }
  }
  return segment === segments.length;
}
