import { exactLine } from '../store/safe-text.ts';
import type { FileAddress } from './file-address.ts';
import type { WebAddress } from './web-address.ts';
import type { SafeText } from '../store/safe-text.ts';

/** The role of a piece of a row; the theme defines its look. */
export type Role =
  | 'plain'
  | 'dim'
  | 'strong'
  | 'emphasis'
  | 'good'
  | 'bad'
  | 'warn'
  | 'accent'
  /** A character that is shown by its code. */
  /** The cell of the prompt that represents the cursor. */
  | 'cursor'
  | 'spelled'
  /** A blank that is shown by a mark. */
  | 'blank'
  /** A letter that looks like one of another alphabet. */
  | 'look-alike'
  | CodeRole;

/** The role of a piece of source text in its language. */
export type CodeRole =
  | 'keyword'
  | 'string'
  | 'number'
  | 'comment'
  | 'type'
  | 'function'
  | 'variable'
  | 'attribute'
  | 'heading'
  | 'link'
  | 'code';

/** The background of the text: an added or removed line, or its differing words. */
export type Ground = 'added' | 'removed' | 'added-word' | 'removed-word';

/** A piece of a row in one style. */
export interface Span {
  readonly text: SafeText;
  readonly role: Role;
  readonly ground?: Ground | undefined;
  /** The link target, for terminals that support links. */
  readonly link?: WebAddress | FileAddress | undefined;
}

/** One row of the terminal. */
export type Row = readonly Span[];

/** Untrusted text before it is made safe: an object, so that it cannot be printed by mistake. */
export interface Raw {
  readonly raw: string;
}

/** A piece of untrusted text in one style, with any characters. */
export interface RawPiece extends Raw {
  readonly role: Role;
  readonly ground?: Ground | undefined;
}

/** A span of Fluffy's own words. */
export function own(text: string, role: Role = 'plain'): Span {
  return { text: exactLine(text), role };
}
