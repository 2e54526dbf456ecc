import type { ReadStream } from 'node:tty';

/** The used part of the terminal's input. */
export type RawInput = Pick<ReadStream, 'setRawMode' | 'on' | 'off' | 'resume' | 'pause'>;

/** A person who pressed Ctrl-C several times has stopped when no key came for this time. */
const QUIET_MS = 100;
const QUIET_WITHIN_MS = 2_000;
/** Ink's last output in raw mode may be lost: shows the cursor, and switches bracketed paste off. */
const RESTORE = '\x1b[?25h\x1b[?2004l';

/**
 * Writes the last lines of a session that ended by Ctrl-C. Outside of raw mode, the system answers each further Ctrl-C by dropping output that the
 * terminal has not read yet. So raw mode begins at once and lasts until the keys have stopped; the keys are dropped.
 */
export async function writeLastLines(
  lines: Promise<string>,
  input: RawInput,
  write: (text: string) => unknown,
  quiet = { quietMs: QUIET_MS, withinMs: QUIET_WITHIN_MS },
): Promise<void> {
  input.setRawMode(true);
  write(`${RESTORE}${await lines}`);
  await untilQuiet(input, quiet);
  input.setRawMode(false);
}

function untilQuiet(input: RawInput, { quietMs, withinMs }: { quietMs: number; withinMs: number }): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(limit);
      input.off('data', again);
      input.pause();
      resolve();
    };
    const limit = setTimeout(end, withinMs);
    let quiet = setTimeout(end, quietMs);
    const again = (): void => {
      clearTimeout(quiet);
      quiet = setTimeout(end, quietMs);
    };
    input.on('data', again);
    input.resume();
  });
}
