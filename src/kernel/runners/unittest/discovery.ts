import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import { ownValue } from '../../../lib/own-value.ts';

/** Which files are tests, by the options of `python -m unittest discover`. */
export interface Discovery {
  /** Relative to the command's directory; '' is all of it. */
  readonly start: string;
  readonly top: string | null;
  readonly pattern: string;
}

const NAMES: Readonly<Record<string, keyof Discovery>> = {
  '-s': 'start',
  '--start-directory': 'start',
  '-t': 'top',
  '--top-level-directory': 'top',
  '-p': 'pattern',
  '--pattern': 'pattern',
};

export const DEFAULT_PATTERN = 'test*.py';

/** Options that only select or show are left out: the kernel decides these. */
export function discoveryOf(command: TestCommand): Discovery {
  const found: Record<keyof Discovery, string | null> = { start: '', top: null, pattern: DEFAULT_PATTERN };
  for (const [place, arg] of command.args.entries()) {
    const [flag = '', inline] = arg.split(/=(.*)/s);
    const name = ownValue(NAMES, flag);
    if (name !== undefined) found[name] = inline ?? command.args[place + 1] ?? null;
  }
  const plain = (path: string | null) => path?.replace(/^\.(\/|$)/, '').replace(/\/$/, '') ?? null;
  return { start: plain(found.start) ?? '', top: plain(found.top), pattern: found.pattern ?? DEFAULT_PATTERN };
}

/** The files that are discovered, as a glob below the command's directory. */
export function discoveredGlob(command: TestCommand): string {
  const { start, pattern } = discoveryOf(command);
  return `${start === '' ? '' : `${start}/`}**/${pattern}`;
}
