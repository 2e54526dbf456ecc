import { toByteString } from './glob.ts';

/** A path cut up for matching, with what one look at each of its characters tells. */
export interface MatchablePath {
  readonly segments: readonly string[];
  readonly directory: boolean;
  /** Relative, no empty, `.` or `..` segment, no NUL: the only form in which policy is asked. '' is the project itself. */
  readonly normal: boolean;
  /** Lower-case ASCII letters, digits and `-_.`, no segment ending in a dot: folding would change nothing. */
  readonly plain: boolean;
}

const SLASH = 0x2f;
const DOT = 0x2e;

/** By ASCII code: whether the character leaves a path plain. */
const PLAIN = Uint8Array.from({ length: 128 }, (_, code) => (/[a-z0-9_.-]/.test(String.fromCharCode(code)) ? 1 : 0));

/** '' has no segments and matches nothing; a trailing slash marks a directory. */
export function toMatchable(path: string): MatchablePath {
  return cutUp(path, false);
}

/** ASCII, as nearly all paths are, is its own byte string; other text is turned into one when the first such character is met. */
function cutUp(text: string, isBytes: boolean): MatchablePath {
  const segments: string[] = [];
  let normal = true;
  let plain = true;
  let start = 0;
  const end = text.length;
  for (let at = 0; at <= end; at += 1) {
    const code = at === end ? SLASH : text.charCodeAt(at);
    if (code !== SLASH) {
      if (PLAIN[code] !== 1) {
        if (code > 0x7f && !isBytes) return cutUp(toByteString(text), true);
        if (code === 0) normal = false;
        plain = false;
      }
      continue;
    }
    const length = at - start;
    if (length > 0) {
      if (text.charCodeAt(at - 1) === DOT) {
        plain = false;
        if (length === 1 || (length === 2 && text.charCodeAt(start) === DOT)) normal = false;
      }
      segments.push(text.slice(start, at));
    } else if (at < end) {
      normal = false;
    }
    start = at + 1;
  }
  return { segments, directory: end > 0 && text.charCodeAt(end - 1) === SLASH, normal, plain };
}
