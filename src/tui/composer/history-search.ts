/** A search of what was sent, as a shell's Ctrl-R does it: what is typed is searched for, and the prompt shows the newest text that has it. */
export interface HistorySearch {
  readonly query: string;
  /** No text, or no older one, has the query: the prompt keeps what it showed. */
  readonly failed: boolean;
  /** What was typed before, to which Ctrl-C returns. */
  readonly draft: string;
}

/** What a search reads and changes of the prompt. */
interface Searchable {
  readonly text: string;
  readonly cursor: number;
  readonly sinceMs: number | null;
  readonly history: readonly string[];
  readonly recalled: { readonly index: number; readonly draft: string } | null;
  readonly search: HistorySearch | null;
}

/** Begins a search, of nothing yet; during one, goes on to the next older text. */
export function searchBack<C extends Searchable>(composer: C, atMs: number): C {
  const { search, recalled, history, text } = composer;
  if (search === null)
    return searched({ ...composer, recalled: null }, { query: '', draft: text, below: history.length }, atMs);
  return searched(composer, { ...search, below: recalled?.index ?? history.length }, atMs);
}

/** What is typed during a search belongs to its query. The text that is shown stays, if it still fits. */
export function extendSearch<C extends Searchable>(composer: C, search: HistorySearch, added: string, atMs: number): C {
  const below = (composer.recalled?.index ?? composer.history.length - 1) + 1;
  return searched(composer, { ...search, query: search.query + added.replaceAll('\n', ' '), below }, atMs);
}

/** Takes the last character of the query back, and looks from the newest text on. */
export function shortenSearch<C extends Searchable>(composer: C, search: HistorySearch, atMs: number): C {
  const query = [...search.query].slice(0, -1).join('');
  return searched({ ...composer, recalled: null }, { ...search, query, below: composer.history.length }, atMs);
}

/** Gives a search up: what was typed before is back. */
export function dropSearch<C extends Searchable>(composer: C, { draft }: HistorySearch): C {
  return { ...composer, text: draft, cursor: draft.length, search: null, recalled: null };
}

function searched<C extends Searchable>(
  composer: C,
  { query, draft, below }: { query: string; draft: string; below: number },
  atMs: number,
): C {
  const { history } = composer;
  // As in a shell, the prompt shows what was typed until something is searched for.
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
