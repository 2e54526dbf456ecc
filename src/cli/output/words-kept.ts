import { wrapRows } from '../../tui/store/wrap-rows.ts';

/** A wrapped row continues with two more cells of indentation. A terminal itself would break words and start at its edge. */
const HANGING = 2;
/** In a narrower terminal as much as possible must fit. */
const MIN_COLUMNS = 40;

/** A line as rows of a terminal, broken between words; without a terminal the line itself. */
export function wordsKept(line: string, columns: number | null): string[] {
  if (columns === null || columns < MIN_COLUMNS) return [line];
  const indent = Math.min(/^ */.exec(line)?.[0].length ?? 0, MIN_COLUMNS / 2) + HANGING;
  const [first, ...rest] = wrapRows(line, columns);
  if (first === undefined || rest.length === 0) return [line];
  const more = wrapRows(line.slice(rest[0]?.start ?? 0), columns - indent);
  return [first.text.trimEnd(), ...more.map(({ text }) => `${' '.repeat(indent)}${text.trimEnd()}`)];
}
