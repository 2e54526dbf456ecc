import type { FileQuery } from './fitting-files.ts';

/** A name with a quote or a blank must be typed in full. */
const NAMES = /^\/(?:approve|edit|reject)((?:\s+[^\s"']+)*)\s+([^\s"'@]*)$/;

/** The file name being typed at the cursor, after a command that takes files of the review; null if there is none, or if it is complete. */
export function reviewFileQuery(text: string, cursor: number, files: readonly string[]): FileQuery | null {
  const [, named = '', query] = NAMES.exec(text.slice(0, cursor)) ?? [];
  if (query === undefined || files.length === 0 || files.includes(query)) return null;
  // After any other word, it is part of a reason.
  const areFiles = wordsOf(named).every((word) => files.includes(word));
  return areFiles ? { at: cursor - query.length, query } : null;
}

/** The files that can be named next, in order: they contain the typed text and are not named yet. */
export function fittingReviewFiles(text: string, files: readonly string[], query: string): readonly string[] {
  const named = wordsOf(text);
  return files.filter((path) => path.includes(query) && !named.includes(path) && !/[\s"']/.test(path));
}

function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
