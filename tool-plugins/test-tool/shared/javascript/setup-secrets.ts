import { randomBytes } from 'node:crypto';
import { canaryName } from '../canary-name.ts';

/** Under what name the environment of a test file finds its secrets, once. */
export const SECRETS_KEY = 'runner:seed';

interface Pair {
  readonly passing: string;
  readonly failing: string;
}

/** What only the setup file of one run knows: the names of its canaries, in two arrangements, and what begins the message of its hook. */
export interface SetupSecrets extends Pair {
  /** The second pair is in a suite of its own. */
  readonly suite: string;
  readonly inSuite: Pair;
  readonly nonce: string;
  /** Sources of which the lines that run are counted. */
  readonly cover: readonly string[];
}

/** In each arrangement one that passes and one that fails. */
export const CANARIES = 4;

export function setupSecrets(cover: readonly string[]): SetupSecrets {
  const pair = (): Pair => ({ passing: canaryName([]), failing: `${canaryName([])} again` });
  return { ...pair(), suite: canaryName([]), inSuite: pair(), nonce: randomBytes(16).toString('hex'), cover };
}

/** The status that a canary has to have, by the names of its suites and its own; null for what is none. */
export function canaryStatus(secrets: SetupSecrets, names: readonly string[]): 'pass' | 'fail' | null {
  const [first, second, ...rest] = names;
  if (rest.length > 0) return null;
  const pair = second === undefined ? secrets : first === secrets.suite ? secrets.inSuite : null;
  const name = second ?? first;
  if (pair === null) return null;
  return name === pair.passing ? 'pass' : name === pair.failing ? 'fail' : null;
}

/** Source of the canaries, from `secrets`, `one`, `test`, `describe` and `expect`: two pairs, in any order. */
export const CANARIES_SOURCE = `const addPair = ({ passing, failing }, failsFirst) => {
  const adds = [() => test(passing, () => { expect(one).toBe(one); }), () => test(failing, () => { expect(one).toBe(-one); })];
  for (const add of failsFirst ? adds.reverse() : adds) add();
};
addPair(secrets, one % 2 === 0);
describe(secrets.suite, () => { addPair(secrets.inSuite, one % 4 < 2); });`;
