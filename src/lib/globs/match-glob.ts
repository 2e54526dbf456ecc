import { assertNever } from '../assert-never.ts';
import type { Glob, SegmentPattern } from './glob.ts';
import type { MatchablePath } from './matchable-path.ts';

/**
 * Whether the glob matches the path or a directory above it. Linear: after a globstar only the latest one is revisited, so each pair of pattern
 * segment and path segment is compared at most once, at a cost of their lengths.
 */
export function matchGlob(glob: Glob, path: MatchablePath): boolean {
  const { parts } = glob;
  const { segments } = path;
  // The leftmost match of the glob leaves most of the path below it, which is the best possible result.
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

/** Whether the glob matches the path itself, up to its last name, and not only a directory above it. */
export function matchGlobToTheEnd({ parts }: Glob, { segments }: MatchablePath): boolean {
  const anchored = parts.filter((part) => part.kind !== 'globstar');
  if (anchored.length === parts.length) {
    return parts.length === segments.length && anchored.every((part, at) => matchSegment(part, segments[at] ?? ''));
  }
  /** `reached[at]`: the parts so far can match exactly the first `at` segments. */
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
      return pattern.name.matches(segment);
    default:
      return assertNever(pattern);
  }
}
