import { looksLikeOwnTrailer } from '../../lib/own-trailer.ts';
import { firstText } from '../../lib/text/first-last.ts';

/** The kernel's own trailers, in the order they are written. */
export interface CommitTrailers {
  readonly session: string;
  readonly mode: string;
  /** Digest of the evidence statement; absent if there is no statement (explore). */
  readonly evidence?: string;
}

const MAX_MESSAGE_BYTES = 32 * 1024;
const TRAILER_LINE = /^[A-Za-z0-9][A-Za-z0-9-]*: \S/;

/**
 * The message of a commit: the model's text, tidied, and the kernel's trailers. Lines of the text that look like one of
 * these trailers are dropped, because only the kernel may write them. null if no subject is left.
 */
export function commitMessage(text: string, trailers: CommitTrailers): string | null {
  const body = tidy(text);
  if (body === '') return null;
  const own = [
    `Fluffy-Session: ${trailers.session}`,
    `Fluffy-Mode: ${trailers.mode}`,
    ...(trailers.evidence === undefined ? [] : [`Fluffy-Evidence: ${trailers.evidence}`]),
  ];
  return `${body}${endsInTrailers(body) ? '\n' : '\n\n'}${own.join('\n')}\n`;
}

/**
 * Line ends as `\n`; no control characters, no blanks at line ends, no blank line at the start or end, never two blank
 * lines in a row.
 */
function tidy(text: string): string {
  const lines = text
    .toWellFormed()
    .replace(/\r\n?|\u2028|\u2029/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => !looksLikeOwnTrailer(line));
  const body = lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return cut(body);
}

/** Cuts at the end of a character. Half a character would be other bytes in the commit than in the review. */
function cut(body: string): string {
  const bytes = Buffer.from(body);
  if (bytes.length <= MAX_MESSAGE_BYTES) return body;
  return `${bytes
    .subarray(0, MAX_MESSAGE_BYTES)
    .toString('utf8')
    .replace(/\ufffd+$/, '')
    .trimEnd()}\n[…]`;
}

/** Whether the last paragraph (if it is not the subject) is a block of trailers that can be extended. */
function endsInTrailers(body: string): boolean {
  const paragraphs = body.split('\n\n');
  const last = paragraphs.at(-1);
  return paragraphs.length > 1 && last !== undefined && last.split('\n').every((line) => TRAILER_LINE.test(line));
}

/** The first paragraph in one line, as git shows it. */
export function messageSubject(message: string): string {
  return firstText(message.split('\n\n')).replace(/\s+/g, ' ').trim();
}
