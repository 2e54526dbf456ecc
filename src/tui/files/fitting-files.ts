import fuzzysort from 'fuzzysort';

/** The text after an `@` up to the cursor, and the position of the `@`. */
export interface FileQuery {
  readonly at: number;
  readonly query: string;
}

export function fileQuery(text: string, cursor: number): FileQuery | null {
  const found = /(?:^|\s)@([^\s@]*)$/.exec(text.slice(0, cursor));
  const query = found?.[1];
  return query === undefined ? null : { at: cursor - query.length - 1, query };
}

/** Paths that contain the letters of the query in order, best matches first. */
export function fittingFiles(paths: readonly string[], query: string, limit: number): readonly string[] {
  if (query === '') return paths.slice(0, limit);
  return fuzzysort.go(query, paths, { limit }).map(({ target }) => target);
}
