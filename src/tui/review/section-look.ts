import type { CodeColours } from '../code/code-colours.ts';
import type { Row } from '../text/span.ts';

/** What each section of a card is drawn with. */
export interface SectionLook {
  /** Every row begins with it. */
  readonly edge: Row;
  /** Of a row, with its edge. */
  readonly width: number;
  readonly colours: CodeColours;
}
