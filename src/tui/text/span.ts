import { exactLine } from '../store/safe-text.ts';
import type { FileAddress } from './file-address.ts';
import type { WebAddress } from './web-address.ts';
import type { SafeText } from '../store/safe-text.ts';

/** What a piece of a row is; the theme says how that looks. */
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
  /** The cell of the prompt that stands for the cursor. */
  | 'cursor'
  | 'spelled'
  /** A blank that is shown by a mark. */
  | 'blank'
  /** A letter that looks like one of another alphabet. */
  | 'look-alike'
  | CodeRole;

/** What a piece of source text is to its language. */
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

/** What lies behind the text: an added or removed line, or the words of it that differ. */
export type Ground = 'added' | 'removed' | 'added-word' | 'removed-word';

/** A piece of a row in one style. */
export interface Span {
  readonly text: SafeText;
  readonly role: Role;
  readonly ground?: Ground | undefined;
  /** Where it leads to, in terminals that have links. */
  readonly link?: WebAddress | FileAddress | undefined;
}

/** One row of the terminal. */
export type Row = readonly Span[];

/** Text of anybody, before it is made safe: an object, so that it cannot be printed by mistake. */
export interface Raw {
  readonly raw: string;
}

/** A piece of somebody's text in one style, still with whatever characters it has. */
export interface RawPiece extends Raw {
  readonly role: Role;
  readonly ground?: Ground | undefined;
}

/** A span of fluffy's own words. */
export function own(text: string, role: Role = 'plain'): Span {
  return { text: exactLine(text), role };
}
