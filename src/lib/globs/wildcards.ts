import { assertNever } from '../assert-never.ts';
import type { Token } from './token.ts';
import { bracketMembers } from './parse-bracket.ts';

const WORD_BITS = 32;
const BYTES = 256;
const SLASH = 0x2f;

/**
 * A pattern with wildcards, for one name or for a whole path. All ways to match the stars are followed at once, one bit for each: always one pass
 * over the text, with 32 characters of the pattern per step.
 */
export class Wildcards {
  readonly #tokens: readonly Token[];
  #table: Table | null = null;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** Steps for each byte of a text. */
  get words(): number {
    return wordsOf(this.#tokens);
  }

  /** Whether all of `text`, a byte string, matches. */
  matches(text: string): boolean {
    const table = (this.#table ??= tableOf(this.#tokens));
    if (text.length < table.least) return false;
    return table.words === 1 ? matchWord(table, text) : matchWords(table, text);
  }
}

/**
 * Bit `n` of a state: the first `n` tokens that have a bit have matched what was read so far. A star and `rest` have no bit: they let a state stay.
 */
interface Table {
  readonly words: number;
  /** The minimum length in bytes of a matching text. */
  readonly least: number;
  /** The state in which everything has matched. */
  readonly last: number;
  /** By byte, then word: the states that advance by one with this byte. */
  readonly accepts: Uint32Array;
  /** The states that stay with any byte except a slash. */
  readonly stays: Uint32Array;
  /** The states that stay with any byte. */
  readonly crosses: Uint32Array;
  /** The states that may be left as soon as they are entered, because `directories` may match nothing. */
  readonly skips: Uint32Array;
}

function wordsOf(tokens: readonly Token[]): number {
  return Math.floor(tokens.filter(hasBit).length / WORD_BITS) + 1;
}

function hasBit({ kind }: Token): boolean {
  return kind !== 'star' && kind !== 'rest';
}

/** Created on first use: a policy file may contain more patterns than fluffy accepts. */
function tableOf(tokens: readonly Token[]): Table {
  const words = wordsOf(tokens);
  const accepts = new Uint32Array(BYTES * words);
  const [stays, crosses, skips] = [new Uint32Array(words), new Uint32Array(words), new Uint32Array(words)];
  const set = (bits: Uint32Array, index: number, bit: number) => {
    bits[index] = (bits[index] ?? 0) | bit;
  };
  let state = 0;
  let least = 0;
  for (const token of tokens) {
    const word = Math.floor(state / WORD_BITS);
    const bit = 1 << (state % WORD_BITS);
    if (token.kind === 'star' || token.kind === 'rest') set(stays, word, bit);
    if (token.kind === 'rest' || token.kind === 'directories') set(crosses, word, bit);
    if (token.kind === 'directories') {
      set(stays, word, bit);
      set(skips, word, bit);
    }
    if (!hasBit(token)) continue;
    const accepted = acceptedBy(token);
    for (let byte = 0; byte < BYTES; byte += 1) {
      if (accepted(byte)) set(accepts, byte * words + word, bit);
    }
    if (token.kind !== 'directories') least += 1;
    state += 1;
  }
  return { words, least, last: state, accepts, stays, crosses, skips };
}

function acceptedBy(token: Token): (byte: number) => boolean {
  if (token.kind !== 'set') return (byte) => acceptsByte(token, byte);
  const members = bracketMembers(token);
  return (byte) => members[byte] === 1;
}

function acceptsByte(token: Exclude<Token, { kind: 'set' }>, byte: number): boolean {
  switch (token.kind) {
    case 'byte':
      return token.code === byte;
    case 'one':
      return byte !== SLASH;
    case 'directories':
      return byte === SLASH;
    case 'star':
    case 'rest':
      return false;
    default:
      return assertNever(token);
  }
}

function matchWord({ accepts, stays, crosses, skips, last }: Table, text: string): boolean {
  const stay = stays[0] ?? 0;
  const cross = crosses[0] ?? 0;
  const skip = skips[0] ?? 0;
  let states = 1 | ((1 & skip) << 1);
  for (let at = 0; at < text.length && states !== 0; at += 1) {
    const byte = text.charCodeAt(at);
    const moved = (states & (accepts[byte] ?? 0)) << 1;
    states = moved | ((moved & skip) << 1) | (states & (byte === SLASH ? cross : stay));
  }
  return (states & (1 << last)) !== 0;
}

function matchWords({ words, accepts, stays, crosses, skips, last }: Table, text: string): boolean {
  const states = new Uint32Array(words);
  const moved = new Uint32Array(words);
  states[0] = 1 | ((1 & (skips[0] ?? 0)) << 1);
  for (let at = 0; at < text.length; at += 1) {
    const byte = text.charCodeAt(at);
    const row = byte * words;
    const staying = byte === SLASH ? crosses : stays;
    // A bit that leaves a word at its top enters the next word at its bottom.
    let carried = 0;
    for (let word = 0; word < words; word += 1) {
      const accepted = (states[word] ?? 0) & (accepts[row + word] ?? 0);
      moved[word] = (accepted << 1) | carried;
      carried = accepted >>> 31;
    }
    let alive = 0;
    carried = 0;
    for (let word = 0; word < words; word += 1) {
      const skipped = (moved[word] ?? 0) & (skips[word] ?? 0);
      const after = (moved[word] ?? 0) | (skipped << 1) | carried | ((states[word] ?? 0) & (staying[word] ?? 0));
      carried = skipped >>> 31;
      states[word] = after;
      alive |= after;
    }
    if (alive === 0) return false;
  }
  return ((states[Math.floor(last / WORD_BITS)] ?? 0) & (1 << (last % WORD_BITS))) !== 0;
}
