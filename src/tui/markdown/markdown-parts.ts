const MAX_BLOCK_CHARACTERS = 20_000;
const MAX_LINE_CHARACTERS = 2_000;
/** The parser recurses once for each of these: more than 50 quotes or list items in one line, or an indentation of as many lists. */
const DEEP_LINE = /^(?:(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))){51}|[ \t]{200})/;
const FENCE = /^[ \t]*(`{3,}(?=[^`]*$)|~{3,})/;

export interface MarkdownPart {
  readonly text: string;
  /** Too large or too deep for the parser. */
  readonly isPlain: boolean;
}

/** Separates what can be parsed from blocks that are shown unchanged. Pure. */
export function markdownParts(text: string): MarkdownPart[] {
  const parts: { lines: string[]; isPlain: boolean }[] = [];
  for (const lines of blocks(text)) {
    const isPlain = isTooMuch(lines);
    const last = parts.at(-1);
    if (last?.isPlain === isPlain) for (const line of lines) last.lines.push(line);
    else parts.push({ lines: [...lines], isPlain });
  }
  return parts.map(({ lines, isPlain }) => ({ text: lines.join('\n'), isPlain }));
}

function isTooMuch(lines: readonly string[]): boolean {
  const characters = lines.reduce((sum, line) => sum + line.length + 1, 0);
  return (
    characters > MAX_BLOCK_CHARACTERS || lines.some((line) => line.length > MAX_LINE_CHARACTERS || DEEP_LINE.test(line))
  );
}

/** Splits at each empty line outside of fenced code; the empty line belongs to the block before it. */
function blocks(text: string): string[][] {
  const found: string[][] = [];
  let lines: string[] = [];
  let fence: string | null = null;
  for (const line of text.split(/\r\n|\n|\r/)) {
    lines.push(line);
    fence = fenceAfter(line, fence);
    if (fence !== null || line.trim() !== '') continue;
    found.push(lines);
    lines = [];
  }
  return lines.length === 0 ? found : [...found, lines];
}

function fenceAfter(line: string, open: string | null): string | null {
  if (open === null) return FENCE.exec(line)?.[1] ?? null;
  const mark = line.trim();
  return mark.startsWith(open) && mark === mark.charAt(0).repeat(mark.length) ? null : open;
}
