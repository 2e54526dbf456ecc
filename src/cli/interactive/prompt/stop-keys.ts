import type { Edit } from '../../../tui/composer/composer.ts';
import type { ViewStore } from '../../../tui/store/view-store.ts';
import type { ScreenMessages } from '../screen-messages.ts';

interface StopKeysParts {
  readonly store: ViewStore;
  readonly nowMs: () => number;
  readonly after: (ms: number, callback: () => void) => void;
  readonly messages: ScreenMessages;
  readonly edit: (change: Edit) => void;
  readonly stop: () => void;
  readonly leave: () => void;
  /** Goes back to an earlier message. */
  readonly goBack: () => void;
}

/** A second Ctrl-C or Esc within this time counts with the first. */
const TWICE_WITHIN_MS = 2000;
const BACK_HINT = 'Esc again goes back to an earlier message.';

/** Ctrl-C and Esc, pressed once and twice. */
export class StopKeys {
  readonly #parts: StopKeysParts;
  #interruptedAtMs = -Infinity;
  /** Time of the last Esc while nothing ran. */
  #escapedAtMs = -Infinity;

  constructor(parts: StopKeysParts) {
    this.#parts = parts;
  }

  /** Ends a run, or else clears the prompt; a second time, leaves. During a search it only ends the search. */
  interrupt(): void {
    const { store, nowMs, after, messages, edit, stop, leave } = this.#parts;
    const { run, composer } = store.current;
    if (composer.search !== null) {
      edit({ kind: 'clear' });
      return;
    }
    if (nowMs() - this.#interruptedAtMs < TWICE_WITHIN_MS) {
      leave();
      return;
    }
    this.#interruptedAtMs = nowMs();
    if (run.kind === 'running') stop();
    else if (composer.text !== '') edit({ kind: 'clear' });
    const text = 'Ctrl-C again leaves; the session is kept.';
    messages.hint(text);
    after(TWICE_WITHIN_MS, () => {
      if (store.current.hint === text) store.dispatch({ kind: 'hint', text: null });
    });
  }

  /** Leaves the insert mode of vi; ends a run; pressed twice with an empty prompt and no run, goes back to an earlier message. */
  escape(): void {
    const { store, nowMs, messages, edit, stop, goBack } = this.#parts;
    const { run, card, composer, said } = store.current;
    // With an empty prompt, the key is meant for the run.
    if (composer.vim?.mode === 'insert' && (composer.text !== '' || run.kind === 'idle')) {
      edit({ kind: 'normal-mode' });
      return;
    }
    if (run.kind === 'running') {
      if (card === null) stop();
      return;
    }
    if (composer.text !== '' || said.length === 0) return;
    // The next key removes the hint; then this is no second Esc.
    const again = nowMs() - this.#escapedAtMs < TWICE_WITHIN_MS && store.current.hint === BACK_HINT;
    this.#escapedAtMs = again ? -Infinity : nowMs();
    if (again) goBack();
    else messages.hint(BACK_HINT);
  }
}
