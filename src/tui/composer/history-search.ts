/** A search of sent texts, like a shell's Ctrl-R: the typed text is searched, and the prompt shows the newest text that contains it. */
export interface HistorySearch {
  readonly query: string;
  /** No text, or no older one, contains the query: the prompt is unchanged. */
  readonly failed: boolean;
  /** The earlier typed text, to which Ctrl-C returns. */
  readonly draft: string;
}

/** The parts of the prompt that a search uses. */
interface Searchable {
  readonly text: string;
  readonly cursor: number;
  readonly sinceMs: number | null;
  readonly history: readonly string[];
  readonly recalled: { readonly index: number; readonly draft: string } | null;
  readonly search: HistorySearch | null;
}

/** Starts an empty search; during a search, continues with the next older text. */
export function searchBack<C extends Searchable>(composer: C, atMs: number): C {
  const { search, recalled, history, text } = composer;
  if (search === null)
    return searched({ ...composer, recalled: null }, { query: '', draft: text, below: history.length }, atMs);
  return searched(composer, { ...search, below: recalled?.index ?? history.length }, atMs);
}

/** Adds typed text to the query. The shown text stays if it still fits. */
export function extendSearch<C extends Searchable>(composer: C, search: HistorySearch, added: string, atMs: number): C {
  const below = (composer.recalled?.index ?? composer.history.length - 1) + 1;
  return searched(composer, { ...search, query: search.query + added.replaceAll('\n', ' '), below }, atMs);
}

/** Removes the last character of the query, and searches again from the newest text. */
export function shortenSearch<C extends Searchable>(composer: C, search: HistorySearch, atMs: number): C {
  const query = [...search.query].slice(0, -1).join('');
  return searched({ ...composer, recalled: null }, { ...search, query, below: composer.history.length }, atMs);
}

/** Ends a search without a result: the earlier typed text is back. */
export function dropSearch<C extends Searchable>(composer: C, { draft }: HistorySearch): C {
  return { ...composer, text: draft, cursor: draft.length, search: null, recalled: null };
}

function searched<C extends Searchable>(
  composer: C,
  { query, draft, below }: { query: string; draft: string; below: number },
  atMs: number,
): C {
  const { history } = composer;
  // As in a shell, the prompt shows the earlier text until something is searched.
  if (query === '')
    return { ...composer, text: draft, cursor: draft.length, recalled: null, search: { query, draft, failed: false } };
  const index = history.findLastIndex((text, at) => at < below && text.includes(query));
  const text = history[index];
  if (text === undefined) return { ...composer, search: { query, draft, failed: true } };
  const cursor = text.indexOf(query) + query.length;
  return {
    ...composer,
    text,
    cursor,
    recalled: { index, draft },
    search: { query, draft, failed: false },
    sinceMs: atMs,
  };
}
