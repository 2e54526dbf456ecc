import stringWidth from 'string-width';
import { graphemesOf } from '../../lib/text/graphemes.ts';

export interface Row {
  /** Index in the text at which the row begins. */
  readonly start: number;
  readonly text: string;
}

/** A line cut into rows of at most `width` cells, after a blank if possible. Joined again, the rows are the line. */
export function wrapRows(line: string, width: number): Row[] {
  const limit = Math.max(1, width);
  const rows: Row[] = [];
  let start = 0;
  let used = 0;
  let breakAt = -1;
  for (const { text, at } of graphemesOf(line)) {
    const cells = stringWidth(text);
    if (used + cells > limit && at > start) {
      const end = breakAt > start ? breakAt : at;
      rows.push({ start, text: line.slice(start, end) });
      used = stringWidth(line.slice(end, at));
      start = end;
      breakAt = -1;
    }
    used += cells;
    if (text === ' ') breakAt = at + 1;
  }
  rows.push({ start, text: line.slice(start) });
  return rows;
}
