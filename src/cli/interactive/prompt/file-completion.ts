import { fileQuery, fittingFiles } from '../../../tui/files/fitting-files.ts';
import { exactLine } from '../../../tui/store/safe-text.ts';
import type { ViewStore } from '../../../tui/store/view-store.ts';

export interface FileCompletionParts {
  readonly store: ViewStore;
  readonly nowMs: () => number;
  /** The project's files. */
  readonly list: () => Promise<readonly string[]>;
}

/** Rows of the menu. */
const SHOWN = 8;

/** The menu of files behind an `@`. The files are listed when the first one is typed. */
export class FileCompletion {
  readonly #parts: FileCompletionParts;
  #files: readonly string[] | null = null;
  #fitting: readonly string[] = [];

  constructor(parts: FileCompletionParts) {
    this.#parts = parts;
  }

  /** What is typed has changed. */
  update(): void {
    const { store, list } = this.#parts;
    const { text, cursor } = store.current.composer;
    const typed = fileQuery(text, cursor);
    if (typed !== null && this.#files === null) {
      this.#files = [];
      void list().then((files) => {
        this.#files = files;
        this.update();
      });
    }
    this.#fitting = typed === null ? [] : fittingFiles(this.#files ?? [], typed.query, SHOWN);
    if (this.#fitting.length === 0 && store.current.fileMenu.length === 0) return;
    store.dispatch({ kind: 'file-menu', paths: this.#fitting.map(exactLine) });
  }

  /** Fills in a file of the menu. Returns whether there was one. */
  complete(index: number): boolean {
    const { store, nowMs } = this.#parts;
    const { text, cursor } = store.current.composer;
    const typed = fileQuery(text, cursor);
    const path = this.#fitting[index];
    if (typed === null || path === undefined) return false;
    store.dispatch({ kind: 'edit', edit: { kind: 'fill-in', from: typed.at, text: `@${path} ` }, atMs: nowMs() });
    this.update();
    return true;
  }
}
