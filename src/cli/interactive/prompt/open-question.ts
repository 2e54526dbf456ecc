/**
 * A question of a command that is answered at the prompt. Only a typed yes means yes. A further question replaces this one, which then counts as no.
 */
export class OpenQuestion {
  #resolve: ((yes: boolean) => void) | null = null;

  ask(): Promise<boolean> {
    this.refuse();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#resolve = resolve;
    return promise;
  }

  /** Whether the line was only an answer to the question. Any other line counts as no, and is then handled as usual. */
  answer(line: string): boolean {
    if (this.#resolve === null) return false;
    const word = line.trim().toLowerCase();
    const yes = word === 'y' || word === 'yes';
    this.#resolve(yes);
    this.#resolve = null;
    return yes || word === 'n' || word === 'no' || word === '';
  }

  refuse(): void {
    this.#resolve?.(false);
    this.#resolve = null;
  }
}
