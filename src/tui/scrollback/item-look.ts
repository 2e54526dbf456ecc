import type { CodeColours } from '../code/code-colours.ts';

/** How an item of the scrollback is drawn. */
export interface ItemLook {
  /** Of the terminal, in cells. */
  readonly width: number;
  readonly colours: CodeColours;
  /** Whether an editor of the person's can have the terminal. */
  readonly lends: boolean;
}
