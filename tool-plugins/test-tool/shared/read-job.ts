import { closeSync, openSync, readFileSync } from 'node:fs';

const STDIN = 0;

/** The description of the run, from standard input, which is nothing from then on: no code of the project can read it. */
export function readJob(): unknown {
  const text = readFileSync(STDIN, 'utf8');
  closeSync(STDIN);
  // The lowest free descriptor: whatever is opened next would be taken for standard input otherwise.
  openSync('/dev/null', 'r');
  return JSON.parse(text) as unknown;
}
