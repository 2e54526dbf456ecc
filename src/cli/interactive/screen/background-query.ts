import { setTimeout as sleep } from 'node:timers/promises';
import type { ViewStore } from '../../../tui/store/view-store.ts';

/** OSC 11: a terminal that knows it answers with its background colour, others say nothing. */
export const BACKGROUND_QUERY = '\x1b]11;?\x1b\\';

const REPLY = /\x1b\]11;rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})(?:\/[0-9a-f]{1,4})?(?:\x07|\x1b\\)/i;
/** What may be the beginning of a reply whose rest has not come yet. */
const BEGUN = /\x1b(?:\](?:1(?:1(?:;[0-9a-z:/]{0,30}\x1b?)?)?)?)?$/i;

/** Takes the reply out of what is typed: its characters would otherwise stand in the prompt. Holds back a part of it until the rest comes. */
export class BackgroundReply {
  readonly #found: (isLight: boolean) => void;
  #waits = true;
  #held = '';

  constructor(found: (isLight: boolean) => void) {
    this.#found = found;
  }

  /** No reply comes any more: what was held back is typed text, and comes with the next piece. */
  giveUp(): void {
    this.#waits = false;
  }

  /** A piece of input, without the reply or what may become it. */
  take(chunk: string): string {
    const input = this.#held + chunk;
    this.#held = '';
    if (!this.#waits) return input;
    const reply = REPLY.exec(input);
    if (reply !== null) {
      this.giveUp();
      this.#found(isLight(reply.slice(1, 4)));
      return input.slice(0, reply.index) + input.slice(reply.index + reply[0].length);
    }
    // A single Esc is a key: it must not wait for what never comes.
    const begun = BEGUN.exec(input);
    const from = begun === null || begun[0] === '\x1b' ? input.length : begun.index;
    this.#held = input.slice(from);
    return input.slice(0, from);
  }
}

/** By the luminance that the three channels have together; each has one to four digits. */
function isLight(channels: readonly string[]): boolean {
  const [red = 0, green = 0, blue = 0] = channels.map((digits) => parseInt(digits, 16) / (16 ** digits.length - 1));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5;
}

/** Over a slow line too, a terminal has answered by then. */
const REPLY_WITHIN_MS = 2000;
/** How long leaving waits for a reply, which would otherwise be typed into the shell. */
const LEAVE_WITHIN_MS = 100;

export interface BackgroundQuestion {
  readonly reply: BackgroundReply;
  ask(write: (bytes: string) => void): void;
  /** Resolves when no reply is to be expected, at once where there was no question. */
  settled(): Promise<void>;
}

/** Has the screen drawn for the background that the terminal names, unless the person has chosen a theme by then. */
export function askForBackground(
  { store, asks: wanted }: { readonly store: ViewStore; readonly asks: boolean },
  env: Readonly<Record<string, string | undefined>>,
): BackgroundQuestion {
  const answered = Promise.withResolvers<void>();
  const assumed = store.current.theme;
  const reply = new BackgroundReply((isLight) => {
    if (store.current.theme === assumed) store.dispatch({ kind: 'theme', theme: isLight ? 'light' : 'dark' });
    answered.resolve();
  });
  // The console of Linux prints the question.
  const asks = wanted && env['TERM'] !== 'linux';
  if (!asks) answered.resolve();
  return {
    reply,
    ask: (write) => {
      if (!asks) return reply.giveUp();
      write(BACKGROUND_QUERY);
      setTimeout(() => {
        reply.giveUp();
        answered.resolve();
      }, REPLY_WITHIN_MS).unref();
    },
    settled: () => Promise.race([answered.promise, sleep(LEAVE_WITHIN_MS)]),
  };
}
