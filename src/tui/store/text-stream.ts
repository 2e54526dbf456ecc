import type { Raw } from '../text/span.ts';
import { safeLines } from './safe-text.ts';
import type { SafeText } from './safe-text.ts';

/** The model's text while it streams in. `text` is all text so far; its first `printed` characters are already in the scrollback. */
export interface TextStream {
  readonly text: string;
  readonly printed: number;
  /** The opening line of a code block that is only partly printed; null outside of code blocks. */
  readonly fence: string | null;
}

export interface StreamStep {
  readonly stream: TextStream;
  /** Markdown that is now complete: whole blocks, or some lines of a long code block with fences around them. */
  readonly block: MarkdownBlock | null;
}

export interface MarkdownBlock extends Raw {
  /** Whether it continues the code of the previous block. */
  readonly continues: boolean;
}

export const NO_TEXT: TextStream = { text: '', printed: 0, fence: null };

/** Maximum of unprinted lines. A longer block goes to the scrollback in parts. */
const MAX_PENDING_LINES = 40;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Appends streamed text. A block is complete after an empty line or the end of its code, because later text cannot change its look. */
export function takeDelta(stream: TextStream, delta: string): StreamStep {
  const text = stream.text + delta;
  const { end, fence } = lastBlockEnd(text, stream.printed, stream.fence);
  if (end === stream.printed) return { stream: { ...stream, text }, block: null };
  return {
    stream: { text, printed: end, fence },
    block: blockOf(text.slice(stream.printed, end), stream.fence, fence),
  };
}

/** Ends the stream. `whole` is the kernel's stored text. If it differs from the streamed text, it is shown in full. */
export function endText(stream: TextStream, whole: string): StreamStep {
  const isSame = whole.startsWith(stream.text);
  const rest = (isSame ? whole.slice(stream.printed) : whole).trimEnd();
  return { stream: NO_TEXT, block: blockOf(rest, isSame ? stream.fence : null, null) };
}

/** The last lines of the text that is not in the scrollback yet, newest last. */
export function pendingLines(stream: TextStream): SafeText[] {
  const pending = stream.text.slice(stream.printed).replace(/^\s*\n/, '');
  return pending === '' ? [] : safeLines(pending).slice(-MAX_PENDING_LINES);
}

function lastBlockEnd(text: string, from: number, openFence: string | null): { end: number; fence: string | null } {
  let end = from;
  let fence = openFence;
  let fenceAtEnd = openFence;
  let pendingLineCount = 0;
  for (let at = from; ;) {
    const newline = text.indexOf('\n', at);
    if (newline === -1) return { end, fence: fenceAtEnd };
    const line = text.slice(at, newline);
    const wasOpen = fence !== null;
    fence = fenceAfter(line, fence);
    at = newline + 1;
    pendingLineCount += 1;
    const isEnd = fence === null && (wasOpen || line.trim() === '');
    if (!isEnd && pendingLineCount < MAX_PENDING_LINES) continue;
    end = at;
    fenceAtEnd = fence;
    pendingLineCount = 0;
  }
}

/** The line that opened the code block which is open after `line`; null outside of code blocks. `open` is the same before `line`. */
function fenceAfter(line: string, open: string | null): string | null {
  const mark = FENCE.exec(line)?.[1];
  if (mark === undefined) return open;
  if (open === null) return line;
  const opened = FENCE.exec(open)?.[1] ?? '';
  const closes = mark.startsWith(opened) && line.trim() === mark;
  return closes ? null : open;
}

/** A part of a code block gets its own fences, because the original fences may be in other parts. */
function blockOf(text: string, openBefore: string | null, openAfter: string | null): MarkdownBlock | null {
  if (text.trim() === '') return null;
  const begun = openBefore === null ? text : `${openBefore}\n${text}`;
  const mark = FENCE.exec(openAfter ?? '')?.[1];
  const raw = mark === undefined ? begun : `${begun}${begun.endsWith('\n') ? '' : '\n'}${mark}\n`;
  return { raw, continues: openBefore !== null };
}
