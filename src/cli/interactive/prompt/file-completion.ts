import { fileQuery, fittingFiles } from '../../../tui/files/fitting-files.ts';
import { fittingReviewFiles, reviewFileQuery } from '../../../tui/files/review-file-query.ts';
import { reviewFiles } from '../../../tui/store/review-files.ts';
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

/**
 * The menu of files: the project's files after an `@`, listed when the first one is typed, and those of the review after a command that takes some.
 */
export class FileCompletion {
  readonly #parts: FileCompletionParts;
  #isListing = false;
  /** null until they are listed. */
  #files: readonly string[] | null = null;
  #fitting: readonly string[] = [];
  /** The text at which Tab was pressed while the files were being listed. */
  #waits: string | null = null;

  constructor(parts: FileCompletionParts) {
    this.#parts = parts;
  }

  /** Called when the typed text has changed. */
  update(): void {
    const { store } = this.#parts;
    const { text, cursor } = store.current.composer;
    const files = reviewFiles(store.current);
    const ofReview = reviewFileQuery(text, cursor, files);
    this.#fitting =
      ofReview === null ? this.#fittingOfProject() : fittingReviewFiles(text, files, ofReview.query).slice(0, SHOWN);
    if (this.#fitting.length === 0 && store.current.fileMenu.length === 0) return;
    store.dispatch({ kind: 'file-menu', paths: this.#fitting.map(exactLine) });
  }

  /** Fills in a file of the menu. Returns whether there was one. */
  complete(index: number): boolean {
    const { store, nowMs } = this.#parts;
    const { text, cursor } = store.current.composer;
    const ofProject = fileQuery(text, cursor);
    const typed = ofProject ?? reviewFileQuery(text, cursor, reviewFiles(store.current));
    const path = this.#fitting[index];
    if (typed !== null && this.#files === null) this.#waits = text;
    if (typed === null || path === undefined) return false;
    const filled = ofProject === null ? `${path} ` : `@${path} `;
    store.dispatch({ kind: 'edit', edit: { kind: 'fill-in', from: typed.at, text: filled }, atMs: nowMs() });
    this.update();
    return true;
  }

  #fittingOfProject(): readonly string[] {
    const { store, list } = this.#parts;
    const { text, cursor } = store.current.composer;
    const typed = fileQuery(text, cursor);
    if (typed !== null && !this.#isListing) {
      this.#isListing = true;
      void list().then((files) => {
        this.#files = files;
        this.update();
        if (this.#waits === store.current.composer.text) this.complete(0);
      });
    }
    return typed === null ? [] : fittingFiles(this.#files ?? [], typed.query, SHOWN);
  }
}
