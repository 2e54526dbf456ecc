import { withBusy } from '../live/busy-words.ts';
import { FRAME_MS } from './may-decide.ts';
import { reduce } from './reduce/reduce.ts';
import type { Action } from './reduce/reduce.ts';
import type { ViewState } from './view-state.ts';

export interface StoreTimer {
  nowMs(): number;
  /** Calls back once after a delay. */
  after(ms: number, callback: () => void): void;
}

/**
 * The state of the screen. `current` is the present state; `published` is what the components draw: it follows at once after a quiet moment, and at
 * most once per frame in a flood, so that a thousand events are as cheap to draw as one.
 */
export class ViewStore {
  #current: ViewState;
  #published: ViewState;
  #publishedAtMs = -Infinity;
  #waiting = false;
  #holds = 0;
  readonly #listeners = new Set<() => void>();
  readonly #timer: StoreTimer;

  constructor(initial: ViewState, timer: StoreTimer) {
    this.#current = withBusy(initial, timer.nowMs());
    this.#published = this.#current;
    this.#timer = timer;
  }

  get current(): ViewState {
    return this.#current;
  }

  readonly published = (): ViewState => this.#published;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Nothing is published until the returned function is called, because what is not drawn must not count as drawn. */
  hold(): () => void {
    this.#holds += 1;
    return () => {
      this.#holds -= 1;
      this.#publishWhenDue();
    };
  }

  dispatch(action: Action): void {
    this.#current = withBusy(reduce(this.#current, action), this.#timer.nowMs());
    this.#publishWhenDue();
  }

  #publishWhenDue(): void {
    if (this.#holds > 0 || this.#waiting || this.#current === this.#published) return;
    const dueInMs = this.#publishedAtMs + FRAME_MS - this.#timer.nowMs();
    if (dueInMs <= 0) {
      this.#publish();
      return;
    }
    this.#waiting = true;
    this.#timer.after(dueInMs, () => {
      this.#waiting = false;
      if (this.#holds === 0) this.#publish();
    });
  }

  #publish(): void {
    this.#publishedAtMs = this.#timer.nowMs();
    this.#published = this.#current;
    for (const listener of this.#listeners) listener();
  }
}
