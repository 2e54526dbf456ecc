import type { FilePlace } from '../text/file-address.ts';
import type { CodeColours } from '../code/code-colours.ts';

/** What can be opened, behind what is said of it. */
export function opens({ openKey }: Pick<ItemLook, 'openKey'>, what: string): string {
  return openKey === null ? '' : `; ${openKey} shows ${what}`;
}

/** How an item of the scrollback is drawn. */
export interface ItemLook {
  /** Of the terminal, in cells. */
  readonly width: number;
  readonly colours: CodeColours;
  /** Whether an editor of the person's can have the terminal. */
  readonly lends: boolean;
  /** Opens calls in full; null: no key does. */
  readonly openKey: string | null;
  /** Where files are that a click opens; absent: none is opened. */
  readonly files?: FilePlace | undefined;
}
