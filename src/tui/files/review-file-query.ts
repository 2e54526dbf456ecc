import type { FileQuery } from './fitting-files.ts';

/** A name that has a quote or a blank is typed in full. */
const NAMES = /^\/(?:approve|edit|reject)((?:\s+[^\s"']+)*)\s+([^\s"'@]*)$/;

/** The file of the review that is typed up to the cursor, behind a command that takes some; null where there is none, or where it is whole already. */
export function reviewFileQuery(text: string, cursor: number, files: readonly string[]): FileQuery | null {
  const [, named = '', query] = NAMES.exec(text.slice(0, cursor)) ?? [];
  if (query === undefined || files.length === 0 || files.includes(query)) return null;
  // Behind anything else, it is a word of a reason.
  const areFiles = wordsOf(named).every((word) => files.includes(word));
  return areFiles ? { at: cursor - query.length, query } : null;
}

/** Those that can be named next, in their order: a part of their path is typed, and they are not named yet. */
export function fittingReviewFiles(text: string, files: readonly string[], query: string): readonly string[] {
  const named = wordsOf(text);
  return files.filter((path) => path.includes(query) && !named.includes(path) && !/[\s"']/.test(path));
}

function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
