import type { CodeColours } from '../code/code-colours.ts';
import type { Row } from '../text/span.ts';

/** How each section of a card is drawn. */
export interface SectionLook {
  /** The beginning of every row. */
  readonly edge: Row;
  /** Width of a row, including its edge. */
  readonly width: number;
  readonly colours: CodeColours;
}
