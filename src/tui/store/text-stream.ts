import { safeLines } from './safe-text.ts';
import type { SafeText } from './safe-text.ts';

/** The model's text as it comes in: `text` is all of it, of which the first `printed` characters have left for the scrollback. */
export interface TextStream {
  readonly text: string;
  readonly printed: number;
}

export interface StreamStep {
  readonly stream: TextStream;
  /** Lines that are complete now. */
  readonly lines: readonly SafeText[];
}

export const NO_TEXT: TextStream = { text: '', printed: 0 };

export function takeDelta(stream: TextStream, delta: string): StreamStep {
  const text = stream.text + delta;
  const end = text.lastIndexOf('\n') + 1;
  if (end <= stream.printed) return { stream: { text, printed: stream.printed }, lines: [] };
  return { stream: { text, printed: end }, lines: readable(text.slice(stream.printed, end), stream.printed === 0) };
}

/** The end of a text. `whole` is what the kernel kept of it: if that is not what streamed in, it is shown in full. */
export function endText(stream: TextStream, whole: string): StreamStep {
  const rest = whole.startsWith(stream.text) ? whole.slice(stream.printed) : whole;
  return { stream: NO_TEXT, lines: readable(rest.trimEnd(), stream.printed === 0) };
}

/** The line that is still being written. */
export function pendingLine(stream: TextStream): SafeText | null {
  return safeLines(stream.text.slice(stream.printed))[0] ?? null;
}

/** Empty lines before the first word are left out. */
function readable(text: string, atStart: boolean): SafeText[] {
  const shown = atStart ? text.replace(/^\s*\n/, '') : text;
  return shown === '' ? [] : safeLines(shown);
}
