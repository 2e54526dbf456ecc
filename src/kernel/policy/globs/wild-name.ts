import { assertNever } from '../../../lib/assert-never.ts';
import type { Token } from './glob.ts';

const WORD_BITS = 32;
const BYTES = 256;

/**
 * One name of a glob with `?`, `[...]` or several stars. All readings of the stars are followed at once, a bit for each: one pass over the
 * name, 32 characters of the pattern in a step, whatever both look like.
 */
export class WildName {
  readonly #tokens: readonly Token[];
  #table: Table | null = null;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** Steps for each byte of a name. */
  get words(): number {
    return wordsOf(this.#tokens);
  }

  matches(name: string): boolean {
    const table = (this.#table ??= tableOf(this.#tokens));
    if (name.length < table.least) return false;
    return table.words === 1 ? matchWord(table, name) : matchWords(table, name);
  }
}

/** Bit `n` of a state: the first `n` tokens that are no stars have used up what was read so far. */
interface Table {
  readonly words: number;
  /** The fewest bytes of a name that matches: tokens that are no stars. */
  readonly least: number;
  /** By byte, then word: the states that go one further with this byte. */
  readonly accepts: Uint32Array;
  /** The states in which a star stands: they also stay. */
  readonly stays: Uint32Array;
}

function wordsOf(tokens: readonly Token[]): number {
  return Math.floor(tokens.filter(({ kind }) => kind !== 'star').length / WORD_BITS) + 1;
}

/** Made when first asked for: a policy may hold more patterns than it is ever allowed to load. */
function tableOf(tokens: readonly Token[]): Table {
  const words = wordsOf(tokens);
  const accepts = new Uint32Array(BYTES * words);
  const stays = new Uint32Array(words);
  let state = 0;
  for (const token of tokens) {
    const word = Math.floor(state / WORD_BITS);
    const bit = 1 << (state % WORD_BITS);
    if (token.kind === 'star') {
      stays[word] = (stays[word] ?? 0) | bit;
      continue;
    }
    for (let byte = 0; byte < BYTES; byte += 1) {
      const at = byte * words + word;
      if (acceptsByte(token, byte)) accepts[at] = (accepts[at] ?? 0) | bit;
    }
    state += 1;
  }
  return { words, least: state, accepts, stays };
}

function acceptsByte(token: Exclude<Token, { kind: 'star' }>, byte: number): boolean {
  switch (token.kind) {
    case 'byte':
      return token.code === byte;
    case 'one':
      return true;
    case 'set':
      return token.members[byte] === 1;
    default:
      return assertNever(token);
  }
}

function matchWord({ accepts, stays, least }: Table, name: string): boolean {
  const stay = stays[0] ?? 0;
  let states = 1;
  for (let at = 0; at < name.length && states !== 0; at += 1) {
    states = ((states & (accepts[name.charCodeAt(at)] ?? 0)) << 1) | (states & stay);
  }
  return (states & (1 << least)) !== 0;
}

function matchWords({ words, accepts, stays, least }: Table, name: string): boolean {
  const states = new Uint32Array(words);
  states[0] = 1;
  for (let at = 0; at < name.length; at += 1) {
    const byte = name.charCodeAt(at) * words;
    let alive = 0;
    // From the last word down: the bit that moves up out of a word is still the one from before this byte.
    for (let word = words - 1; word >= 0; word -= 1) {
      const here = states[word] ?? 0;
      const carried = word === 0 ? 0 : ((states[word - 1] ?? 0) & (accepts[byte + word - 1] ?? 0)) >>> 31;
      const after = ((here & (accepts[byte + word] ?? 0)) << 1) | carried | (here & (stays[word] ?? 0));
      states[word] = after;
      alive |= after;
    }
    if (alive === 0) return false;
  }
  return ((states[Math.floor(least / WORD_BITS)] ?? 0) & (1 << (least % WORD_BITS))) !== 0;
}
