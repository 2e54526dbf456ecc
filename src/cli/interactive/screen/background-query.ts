import { setTimeout as sleep } from 'node:timers/promises';
import type { ViewStore } from '../../../tui/store/view-store.ts';

/** OSC 11: terminals that support it answer with their background colour, others stay silent. */
export const BACKGROUND_QUERY = '\x1b]11;?\x1b\\';

const REPLY = /\x1b\]11;rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})(?:\/[0-9a-f]{1,4})?(?:\x07|\x1b\\)/i;

/** Takes the reply out of the input. */
export class BackgroundReply {
  readonly #found: (isLight: boolean) => void;

  constructor(found: (isLight: boolean) => void) {
    this.#found = found;
  }

  /** A piece of input, in whole sequences. */
  take(input: string): string {
    const reply = REPLY.exec(input);
    if (reply === null) return input;
    this.#found(isLight(reply.slice(1, 4)));
    return input.slice(0, reply.index) + input.slice(reply.index + reply[0].length);
  }
}

/** Decided by the luminance of the three channels; each has one to four digits. */
function isLight(channels: readonly string[]): boolean {
  const [red = 0, green = 0, blue = 0] = channels.map((digits) => parseInt(digits, 16) / (16 ** digits.length - 1));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5;
}

/** Terminals answer within this time, also over a slow line. */
const REPLY_WITHIN_MS = 2000;
/** How long leaving waits for a reply, which would otherwise appear in the shell. */
const LEAVE_WITHIN_MS = 100;

export interface BackgroundQuestion {
  readonly reply: BackgroundReply;
  ask(write: (bytes: string) => void): void;
  /** Resolves when no reply is expected any more; at once if nothing was asked. */
  settled(): Promise<void>;
}

/** Draws the screen for the background that the terminal reports, unless the person has chosen a theme by then. */
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
  // The Linux console would print the query.
  const asks = wanted && env['TERM'] !== 'linux';
  if (!asks) answered.resolve();
  return {
    reply,
    ask: (write) => {
      if (!asks) return;
      write(BACKGROUND_QUERY);
      setTimeout(answered.resolve, REPLY_WITHIN_MS).unref();
    },
    settled: () => Promise.race([answered.promise, sleep(LEAVE_WITHIN_MS)]),
  };
}
