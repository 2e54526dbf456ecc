import { toByteString } from './glob.ts';

/** A path divided into segments for matching, with properties found in one pass over its characters. */
export class MatchablePath {
  /** A byte string with exactly one slash between segments. */
  readonly text: string;
  /** The index in `text` at which each segment ends; the next one begins after the slash. */
  readonly ends: readonly number[];
  readonly directory: boolean;
  /** Relative, no empty, `.` or `..` segment, no NUL: the only form that policy accepts. '' is the project root. */
  readonly normal: boolean;
  /** Lower-case ASCII letters, digits and `-_.`, no segment ending in a dot: folding would change nothing. */
  readonly plain: boolean;
  #segments: readonly string[] | null = null;
  #cutIndex = -1;
  #cut = '';

  constructor(text: string, ends: readonly number[], form: { directory: boolean; normal: boolean; plain: boolean }) {
    this.text = text;
    this.ends = ends;
    this.directory = form.directory;
    this.normal = form.normal;
    this.plain = form.plain;
  }

  /** Created on first use: the index of rules mostly searches in `text`. */
  get segments(): readonly string[] {
    return (this.#segments ??= this.ends.map((end, index) => this.text.slice(this.startOf(index), end)));
  }

  /** One segment. Always the same string object, so that a hash table need not hash it again. */
  nameAt(index: number): string {
    if (this.#cutIndex !== index) {
      this.#cutIndex = index;
      this.#cut = this.text.slice(this.startOf(index), this.ends[index]);
    }
    return this.#cut;
  }

  startOf(index: number): number {
    return index === 0 ? 0 : (this.ends[index - 1] ?? 0) + 1;
  }
}

const SLASH = 0x2f;
const DOT = 0x2e;

/** By ASCII code: whether the character leaves a path plain. */
const PLAIN = Uint8Array.from({ length: 128 }, (_, code) => (/[a-z0-9_.-]/.test(String.fromCharCode(code)) ? 1 : 0));

/** '' has no segments and matches nothing; a trailing slash marks a directory. */
export function toMatchable(path: string): MatchablePath {
  return cutUp(path, false);
}

/**
 * ASCII text, like nearly all paths, is its own byte string; other text is converted when the first other character is met. It is normalised to NFC,
 * like globs: a directory may return a name in another form that looks the same to a reader.
 */
function cutUp(text: string, isBytes: boolean): MatchablePath {
  const ends: number[] = [];
  let normal = true;
  let plain = true;
  let gaps = false;
  let start = 0;
  const length = text.length;
  for (let at = 0; at <= length; at += 1) {
    const code = at === length ? SLASH : text.charCodeAt(at);
    if (code !== SLASH) {
      if (PLAIN[code] !== 1) {
        if (code > 0x7f && !isBytes) return cutUp(toByteString(text.normalize('NFC')), true);
        if (code === 0) normal = false;
        plain = false;
      }
      continue;
    }
    if (at > start) {
      if (text.charCodeAt(at - 1) === DOT) {
        plain = false;
        if (at - start === 1 || (at - start === 2 && text.charCodeAt(start) === DOT)) normal = false;
      }
      ends.push(at);
    } else if (at < length) {
      gaps = true;
    }
    start = at + 1;
  }
  const directory = length > 0 && text.charCodeAt(length - 1) === SLASH;
  if (!gaps) return new MatchablePath(text, ends, { directory, normal, plain });
  const closed = cutUp(text.replaceAll(/\/+/g, '/').replace(/^\//, ''), true);
  return new MatchablePath(closed.text, closed.ends, { directory, normal: false, plain: closed.plain });
}
