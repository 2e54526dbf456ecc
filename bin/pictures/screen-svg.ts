import type { Run } from './ansi-runs.ts';

const CELL = { width: 8.4, height: 18 };
const FONT_SIZE = 14;
const MARGIN = 14;
const FOREGROUND = '#d7dae0';
const BACKGROUND = '#1e2127';

/** Rows of a screen as an SVG picture. `columns` is the width of the terminal. */
export function screenSvg(rows: readonly (readonly Run[])[], columns: number, title: string): string {
  const width = columns * CELL.width + 2 * MARGIN;
  const height = rows.length * CELL.height + 2 * MARGIN;
  const shapes = rows.flatMap((row, index) => row.flatMap((run) => runShapes(run, index)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${round(height)}" role="img" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${FONT_SIZE}">`,
    `<title>${escape(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>`,
    ...shapes,
    '</svg>',
    '',
  ].join('\n');
}

function runShapes({ text, column, width, style }: Run, row: number): string[] {
  const [own, behind] = [style.foreground ?? FOREGROUND, style.background ?? BACKGROUND];
  const [foreground, background] = style.inverse ? [behind, own] : [own, behind];
  const x = round(MARGIN + column * CELL.width);
  const top = MARGIN + row * CELL.height;
  const shapes: string[] = [];
  if (background !== BACKGROUND) {
    shapes.push(
      `<rect x="${x}" y="${round(top)}" width="${round(width * CELL.width)}" height="${CELL.height}" fill="${background}"/>`,
    );
  }
  if (text.trim() === '') return shapes;
  const looks = [
    ...(style.bold ? ['font-weight="bold"'] : []),
    ...(style.italic ? ['font-style="italic"'] : []),
    ...(style.underline ? ['text-decoration="underline"'] : []),
    ...(style.dim ? ['opacity="0.6"'] : []),
  ];
  // The length holds the columns together whatever font the reader has.
  const length = `textLength="${round(width * CELL.width)}" lengthAdjust="spacingAndGlyphs"`;
  const place = `x="${x}" y="${round(top + FONT_SIZE)}" fill="${foreground}" xml:space="preserve"`;
  return [...shapes, `<text ${[place, length, ...looks].join(' ')}>${escape(text)}</text>`];
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function round(length: number): number {
  return Math.round(length * 10) / 10;
}
