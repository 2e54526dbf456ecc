import { randomBytes, randomInt } from 'node:crypto';
import type { Random } from '../../contracts/ports/random.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** About 103 bits: cannot be guessed and does not repeat. */
const DEFAULT_LENGTH = 20;

export const systemRandom: Random = {
  bytes: (count) => new Uint8Array(randomBytes(count)),
  id: (prefix, length = DEFAULT_LENGTH) =>
    `${prefix}_${Array.from({ length }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')}`,
};
