import { describe, expect, test } from 'vitest';
import { decide, loadPolicy } from '../../src/kernel/policy/index.ts';
import type { LoadedPolicy } from '../../src/kernel/policy/index.ts';

/** What an unsigned policy that comes with a clone may cost whoever loads it, and each decision under it. */

const many = <T>(length: number, make: (index: number) => T): T[] => Array.from({ length }, (_, index) => make(index));

const load = (document: object): LoadedPolicy => loadPolicy(JSON.stringify(document), 'p');

/** Of the processor, and of three runs, so that other work on the machine does not count as ours. */
function fastestMs(operation: () => void, runs = 3): number {
  const times = many(runs, () => {
    const before = process.cpuUsage();
    operation();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

/** Minutes, before what is compared was bounded; each takes a second or less now. */
describe('no policy takes long to load', () => {
  const tags = (name: string, length: number) => many(length, (index) => `${name}-${index}`);
  const rule = (name: string, match: object, more: object = {}) => ({ name, match, action: 'deny', ...more });
  const long = many(500, (index) => `"/${index}${'a'.repeat(1_000)}"`).join(', ');
  const shared = many(900, (index) => `  - { name: r${index}, match: { path_glob: *x }, action: deny }`).join('\n');

  test.each<[string, string | object]>([
    [
      'hundreds of rules with hundreds of tags each',
      {
        capabilities: many(300, (index) => [
          rule(`d${index}`, { caller_tag: [...tags('t', 800), `d${index}`] }),
          rule(`a${index}`, { caller_tag: [...tags('t', 800), `a${index}`] }, { action: 'allow' }),
        ]).flat(),
      },
    ],
    [
      'thousands of exceptions for thousands of tags',
      {
        capabilities: [
          rule(
            'd',
            { caller_tag: [...many(40_000, () => 't'), 'last'] },
            { except: many(4_000, () => ({ caller_tag: 't' })) },
          ),
        ],
      },
    ],
    [
      'an example of 400,000 characters',
      { capabilities: [rule('d', { path_glob: '*a*b' }, { examples: { match: ['a/'.repeat(200_000)] } })] },
    ],
    [
      'thousands of examples for thousands of patterns',
      {
        capabilities: [
          rule('d', { path_glob: tags('p', 9_000) }, { examples: { no_match: many(900, () => 'a/'.repeat(2_000)) } }),
        ],
      },
    ],
    [
      'thousands of patterns for thousands of syscalls',
      { capabilities: [rule('d', { syscall: tags('s', 4_000), path_glob: tags('p', 5_000) })] },
    ],
    [
      'thousands of unknown syscalls',
      { capabilities: many(40, (index) => rule(`d${index}`, { syscall: tags(`fs.write${index}`, 5_000) })) },
    ],
    [
      'thousands of rules for any syscall beside thousands of syscalls',
      {
        capabilities: [
          rule('s', { syscall: tags('s', 4_000) }),
          ...many(9_000, (index) => rule(`r${index}`, { path_glob: `/p${index}` })),
        ],
      },
    ],
    [
      'patterns that nearly hold braces',
      { capabilities: [rule('d', { path_glob: many(2_000, (index) => `/${index}{${','.repeat(1_000)}`) })] },
    ],
    [
      'patterns that nearly are extended',
      { capabilities: [rule('d', { path_glob: many(2_000, (index) => `/${index}${'*('.repeat(500)}`) })] },
    ],
    ['a pattern of combining characters', { capabilities: [rule('d', { path_glob: '\u0315\u0316'.repeat(100_000) })] }],
    [
      'a list of long patterns that many rules share',
      `review: { sensitive_globs: &x [${long}] }\ncapabilities:\n${shared}`,
    ],
  ])('%s', (_, document) => {
    const text = typeof document === 'string' ? document : JSON.stringify(document);
    expect(fastestMs(() => loadPolicy(text, 'p'), 1)).toBeLessThan(20_000);
  });
});

/** Patterns that are worst together, and what is refused of them. */
const FAMILIES: readonly [string, (index: number) => string][] = [
  ['several stars', (index) => `*aaaa?b*${index}`],
  ['long names with a star and a question mark', (index) => `*${'a'.repeat(980)}?b*${index}`],
  ['sets', (index) => `*[ab][ab][ab]c*${index}`],
  ['a beginning and an end', (index) => `a*${index}`],
  ['many names', (index) => `**/${binary(index)}${'a/'.repeat(20)}b`],
  ['any names', (index) => `**/${binary(index)}${'*/'.repeat(20)}b`],
  ['many depths', (index) => `${binary(index)}**/b`],
  ['depths within depths', (index) => `${binary(index)}${'**/a/'.repeat(20)}b`],
  ['wild names at the root', (index) => `${binary(index)}*a*b`],
];

/** Different beginnings that all match `a/a/a/…`. */
function binary(index: number): string {
  return index.toString(2).padStart(14, '0').replaceAll('0', '*/').replaceAll('1', 'a/');
}

const PATHS = [
  'a/'.repeat(2_047) + 'a',
  many(16, () => 'a'.repeat(255)).join('/'),
  'a/'.repeat(14) + 'a'.repeat(4_000),
  'ab/'.repeat(1_365),
  `${'a/'.repeat(14)}x${'.'.repeat(4_000)}`,
];

const asRules = (globs: readonly string[]) => ({
  capabilities: globs.map((glob, index) => ({ name: `r${index}`, match: { path_glob: glob }, action: 'deny' })),
});
const asExceptions = (globs: readonly string[]) => ({
  capabilities: [
    { name: 'r', match: { path_glob: '**' }, except: globs.map((glob) => ({ path_glob: glob })), action: 'deny' },
  ],
});

describe.each([
  ['rules', asRules],
  ['exceptions', asExceptions],
] as const)('patterns in %s that are worst together are refused', (_, documentOf) => {
  test.each(FAMILIES)('with %s', (_name, make) => {
    const loaded = load(documentOf(many(5_000, make)));
    if (loaded.kind === 'ok') throw new Error('it loads');
    expect(loaded.errors).toEqual([expect.objectContaining({ message: expect.stringContaining('hold up') as string })]);
    expect(loaded.errors[0]?.column).toBeGreaterThan(100);
  });

  test.each(FAMILIES)('or cost no decision much: %s', (_name, make) => {
    let globs = many(1_000, make);
    let loaded = load(documentOf(globs));
    for (; loaded.kind === 'invalid'; loaded = load(documentOf(globs))) globs = globs.slice(0, globs.length * 0.8);
    const { policy } = loaded;
    for (const path of PATHS) {
      const request = { syscall: 'fs.write', path, state: 'idle', mode: 'strict', tags: [] } as const;
      const ms = fastestMs(() => decide(policy, request, { nowMonotonicMs: 0 }));

      expect(ms).toBeLessThan(500);
    }
  });
});

/** What meets every name of a path and weighs nothing, since it is looked up. */
test.each([
  [
    'names, endings and directories',
    10_000,
    (index: number) => [`n${index}`, `*.e${index}`, `packages/p${index}/**/*.ts`],
  ],
  ['endings behind names', 16_000, (index: number) => [`${binary(index)}*.e${index}`]],
  ['rules for one directory', 40_000, () => ['a/']],
] as const)('as many %s as there may be cost no decision much', (_, length, globsOf) => {
  const capabilities = many(length, (index) => {
    return { name: `r${index}`, match: { syscall: 'fs.write', path_glob: globsOf(index) }, action: 'deny' };
  });
  const loaded = load({ capabilities });
  if (loaded.kind === 'invalid') throw new Error(loaded.errors[0]?.message);
  for (const path of PATHS) {
    const request = { syscall: 'fs.write', path, state: 'idle', mode: 'strict', tags: [] } as const;
    expect(fastestMs(() => decide(loaded.policy, request, { nowMonotonicMs: 0 }))).toBeLessThan(250);
  }
});
