import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import { ownValue } from '../../../lib/own-value.ts';

/** The options of `python -m unittest discover` that decide which files are tests. */
export interface Discovery {
  /** Relative to the directory of the command; '' is that directory. */
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

/**
 * Returns the discovery options of a command. Options that select tests or change the output are left out: the kernel
 * decides them.
 */
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

/** Returns a glob of the discovered files, relative to the directory of the command. */
export function discoveredGlob(command: TestCommand): string {
  const { start, pattern } = discoveryOf(command);
  return `${start === '' ? '' : `${start}/`}**/${pattern}`;
}
