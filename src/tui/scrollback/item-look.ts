import type { FilePlace } from '../text/file-address.ts';
import type { CodeColours } from '../code/code-colours.ts';

/** The hint that something can be opened, appended to its description. */
export function opens({ openKey }: Pick<ItemLook, 'openKey'>, what: string): string {
  return openKey === null ? '' : `; ${openKey} shows ${what}`;
}

/** How an item of the scrollback is drawn. */
export interface ItemLook {
  /** Of the terminal, in cells. */
  readonly width: number;
  readonly colours: CodeColours;
  /** Whether the person's editor can use the terminal. */
  readonly lends: boolean;
  /** The key that opens calls in full; null if there is none. */
  readonly openKey: string | null;
  /** Where files are that a click opens; absent: none is opened. */
  readonly files?: FilePlace | undefined;
}
