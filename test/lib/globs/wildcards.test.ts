import { expect, test } from 'vitest';
import type { Token } from '../../../src/lib/globs/token.ts';
import { Wildcards } from '../../../src/lib/globs/wildcards.ts';
import { SeededRandom } from '../../kernel/policy/seeded-random.ts';

const SET: Token = { kind: 'set', expression: '[b]', folded: false };

/** By trying everything. */
function matchesTokens(tokens: readonly Token[], text: string): boolean {
  let reached = new Set([0]);
  for (const token of tokens) {
    const next = new Set<number>();
    for (const at of reached) {
      if (token.kind === 'star') for (const end of endsOf(text, at, (part) => !part.includes('/'))) next.add(end);
      else if (token.kind === 'rest') for (const end of endsOf(text, at, () => true)) next.add(end);
      else if (token.kind === 'directories')
        for (const end of endsOf(text, at, (part) => part === '' || part.endsWith('/'))) next.add(end);
      else if (at < text.length && (token.kind === 'one' ? text[at] !== '/' : text[at] === letterOf(token)))
        next.add(at + 1);
    }
    reached = next;
  }
  return reached.has(text.length);
}

function endsOf(text: string, from: number, fits: (part: string) => boolean): readonly number[] {
  return Array.from({ length: text.length - from + 1 }, (_, more) => from + more).filter((end) =>
    fits(text.slice(from, end)),
  );
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
    const name = new Wildcards(tokens);
    for (const each of names) {
      const expected = matchesTokens(tokens, each);
      expect(name.matches(each), `${JSON.stringify(tokens)} on ${each}`).toBe(expected);
      seen[expected ? 'matched' : 'unmatched'] += 1;
    }
  }
  expect(Math.min(seen.matched, seen.unmatched)).toBeGreaterThan(300);
});

test.each([3, 12, 31, 33, 64])('so does one for whole paths, of about %i characters', (characters) => {
  const random = new SeededRandom(characters);
  const seen = { matched: 0, unmatched: 0 };
  const anyPath = () =>
    random
      .list(1, 40, () => random.pick(['a', 'b', '/', 'ab/', 'b/a']))
      .join('')
      .replaceAll(/\/+/g, '/');
  for (let round = 0; round < 400; round += 1) {
    const tokens: Token[] = [];
    const fitting: string[] = [];
    while (tokens.length < characters) {
      const kind = random.pick(['byte', 'one', 'set', 'star', 'slash'] as const);
      if (kind === 'slash') {
        const separator: Token = { kind: 'byte', code: 0x2f };
        tokens.push(separator);
        fitting.push('/');
        if (random.chance(0.5)) {
          tokens.push({ kind: 'directories' });
          fitting.push(random.pick(['', 'a/', 'b/ab/']));
        }
      } else if (kind === 'star') {
        tokens.push({ kind: 'star' });
        fitting.push(random.pick(['', 'ab', 'b']));
      } else {
        const token: Token = kind === 'byte' ? { kind, code: 0x61 } : kind === 'one' ? { kind } : SET;
        tokens.push(token);
        fitting.push(kind === 'byte' ? 'a' : 'b');
      }
    }
    if (random.chance(0.3)) {
      tokens.push({ kind: 'rest' });
      fitting.push(anyPath());
    }
    const text = fitting.join('');
    const at = random.below(text.length);
    const pattern = new Wildcards(tokens);
    for (const each of [
      text,
      text.slice(0, at) + text.slice(at + 1),
      `${text.slice(0, at)}/${text.slice(at)}`,
      anyPath(),
    ]) {
      const expected = matchesTokens(tokens, each);
      expect(pattern.matches(each), `${JSON.stringify(tokens)} on ${each}`).toBe(expected);
      seen[expected ? 'matched' : 'unmatched'] += 1;
    }
  }
  expect(Math.min(seen.matched, seen.unmatched)).toBeGreaterThan(200);
});
