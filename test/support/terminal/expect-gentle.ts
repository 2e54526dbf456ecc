import { expect } from 'vitest';

/** The terminal's scrollback belongs to the user: nothing clears it, leaves it for another screen, or asks the terminal anything. */
export function expectGentle(bytes: string): void {
  for (const forbidden of [
    '\x1b[2J',
    '\x1b[3J',
    '\x1b[H',
    '\x1b[1;1H',
    '\x1bc',
    '\x1b[?1049h',
    '\x1b[?47h',
    '\x1b[6n',
    '\x1b[?1000h',
  ])
    expect(bytes.includes(forbidden), JSON.stringify(forbidden)).toBe(false);
}
