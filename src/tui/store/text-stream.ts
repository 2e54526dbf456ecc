import type { Raw } from '../text/span.ts';
import { safeLines } from './safe-text.ts';
import type { SafeText } from './safe-text.ts';

/** The model's text as it comes in: `text` is all of it, of which the first `printed` characters have left for the scrollback. */
export interface TextStream {
  readonly text: string;
  readonly printed: number;
  /** The line that opened a block of code which goes on beyond what was printed; null outside of one. */
  readonly fence: string | null;
}

export interface StreamStep {
  readonly stream: TextStream;
  /** Markdown that is complete by now: whole blocks, or lines of a long block of code between fences. */
  readonly block: MarkdownBlock | null;
}

export interface MarkdownBlock extends Raw {
  /** It goes on with the code of the one before. */
  readonly continues: boolean;
}

export const NO_TEXT: TextStream = { text: '', printed: 0, fence: null };

/** A longer block goes to the scrollback in parts. */
const MAX_PENDING_LINES = 40;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** A block is complete when an empty line or the end of its code follows: what it looks like cannot change any more. */
export function takeDelta(stream: TextStream, delta: string): StreamStep {
  const text = stream.text + delta;
  const { end, fence } = lastBlockEnd(text, stream.printed, stream.fence);
  if (end === stream.printed) return { stream: { ...stream, text }, block: null };
  return {
    stream: { text, printed: end, fence },
    block: blockOf(text.slice(stream.printed, end), stream.fence, fence),
  };
}

/** The end of a text. `whole` is what the kernel kept of it: if that is not what streamed in, it is shown in full. */
export function endText(stream: TextStream, whole: string): StreamStep {
  const isSame = whole.startsWith(stream.text);
  const rest = (isSame ? whole.slice(stream.printed) : whole).trimEnd();
  return { stream: NO_TEXT, block: blockOf(rest, isSame ? stream.fence : null, null) };
}

/** Lines of what is still being written, the newest last. */
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

/** The fence that is open behind a line, given the one that was open before it. */
function fenceAfter(line: string, open: string | null): string | null {
  const mark = FENCE.exec(line)?.[1];
  if (mark === undefined) return open;
  if (open === null) return line;
  const opened = FENCE.exec(open)?.[1] ?? '';
  const closes = mark.startsWith(opened) && line.trim() === mark;
  return closes ? null : open;
}

/** A part of a block of code gets the fences that are in other parts. */
function blockOf(text: string, openBefore: string | null, openAfter: string | null): MarkdownBlock | null {
  if (text.trim() === '') return null;
  const begun = openBefore === null ? text : `${openBefore}\n${text}`;
  const mark = FENCE.exec(openAfter ?? '')?.[1];
  const raw = mark === undefined ? begun : `${begun}${begun.endsWith('\n') ? '' : '\n'}${mark}\n`;
  return { raw, continues: openBefore !== null };
}
