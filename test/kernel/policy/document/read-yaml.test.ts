import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { parseDocument, stringify } from 'yaml';
import { readYaml } from '../../../../src/kernel/policy/document/read-yaml.ts';
import { SeededRandom } from '../seeded-random.ts';

const SOAK = process.env['FLUFFY_SOAK'] === '1';
const SEED = Number(process.env['FLUFFY_SEED'] ?? 12);
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

const READABLE: readonly string[] = [
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

/** What another library makes of it; undefined where it finds anything wrong. */
function otherwise(text: string): unknown {
  const document = parseDocument(text, { schema: 'core', version: '1.2', merge: false, prettyErrors: false });
  if (document.errors.length > 0 || document.warnings.length > 0) return undefined;
  try {
    return document.toJS({ maxAliasCount: -1 }) as unknown;
  } catch {
    return undefined;
  }
}

/** Without the difference between objects that have a prototype and those that don't. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return new Map(Object.entries(value).map(([key, each]) => [key, plain(each)]));
}

test.each(READABLE)('(%#) is read as another library reads it', (text) => {
  const read = readYaml(text, 'f');
  if (read.kind !== 'ok') throw new Error(JSON.stringify(read));
  expect(plain(read.tree.value)).toEqual(plain(otherwise(text)));
});

test.each([
  ['a tag', 'a: !!str 1\n', '1:4: the tag "!!str" is not allowed'],
  ['every tag and every second key', 'a: !x 1\na: !y 2\n', '1:4|2:1|2:4'],
  ['a key that is a list', '[a]: 1\n', '1:1: a key must be text'],
  ['a key that is nothing', 'a:\n  : 1\n', '2:3: a key must be text'],
  ['a number as a key', 'a: 1\n2: 3\n', '2:1: a key must be text'],
  ['an anchor of another document', 'a: *b\n', '1:4: unknown anchor "b"'],
  ['an anchor inside itself', 'a: &a [*a]\n', '1:8: the anchor "a" contains itself'],
  ['a control character', 'a: "\u0007"\n', '1:'],
  ['a second document', 'a: 1\n---\n', '2:1: multiple documents'],
  ['a second document after an opened one', '# c\n---\na: 1\n---\n', '4:1: multiple documents'],
  ['a second document of other lines', '---\r\na: 1\r\n---\r\nb: 1', '3:1: multiple documents'],
  [
    'a pattern after which YAML sees a map',
    'a: *.{ts,js}\n',
    '1:6: bad indentation of a mapping entry; "*" begins an alias in YAML, so write text that begins with it in quotes: "*.{ts,js}"',
  ],
  ['what follows the end of the document', 'a: 1\n...\nb: 1\n', '2:1: multiple documents'],
])('refuses %s', (_, text, says) => {
  const read = readYaml(text, 'f');
  const errors = read.kind === 'invalid' ? read.errors : [];
  const told = errors.map(({ line, column, message }) => `${line}:${column}: ${message}`).sort();
  const parts = says.split('|');
  expect(told).toEqual(parts.map((part) => expect.stringContaining(part) as string));
});

test.each(['', '\n', '# a comment\n', '---\n', '--- # c\n...\n'])('%j is empty', (text) => {
  expect(readYaml(text, 'f')).toEqual({ kind: 'empty' });
});

test('nesting and values are bounded, aliases counted as what they stand for', () => {
  const nested = (levels: number) => `a: ${'['.repeat(levels)}x${']'.repeat(levels)}\n`;
  expect(readYaml(nested(31), 'f').kind).toBe('ok');
  expect(readYaml(nested(32), 'f').kind).toBe('invalid');
  expect(readYaml(nested(50_000), 'f').kind).toBe('invalid');
  const chain = (length: number) =>
    ['k0: &k0 x', ...Array.from({ length }, (_, n) => `k${n + 1}: &k${n + 1} [*k${n}]`)].join('\n');
  expect(readYaml(chain(31), 'f').kind).toBe('ok');
  expect(readYaml(chain(32), 'f').kind).toBe('invalid');
  const bomb = Array.from({ length: 9 }, (_, n) => `k${n + 1}: &k${n + 1} [${`*k${n}, `.repeat(9)}x]`);
  expect(readYaml(['k0: &k0 x', ...bomb].join('\n'), 'f')).toMatchObject({
    errors: [{ message: expect.stringContaining('values') as string }],
  });
});

test('text is bounded, aliases counted as what they stand for', () => {
  const text = (aliases: number) => `a: &a "${'x'.repeat(1_000_000)}"\nb: [${Array(aliases).fill('*a').join(', ')}]\n`;
  expect(readYaml(text(7), 'f').kind).toBe('ok');
  expect(readYaml(text(8), 'f')).toMatchObject({
    errors: [{ line: 2, column: 33, message: expect.stringContaining('characters') as string }],
  });
});

test('places are those of keys, of values, and of the nearest parent that is there', () => {
  const read = readYaml('a: 1\nb:\n  - c: &x ["d"]\n  - e: *x\nf:\n', 'f');
  if (read.kind !== 'ok') throw new Error('not read');
  const places = (
    [
      [],
      ['a'],
      ['b'],
      ['b', 0, 'c'],
      ['b', 0, 'c', 0],
      ['b', 1, 'e'],
      ['b', 1, 'e', 0],
      ['b', 7],
      ['f'],
      ['g'],
    ] as const
  ).map((path) => {
    const [value, key] = [read.tree.locate(path), read.tree.locate(path, true)];
    return `${path.join('.')} ${value.line}:${value.column} ${key.line}:${key.column}`;
  });
  expect(places).toEqual([
    ' 1:1 1:1',
    'a 1:4 1:1',
    'b 3:3 2:1',
    'b.0.c 3:11 3:5',
    'b.0.c.0 3:12 3:12',
    'b.1.e 4:8 4:5',
    'b.1.e.0 3:12 3:12',
    'b.7 3:3 3:3',
    'f 5:1 5:1',
    'g 1:1 1:1',
  ]);
});

const WORDS: readonly [string, ...string[]] = [
  'a',
  'fs.read',
  '**',
  '*.ts',
  '#x',
  '- y',
  ' z ',
  '12',
  '1e3',
  '0x1f',
  '~',
  'null',
  'True',
  '',
  "it's",
  '"q"',
  'é',
  'x\ny',
  ': ',
  '{a}',
  '!t',
  '&n',
];
const STYLES = [
  {},
  { defaultStringType: 'QUOTE_SINGLE' },
  { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'QUOTE_DOUBLE' },
  { collectionStyle: 'flow' },
  { indentSeq: false, indent: 4 },
] as const;

function anyValue(random: SeededRandom, depth: number): unknown {
  if (depth > 0 && random.chance(0.3)) return random.list(0, 4, () => anyValue(random, depth - 1));
  if (depth > 0 && random.chance(0.5)) {
    return Object.fromEntries(random.list(0, 4, () => [random.pick(WORDS), anyValue(random, depth - 1)]));
  }
  return random.chance(0.7) ? random.pick(WORDS) : random.pick([0, 1, -7, 1.5, true, false, null]);
}

test(`what another library writes, in any style, is read as it was (seed ${SEED})`, { timeout: 3_600_000 }, () => {
  const random = new SeededRandom(SEED);
  for (let round = 0; round < (SOAK ? 300_000 : 3_000); round += 1) {
    const value = { top: anyValue(random, 4) };
    const text = stringify(value, { ...random.pick(STYLES), lineWidth: random.chance(0.5) ? 20 : 0 });
    const read = readYaml(text, 'f');
    if (read.kind === 'ok' && isDeepStrictEqual(plain(read.tree.value), plain(value))) continue;
    expect({ text, read }).toEqual({ text, read: value });
  }
});
