import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { readPlainYaml } from '../../../../src/kernel/policy/document/plain-yaml.ts';
import { readWithLibrary, readYaml } from '../../../../src/kernel/policy/document/read-yaml.ts';
import { SeededRandom } from '../seeded-random.ts';

const SOAK = process.env['FLUFFY_SOAK'] === '1';
const SEED = Number(process.env['FLUFFY_SEED'] ?? 12);
const LIMITS = { maxValues: 500_000, maxDepth: 32 };
const SHIPPED = readFileSync(new URL('../../../../policy.yaml', import.meta.url), 'utf8');

const RULES = {
  capabilities: [
    { name: 'a', match: { syscall: ['fs.read', 'fs.write'], path_glob: ['src/**', '*.test.ts'] }, action: 'allow' },
    {
      name: 'b c',
      match: { host: 'example.org:443' },
      except: [{ caller_tag: [] }, {}],
      action: 'deny',
      reason: "it's",
    },
    { name: 'n', match: { session_mode: 'strict' }, action: 'allow', constraints: { max_file_size: '10KiB' } },
  ],
  review: { max_diff_lines: 0, sensitive_globs: ['#x', '- y', ' z', 'null', '12', '~', ''] },
  tech_debt: { coverage: { min_delta: -12, warning_threshold: null, enabled: true } },
};

/** All of these are read without the library. */
const PLAIN: readonly string[] = [
  SHIPPED,
  JSON.stringify(RULES),
  JSON.stringify(RULES, null, 2),
  stringify(RULES),
  stringify(RULES, { defaultStringType: 'QUOTE_SINGLE' }),
  `# a comment
capabilities: # another

  - name: one
    match: { syscall: fs.read, "path_glob":["a", 'b''c', d e , f:g] } # and one more
  # at the dash
  -   name: "two\\n"
      match:
        path_glob:
        - a#b
        - -1
  - [ [], {} ]
"quoted": text, with commas: no
`.replace(': no', ''),
  'x: &a [1, 2]\ny:\n  - *a\n  - { z: *a }\nz: &b\n  k: v\nw: *b\n',
];

test.each(PLAIN)('(%#) is read without the library, as the library reads it', (text) => {
  const value = readPlainYaml(text, LIMITS);
  expect(value).toBeDefined();
  expect(readWithLibrary(text, 'f')).toMatchObject({ kind: 'ok', tree: { value } });
});

describe('is left to the library', () => {
  test.each([
    ...[
      '',
      '# only\n',
      'a',
      '- a\n- b: 1\n  b: 2\n',
      'a:\n',
      'a: 1\n  b\n',
      'a: b: c\n',
      'a: [b\n',
      'a: "b',
      'a: b]: c\n',
    ],
    ...[
      'a: *b\n',
      '&a b: c\n',
      '{ }# a\n',
      'a: &x *x\n',
      'b: &x 1\na: &y *x\n',
      'a: &x [*x]\n',
      'a: !!str 1\n',
      'a: |\n  b\n',
      '? a\n',
      'a: [b: c]\n',
      'a: [b, ]\n',
    ],
    ...[
      'a: 0x10\n',
      'a: 0o7\n',
      'a: 1e3\n',
      'a: 1.0\n',
      'a: .inf\n',
      'a: +1\n',
      'a: 007\n',
      'a: -0\n',
      'a: 9999999999999999\n',
    ],
    ...[
      '1: a\n',
      'true: a\n',
      '"a":b\n',
      'a: "b" c\n',
      'a: "\\x41"\n',
      'a: "\\u0041"\n',
      '---\na: 1\n',
      'a: 1\n...\n',
      '%YAML 1.1\n',
    ],
    ...[
      'a:\tb\n',
      'a: é\n',
      '\uFEFFa: 1\n',
      'a: 1\r\n',
      'a: b\u0085c\n',
      'a: 1\n---\nb: 1\n',
      ' a: 1\nb: 1\n',
      'a: &x 1\nb: &x 2\n',
    ],
    `${'a'.repeat(300)}: 1\n`,
  ])('%j', (text) => {
    expect(readPlainYaml(text, LIMITS)).toBeUndefined();
  });

  test('what is beyond the limits, aliases counted as what they stand for', () => {
    const nested = 'a: [[[[x]]]]\n';
    expect(readPlainYaml(nested, { maxValues: 6, maxDepth: 5 })).toBeDefined();
    expect(readPlainYaml(nested, { maxValues: 5, maxDepth: 5 })).toBeUndefined();
    expect(readPlainYaml(nested, { maxValues: 6, maxDepth: 4 })).toBeUndefined();
    const bomb = Array.from(
      { length: 9 },
      (_, level) => `k${level + 1}: &k${level + 1} [${`*k${level}, `.repeat(9)}x]`,
    );
    expect(readPlainYaml(['k0: &k0 x', ...bomb].join('\n'), LIMITS)).toBeUndefined();
    expect(readYaml(['k0: &k0 x', ...bomb].join('\n'), 'f')).toMatchObject({ kind: 'invalid' });
    const deep = Array.from({ length: 9 }, (_, level) => `k${level + 1}: &k${level + 1} [*k${level}]`);
    expect(readPlainYaml(['k0: &k0 x', ...deep].join('\n'), { maxValues: 999, maxDepth: 9 })).toBeUndefined();
  });
});

test('nesting is bounded, however it is read', () => {
  const nested = (levels: number, scalar: string) => `a: ${'['.repeat(levels)}${scalar}${']'.repeat(levels)}\n`;
  for (const scalar of ['x', '!!str x']) {
    expect([scalar, readYaml(nested(31, scalar), 'f').kind]).toEqual([scalar, 'ok']);
    expect([scalar, readYaml(nested(32, scalar), 'f').kind]).toEqual([scalar, 'invalid']);
  }
});

test('places come from the library, whoever read the text', () => {
  const text = 'a: 1\nb:\n  - c: &x [d]\n  - e: *x\n';
  const read = readYaml(text, 'f');
  const library = readWithLibrary(text, 'f');
  if (read.kind !== 'ok' || library.kind !== 'ok') throw new Error('not read');
  for (const path of [[], ['a'], ['b', 0, 'c', 0], ['b', 1, 'e', 0], ['b', 7]]) {
    expect([path, read.tree.locate(path)]).toEqual([path, library.tree.locate(path)]);
    expect([path, read.tree.locate(path, true)]).toEqual([path, library.tree.locate(path, true)]);
  }
});

const PIECES = [
  ...[
    '\n',
    '\n',
    '\n',
    '\n  ',
    '\n    ',
    '\n- ',
    '\n  - ',
    ' ',
    '  ',
    ': ',
    ':',
    '- ',
    ', ',
    ',',
    '[',
    ']',
    '{',
    '}',
    '{ ',
    ' }',
  ],
  ...[
    'a',
    'b: ',
    'c: ',
    '"q"',
    '"q": ',
    "'s'",
    "''",
    '"\\n"',
    '\\',
    '#',
    ' #c',
    '# d',
    '&n ',
    '*n',
    ' &m',
    '*m',
    '!t ',
    '|',
    '>',
  ],
  ...[
    '0',
    '1',
    '-1',
    '-',
    '0x1',
    '1.5',
    '.5',
    '.inf',
    '.nan',
    '1e3',
    '007',
    '+1',
    'null',
    '~',
    'true',
    'False',
    'NULL',
    '10KiB',
  ],
  ...[
    '?',
    '? ',
    '@',
    '`',
    '%',
    '<<',
    '=',
    '*',
    '**',
    '/',
    './a',
    '(x)',
    '"',
    "'",
    '---',
    '...',
    '. ',
    'fs.read',
    'e',
    '0o7',
    '_',
  ],
] as const;

const MODELS: readonly [string, ...string[]] = [
  'a:\n  b: 1\n  c:\n  - x\n  - y: z\n    w: v\n',
  stringify({ a: [{ b: 'c', d: ['e', { f: 1 }] }, { g: {} }], h: 'i j', k: { l: ['*', '#'] } }),
  JSON.stringify({ a: [1, 'x', null, { b: [] }], c: true }),
  ...PLAIN.slice(5),
];

test(`whatever is read without the library, the library reads the same (seed ${SEED})`, { timeout: 3_600_000 }, () => {
  const random = new SeededRandom(SEED);
  let read = 0;
  for (let round = 0; round < (SOAK ? 1_000_000 : 20_000); round += 1) {
    const text = random.chance(0.3) ? random.list(1, 14, () => random.pick(PIECES)).join('') : mutated(random);
    const value = readPlainYaml(text, LIMITS);
    if (value === undefined) continue;
    read += 1;
    const expected = readWithLibrary(text, 'f');
    if (expected.kind === 'ok' && isDeepStrictEqual(value, expected.tree.value)) continue;
    expect({ text, value }).toEqual({ text, value: expected });
  }
  expect(read).toBeGreaterThan(2_000);
});

function mutated(random: SeededRandom): string {
  let text: string = random.chance(0.5) ? random.pick(MODELS) : lines(random);
  for (let changes = random.below(4); changes > 0; changes -= 1) {
    const at = random.below(text.length + 1);
    const removed = random.below(3) * random.below(3);
    text = text.slice(0, at) + (random.chance(0.6) ? random.pick(PIECES) : '') + text.slice(at + removed);
  }
  return text;
}

/** Lines whose indentation goes up and down a little. */
function lines(random: SeededRandom): string {
  let indent = 0;
  return random
    .list(1, 7, () => {
      const line =
        ' '.repeat(indent) +
        random.pick(['- ', '', '', '- - ']) +
        random.pick(['a:', 'b: 1', 'c: [x, y]', 'd: e f', '"g": &n', 'h: *n', 'i', '"j"', '{ k: l }', '# m', '']);
      indent = Math.max(0, indent + random.pick([0, 0, 2, 2, -2, 4, -4, 1]));
      return line;
    })
    .join('\n');
}
