import { createContext } from 'react';
import type { CodeColours } from '../code/code-colours.ts';
import { NO_COLOURS } from '../code/code-colours.ts';
import type { FilePlace } from '../text/file-address.ts';
import type { Painter } from '../text/paint.ts';
import { createPainter } from '../text/paint.ts';

/** How everything on the screen is drawn: passed from above, so that components hold no state of it. */
export interface Look {
  readonly painter: Painter;
  readonly colours: CodeColours;
  /** Of the terminal, in cells. */
  readonly columns: number;
  /** Whether the person's editor can use this terminal. */
  readonly lends: boolean;
  /** The key that opens calls in full; null if there is none. */
  readonly openKey: string | null;
  /** No animation, and counters advance in steps of a second. */
  readonly isStill?: boolean;
  /** Where files are that a click opens; absent: none is opened. */
  readonly files?: FilePlace;
}

export const PLAIN_LOOK: Look = {
  painter: createPainter('none', 0),
  colours: NO_COLOURS,
  columns: 80,
  lends: true,
  openKey: 'ctrl-o',
};

export const LookContext = createContext<Look>(PLAIN_LOOK);
