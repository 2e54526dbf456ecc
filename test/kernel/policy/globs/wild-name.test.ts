import { expect, test } from 'vitest';
import type { Token } from '../../../../src/kernel/policy/globs/glob.ts';
import { WildName } from '../../../../src/kernel/policy/globs/wild-name.ts';
import { SeededRandom } from '../seeded-random.ts';

const SET: Token = { kind: 'set', members: Uint8Array.from({ length: 256 }, (_, byte) => (byte === 0x62 ? 1 : 0)) };

/** By trying everything. */
function matchesTokens(tokens: readonly Token[], text: string): boolean {
  let reached = new Set([0]);
  for (const token of tokens) {
    const next = new Set<number>();
    for (const at of reached) {
      if (token.kind === 'star') for (let end = at; end <= text.length; end += 1) next.add(end);
      else if (at < text.length && (token.kind === 'one' || text[at] === letterOf(token))) next.add(at + 1);
    }
    reached = next;
  }
  return reached.has(text.length);
}

function letterOf(token: Token): string {
  return token.kind === 'byte' ? String.fromCharCode(token.code) : 'b';
}

test.each([3, 31, 32, 33, 64, 70])('a pattern of %i characters matches what it should', (characters) => {
  const random = new SeededRandom(characters);
  const seen = { matched: 0, unmatched: 0 };
  for (let round = 0; round < 600; round += 1) {
    const tokens = Array.from({ length: characters }, (): Token =>
      random.pick([{ kind: 'byte', code: 0x61 }, { kind: 'byte', code: 0xff }, { kind: 'one' }, SET]),
    );
    const fitting = tokens.map((token) => (token.kind === 'one' ? random.pick(['a', 'b', 'ÿ']) : letterOf(token)));
    for (let star = random.below(4); star > 0; star -= 1) {
      const at = random.below(tokens.length + 1);
      tokens.splice(at, 0, { kind: 'star' });
      fitting.splice(at, 0, random.list(0, 40, () => random.pick(['a', 'b', 'ÿ'])).join(''));
    }
    const text = fitting.join('');
    const at = random.below(text.length);
    const names = [
      text,
      text.slice(0, at) + text.slice(at + 1),
      `${text.slice(0, at)}a${text.slice(at)}`,
      text.slice(at),
    ];
    const name = new WildName(tokens);
    for (const each of names) {
      const expected = matchesTokens(tokens, each);
      expect(name.matches(each), `${JSON.stringify(tokens)} on ${each}`).toBe(expected);
      seen[expected ? 'matched' : 'unmatched'] += 1;
    }
  }
  expect(Math.min(seen.matched, seen.unmatched)).toBeGreaterThan(300);
});
