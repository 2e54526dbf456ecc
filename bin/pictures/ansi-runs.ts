import stringWidth from 'string-width';

/** How a run of text looks. Colours as CSS; null: the terminal's own. */
export interface RunStyle {
  readonly foreground: string | null;
  readonly background: string | null;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly inverse: boolean;
}

export interface Run {
  readonly text: string;
  /** First cell of its row, from 0. */
  readonly column: number;
  /** Number of cells. */
  readonly width: number;
  readonly style: RunStyle;
}

const PLAIN: RunStyle = {
  foreground: null,
  background: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
};

const ANSI_COLOURS = [
  ...['#3b4048', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#c8ccd4'],
  ...['#7f848e', '#ef8a92', '#b1d196', '#f0d399', '#82c3f7', '#d597e8', '#79cbd6', '#ffffff'],
];

/** What a code changes, beside colours. */
const CHANGES: Readonly<Record<number, Partial<RunStyle>>> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  39: { foreground: null },
  49: { background: null },
};

/**
 * The runs of each row of `tmux capture-pane -e`: text with SGR sequences; other sequences are dropped. A row begins in the style in which the one above it
 * ended.
 */
export function ansiRuns(rows: readonly string[]): Run[][] {
  let style = PLAIN;
  return rows.map((row) => {
    const { runs, last } = runsOf(row, style);
    style = last;
    return runs;
  });
}

function runsOf(row: string, first: RunStyle): { readonly runs: Run[]; readonly last: RunStyle } {
  const runs: Run[] = [];
  let style = first;
  let column = 0;
  for (const part of row.split(/(\x1b\[[0-9;:]*m|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b.)/)) {
    if (part.startsWith('\x1b[')) style = restyled(style, part.slice(2, -1));
    if (part.startsWith('\x1b') || part === '') continue;
    const width = stringWidth(part);
    runs.push({ text: part, column, width, style });
    column += width;
  }
  return { runs, last: style };
}

function restyled(style: RunStyle, codes: string): RunStyle {
  const numbers = codes.split(/[;:]/).map(Number);
  let next = style;
  for (let index = 0; index < numbers.length; index += 1) {
    const code = numbers[index] ?? 0;
    if (code === 38 || code === 48) {
      const isIndexed = numbers[index + 1] === 5;
      const colour = isIndexed ? indexed(numbers[index + 2] ?? 0) : rgb(numbers.slice(index + 2, index + 5));
      next = { ...next, [code === 38 ? 'foreground' : 'background']: colour };
      index += isIndexed ? 2 : 4;
    } else next = withCode(next, code);
  }
  return next;
}

function withCode(style: RunStyle, code: number): RunStyle {
  if (code >= 30 && code <= 37) return { ...style, foreground: indexed(code - 30) };
  if (code >= 40 && code <= 47) return { ...style, background: indexed(code - 40) };
  if (code >= 90 && code <= 97) return { ...style, foreground: indexed(code - 82) };
  if (code >= 100 && code <= 107) return { ...style, background: indexed(code - 92) };
  return code === 0 ? PLAIN : { ...style, ...CHANGES[code] };
}

/** xterm's 256 colours. */
function indexed(index: number): string {
  const named = ANSI_COLOURS[index];
  if (named !== undefined) return named;
  if (index >= 232) return rgb([8 + (index - 232) * 10, 8 + (index - 232) * 10, 8 + (index - 232) * 10]);
  const cube = index - 16;
  const level = (step: number): number => (step === 0 ? 0 : 55 + step * 40);
  return rgb([level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)]);
}

function rgb(levels: readonly number[]): string {
  return `#${levels.map((level) => level.toString(16).padStart(2, '0')).join('')}`;
}
