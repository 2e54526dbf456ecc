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

/** Ctrl-C and Esc, once and twice. */
export class StopKeys {
  readonly #parts: StopKeysParts;
  #interruptedAtMs = -Infinity;
  /** When Esc was last pressed where nothing ran. */
  #escapedAtMs = -Infinity;

  constructor(parts: StopKeysParts) {
    this.#parts = parts;
  }

  /** Ends a run, or else clears the prompt; twice, leaves. During a search it only gives that up. */
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

  /** Leaves the insert mode of vi; ends a run; twice where nothing runs and nothing is typed, goes back to an earlier message. */
  escape(): void {
    const { store, nowMs, messages, edit, stop, goBack } = this.#parts;
    const { run, card, composer, said } = store.current;
    // Where nothing is typed, the run is meant.
    if (composer.vim?.mode === 'insert' && (composer.text !== '' || run.kind === 'idle')) {
      edit({ kind: 'normal-mode' });
      return;
    }
    if (run.kind === 'running') {
      if (card === null) stop();
      return;
    }
    if (composer.text !== '' || said.length === 0) return;
    // The hint is gone with the next key: then it is no second one.
    const again = nowMs() - this.#escapedAtMs < TWICE_WITHIN_MS && store.current.hint === BACK_HINT;
    this.#escapedAtMs = again ? -Infinity : nowMs();
    if (again) goBack();
    else messages.hint(BACK_HINT);
  }
}
