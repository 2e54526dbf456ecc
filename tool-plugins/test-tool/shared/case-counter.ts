import { writeFileSync } from 'node:fs';

/** Bound before any code of the project is loaded, which may replace it. */
const writeFile = writeFileSync;
/** Of a suite with more cases than this, not every one is worth a write. */
const EACH_UNTIL = 1000;
const THEN_EVERY = 20;

/** Keeps how many cases of the run have ended in a file, for people who wait. No result is read from it. */
export class CaseCounter {
  readonly #path: string | null;
  #done = 0;
  #failed = 0;
  readonly #seen = new Set<string>();

  constructor({ progress = null }: { readonly progress?: string | null }) {
    this.#path = progress;
  }

  /** The same for a runner that may run a case again, or name it again: only its first end counts. */
  endedOnce(id: string, isFailed: boolean): void {
    if (this.#seen.has(id)) return;
    this.#seen.add(id);
    this.ended(isFailed);
  }

  ended(isFailed: boolean): void {
    this.#done += 1;
    if (isFailed) this.#failed += 1;
    if (this.#path === null || (this.#done > EACH_UNTIL && this.#done % THEN_EVERY !== 0)) return;
    try {
      writeFile(this.#path, `${this.#done} ${this.#failed}\n`);
    } catch {
      // A run that cannot be watched goes on.
    }
  }
}
