import { escapeJsonForTerminal } from './text/escape-terminal.ts';

/** A value as one line of JSON, with its line feed. Characters that a terminal would interpret are escaped as JSON. */
export function jsonLine(value: unknown): string {
  return `${escapeJsonForTerminal(JSON.stringify(value))}\n`;
}
