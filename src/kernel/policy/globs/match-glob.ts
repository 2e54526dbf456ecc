import { assertNever } from '../../../lib/assert-never.ts';
import type { Glob, SegmentPattern, Token } from './glob.ts';
import type { MatchablePath } from './matchable-path.ts';

/**
 * Whether the glob matches the path or a directory above it. Linear by construction: after a globstar only the latest one is
 * ever revisited, so each pair of pattern segment and path segment is compared at most once, at a cost of their lengths.
 */
export function matchGlob(glob: Glob, path: MatchablePath): boolean {
  const { parts } = glob;
  const { segments } = path;
  // The leftmost way to use up the glob leaves most of the path beneath it, which is the best any way can do.
  const lastEnd = glob.directoryOnly && !path.directory ? segments.length - 1 : segments.length;
  let part = 0;
  let at = 0;
  let retryPart = -1;
  let retryAt = 0;
  for (;;) {
    const pattern = parts[part];
    if (pattern === undefined) return at <= lastEnd;
    if (pattern.kind === 'globstar') {
      part += 1;
      retryPart = part;
      retryAt = at;
      continue;
    }
    const segment = segments[at];
    if (segment === undefined) return false;
    if (matchSegment(pattern, segment)) {
      part += 1;
      at += 1;
    } else if (retryPart >= 0) {
      retryAt += 1;
      part = retryPart;
      at = retryAt;
    } else {
      return false;
    }
  }
}

/** Whether the glob matches the path itself, up to its last name, rather than a directory above it. */
export function matchGlobToTheEnd({ parts }: Glob, { segments }: MatchablePath): boolean {
  /** `reached[at]`: the parts so far can use up exactly the first `at` segments. */
  let reached = segments.map(() => false);
  reached.unshift(true);
  for (const part of parts) {
    let held = false;
    reached = reached.map((_, at) => {
      if (part.kind === 'globstar') return (held ||= reached[at] === true);
      return at > 0 && reached[at - 1] === true && matchSegment(part, segments[at - 1] ?? '');
    });
  }
  return reached.at(-1) === true;
}

export function matchSegment(pattern: SegmentPattern, segment: string): boolean {
  switch (pattern.kind) {
    case 'any':
      return true;
    case 'literal':
      return pattern.text === segment;
    case 'affix':
      return (
        segment.length >= pattern.prefix.length + pattern.suffix.length &&
        segment.startsWith(pattern.prefix) &&
        segment.endsWith(pattern.suffix)
      );
    case 'wild':
      return matchTokens(pattern.tokens, segment);
    default:
      return assertNever(pattern);
  }
}

/** As in `matchGlob`, only the latest star is revisited: at most tokens x bytes steps, never exponential. */
function matchTokens(tokens: readonly Token[], text: string): boolean {
  let token = 0;
  let at = 0;
  let retryToken = -1;
  let retryAt = 0;
  while (at < text.length) {
    const expected = tokens[token];
    if (expected?.kind === 'star') {
      token += 1;
      retryToken = token;
      retryAt = at;
    } else if (expected !== undefined && matchByte(expected, text.charCodeAt(at))) {
      token += 1;
      at += 1;
    } else if (retryToken >= 0) {
      retryAt += 1;
      token = retryToken;
      at = retryAt;
    } else {
      return false;
    }
  }
  while (tokens[token]?.kind === 'star') token += 1;
  return token === tokens.length;
}

function matchByte(token: Exclude<Token, { kind: 'star' }>, code: number): boolean {
  switch (token.kind) {
    case 'byte':
      return token.code === code;
    case 'one':
      return true;
    case 'set':
      return token.members[code] === 1;
    default:
      return assertNever(token);
  }
}
