export interface Line {
  text: string;
  /** The text goes on in the next line: the terminal broke it itself. */
  wraps: boolean;
}

interface Place {
  readonly x: number;
  /** Counted from the first line. */
  readonly y: number;
}

interface Reflowed {
  readonly lines: Line[];
  readonly cursor: Place;
  readonly takenBack: number;
}

const END_OF_LINE = Number.MAX_SAFE_INTEGER;

/**
 * What tmux makes of its lines at another width: it joins what it had broken, and breaks it again. `takenBack`, the rows of the scrollback that a higher
 * window takes back, is moved as tmux moves it: as if it were the number of a line.
 */
export function reflowLines(lines: readonly Line[], columns: number, cursor: Place, takenBack: number): Reflowed {
  const source: (Line | null)[] = lines.map((line) => ({ ...line }));
  const target: Line[] = [];
  let back = takenBack;
  const join = (from: number, to: Line): void => {
    const joined = joinFollowing(source, from, to, columns);
    const at = target.length - 1;
    if (back > at + joined) back -= joined;
    else if (joined > 0 && back > at) back = at;
  };
  for (const [index, line] of source.entries()) {
    if (line === null) continue;
    const pieces = broken(line, columns);
    target.push(...pieces);
    if (pieces.length > 1 && index <= back) back += pieces.length - 1;
    const last = pieces.at(-1);
    if (last?.wraps === true && last.text.length < columns) join(index, last);
  }
  return { lines: target, cursor: placeIn(target, logicalPlace(lines, cursor)), takenBack: back };
}

function broken({ text, wraps }: Line, columns: number): Line[] {
  const pieces: Line[] = [];
  for (let at = 0; at === 0 || at < text.length; at += columns)
    pieces.push({ text: text.slice(at, at + columns), wraps: wraps || at + columns < text.length });
  return pieces;
}

/** Fills the line with what goes on in the lines after `index`. Returns how many of those are used up; they are null then. */
function joinFollowing(source: (Line | null)[], index: number, to: Line, columns: number): number {
  let next = index + 1;
  for (; next < source.length; next += 1) {
    const line = source[next];
    if (line === undefined || line === null) break;
    if (line.text === '' && !line.wraps) break;
    const fits = line.text.slice(0, columns - to.text.length);
    to.text += fits;
    if (fits.length < line.text.length) {
      line.text = line.text.slice(fits.length);
      break;
    }
    source[next] = null;
    if (line.wraps && to.text.length < columns) continue;
    to.wraps = line.wraps;
    next += 1;
    break;
  }
  return next - index - 1;
}

/** The place in the text as it was written: which line, and where in it. */
function logicalPlace(lines: readonly Line[], { x, y }: Place): Place {
  let line = 0;
  let offset = 0;
  for (const { text, wraps } of lines.slice(0, y)) {
    offset = wraps ? offset + text.length : 0;
    line += wraps ? 0 : 1;
  }
  return { x: x >= (lines[y]?.text.length ?? 0) ? END_OF_LINE : offset + x, y: line };
}

function placeIn(lines: readonly Line[], logical: Place): Place {
  let y = 0;
  for (let line = 0; line < logical.y && y < lines.length - 1; y += 1) line += lines[y]?.wraps === true ? 0 : 1;
  let { x } = logical;
  for (; lines[y]?.wraps === true; y += 1) {
    const { length } = lines[y]?.text ?? '';
    if (x !== END_OF_LINE && x < length) break;
    if (x !== END_OF_LINE) x -= length;
  }
  return { x: x === END_OF_LINE ? (lines[y]?.text.length ?? 0) : x, y };
}
