import type { PickerList, PickerEntry } from '../panel/panel.ts';
import { safeLine } from '../store/safe-text.ts';
import type { SafeText } from '../store/safe-text.ts';

/** The current question to the person. */
export type SetUpStep =
  | { readonly kind: 'busy'; readonly text: SafeText }
  | { readonly kind: 'choose'; readonly picker: PickerList }
  | { readonly kind: 'line'; readonly title: SafeText }
  /** A line of input that is not shown. */
  | { readonly kind: 'secret'; readonly title: SafeText };

export interface SetUpLine {
  readonly id: number;
  readonly mark: 'good' | 'bad' | 'note';
  readonly text: SafeText;
}

export interface SetUpView {
  readonly lines: readonly SetUpLine[];
  readonly step: SetUpStep;
}

/** Asks the person one question after the other and shows the results so far. An answer is null if the person left the question. */
export interface SetUpScreen {
  say(mark: SetUpLine['mark'], text: string): void;
  busy(text: string): void;
  choose(title: string, entries: readonly PickerEntry[]): Promise<string | null>;
  line(title: string): Promise<string | null>;
  /** A line of input that is not shown. */
  secret(title: string): Promise<string | null>;
}

export class SetUpSteps implements SetUpScreen {
  readonly #listeners = new Set<() => void>();
  #view: SetUpView = { lines: [], step: { kind: 'busy', text: safeLine('looking around') } };
  #answer: ((answer: string | null) => void) | null = null;
  #hasLeft = false;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly current = (): SetUpView => this.#view;

  /** Called by the screen with the answer to the open question. */
  readonly answer = (answer: string | null): void => {
    const resolve = this.#answer;
    this.#answer = null;
    resolve?.(answer);
  };

  /** Called by the screen when the person leaves the open question. Without an open question, the next question counts as left. */
  readonly leave = (): void => {
    this.#hasLeft = this.#answer === null;
    this.answer(null);
  };

  say(mark: SetUpLine['mark'], text: string): void {
    const { lines } = this.#view;
    this.#show({ ...this.#view, lines: [...lines, { id: lines.length, mark, text: safeLine(text) }] });
  }

  busy(text: string): void {
    this.#show({ ...this.#view, step: { kind: 'busy', text: safeLine(text) } });
  }

  choose(title: string, entries: readonly PickerEntry[]): Promise<string | null> {
    return this.#ask({ kind: 'choose', picker: { title: safeLine(title), entries } });
  }

  line(title: string): Promise<string | null> {
    return this.#ask({ kind: 'line', title: safeLine(title) });
  }

  secret(title: string): Promise<string | null> {
    return this.#ask({ kind: 'secret', title: safeLine(title) });
  }

  #ask(step: SetUpStep): Promise<string | null> {
    if (this.#hasLeft) return Promise.resolve(null);
    const { promise, resolve } = Promise.withResolvers<string | null>();
    this.#answer = resolve;
    this.#show({ ...this.#view, step });
    return promise;
  }

  #show(view: SetUpView): void {
    this.#view = view;
    for (const listener of this.#listeners) listener();
  }
}
