import fuzzysort from 'fuzzysort';

/** What is typed behind an `@` up to the cursor, and where the `@` is. */
export interface FileQuery {
  readonly at: number;
  readonly query: string;
}

export function fileQuery(text: string, cursor: number): FileQuery | null {
  const found = /(?:^|\s)@([^\s@]*)$/.exec(text.slice(0, cursor));
  const query = found?.[1];
  return query === undefined ? null : { at: cursor - query.length - 1, query };
}

/** Paths that have the letters of the query in their order, the closest first. */
export function fittingFiles(paths: readonly string[], query: string, limit: number): readonly string[] {
  if (query === '') return paths.slice(0, limit);
  return fuzzysort.go(query, paths, { limit }).map(({ target }) => target);
}
