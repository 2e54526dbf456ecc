import { isAscii } from '../text/is-ascii.ts';
import type { Wildcards } from './wildcards.ts';

/**
 * A parsed glob with .gitignore semantics. It is matched segment by segment against *byte strings*: text in which each character is one byte of the
 * UTF-8 form, because git's `?` and `[...]` match bytes.
 */
export interface Glob {
  /** As written in the file. */
  readonly source: string;
  /** Never empty; never ends in a `globstar`. */
  readonly parts: readonly GlobPart[];
  /** Written with a trailing slash: matches directories, and so everything below them. */
  readonly directoryOnly: boolean;
}

export type GlobPart = { readonly kind: 'globstar' } | SegmentPattern;

/** The pattern of one path segment. `affix` is the common `*.ts` or `test_*.py`: one star between two literals. */
export type SegmentPattern =
  | { readonly kind: 'any' }
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'affix'; readonly prefix: string; readonly suffix: string }
  | { readonly kind: 'wild'; readonly text: string; readonly name: Wildcards };

/** The form in which globs and paths are compared. ASCII text, like nearly all paths, stays the same string. */
export function toByteString(text: string): string {
  return isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}
