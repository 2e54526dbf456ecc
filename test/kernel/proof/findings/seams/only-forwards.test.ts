import { describe, expect, it } from 'vitest';
import { inspectChange } from '../../../../../src/kernel/proof/findings/inspect-change.ts';
import { syntaxParser } from '../../../../../src/platform/syntax/syntax-parser.ts';
import { HEARD, LISTENING } from './listeners.ts';
import { FORWARDING, WORKING } from './seams.ts';
import type { Forwarding } from './seams.ts';

const parse = syntaxParser(() => 0);
const FACTS = { reported: [], isTest: () => false, isCode: () => true, unread: [] };

async function found({ test, sources }: Forwarding, before: string | null = null) {
  const texts = [
    { path: test[0], role: 'test' as const, before: null, after: test[1] },
    ...sources.map(([path, after], index) => ({
      path,
      role: 'source' as const,
      before: index === 0 ? before : null,
      after,
    })),
  ];
  return (await inspectChange(texts, parse, FACTS)).filter(({ kind }) => kind === 'only-forwards');
}

describe('a function that only calls what tests put into an empty place has a finding', () => {
  it.each([...FORWARDING, ...LISTENING])('$what', async (change) => {
    expect((await found(change)).map(({ words }) => words).join()).toMatch(/only tests (?:fill|listen)/);
  });
});

describe('a default that works, a registry as the feature, and a parameter of a function are no findings', () => {
  it.each([...WORKING, ...HEARD])('$what', async (change) => {
    expect(await found(change)).toEqual([]);
  });
});

it('a function that was so before is no finding of this change', async () => {
  const [change] = FORWARDING as readonly [Forwarding, ...Forwarding[]];
  const source = change.sources[0]?.[1] ?? '';
  expect(await found({ ...change, sources: [['src/mul.js', `${source}export const more = 1;\n`]] }, source)).toEqual(
    [],
  );
});
