import { expect, it } from 'vitest';
import { foundEffects } from '../../../support/proof/found-effects.ts';
import type { ChangedFile } from '../../../support/proof/found-effects.ts';

const LINK = 'export function link(name) {\n  return "/a/" + encodeURIComponent(name);\n}\n';
const BUSY = `import { get } from './get.js';
export function load(names) {
  const found = [];
  for (const name of names) {
    console.log(name);
    found.push(get(encodeURIComponent(name), { retries: 3, strict: true }));
  }
  return found;
}
`;
const BUSY_PYTHON = `import html


def load(names):
    total = 0
    for name in names:
        print(name)
        total += get(html.escape(name), retries=3, strict=True)
    return total
`;
const TAKEN_OUT = `import { get } from './get.js';
export const one = (each) => {
  console.log(each);
  return get(encodeURIComponent(each), { strict: true, retries: 3 });
};
`;
const MAPPED = 'export const load = (names) => names.map(one);\n';
const AGE = 'function checkAge(a) {\n  if (a < 0) throw new RangeError();\n}\n';
const USE = 'export function age(a) {\n  checkAge(a);\n  return a;\n}\n';

it.each<[string, readonly ChangedFile[], readonly string[]]>([
  [
    'calls that are waited for together, or by the caller',
    [
      [
        'a.js',
        'export async function a(b, c) {\n  await b.save();\n  await c.load();\n}\n',
        'export async function a(b, c) {\n  const saved = b.save();\n  await saved;\n  return c.load();\n}\n',
      ],
    ],
    [],
  ],
  [
    'a lock and a decorator that are elsewhere in the change',
    [
      [
        'a.py',
        '@login_required\ndef a(b):\n    with _lock:\n        c[b] = 1\n',
        'def put(b):\n    with _lock:\n        c[b] = 1\n\n\na = login_required(put)\n',
      ],
    ],
    [],
  ],
  [
    'arguments that have names now',
    [
      [
        'a.js',
        'export const a = (b) => show(b, true, 8);\nexport const c = (b) => show(b, false, 6);\n',
        'export const a = (b) => show(b, { upper: true, width: 8 });\nexport const c = (b) => show(b, { upper: false, width: 6 });\n',
      ],
    ],
    [],
  ],
  [
    'a bound of a loop that is a length',
    [
      [
        'a.js',
        'export function a() {\n  const b = [];\n  for (let c = 0; c < 3; c += 1) b.push(c * 2);\n  return b;\n}\n',
        'export function a() {\n  return Array.from({ length: 3 }, (_, c) => c * 2);\n}\n',
      ],
    ],
    [],
  ],
  ['a function that is taken out, and a loop that is a map', [['a.js', BUSY, TAKEN_OUT + MAPPED]], []],
  [
    'a move into a new file',
    [
      ['a.js', BUSY, `import { one } from './one.js';\n${MAPPED}`],
      ['one.js', null, TAKEN_OUT],
    ],
    [],
  ],
  [
    'a move from another file',
    [
      ['a.js', BUSY, "export { load } from './b.js';\n"],
      ['b.js', 'export {};\n', `export {};\n${BUSY}`],
    ],
    [],
  ],
  ['a file with another name', [['b.ts', null, BUSY]], [BUSY]],
  [
    'a module that is split',
    [
      [
        'a.py',
        null,
        'import html\n\n\ndef one(each):\n    print(each)\n    return get(html.escape(each), retries=3, strict=True)\n',
      ],
      ['b.py', null, 'from a import one\n\n\ndef load(names):\n    return sum(one(name) for name in names)\n'],
    ],
    [BUSY_PYTHON],
  ],
  ['variables with other names', [['a.js', BUSY, BUSY.replaceAll('name', 'word').replaceAll('found', 'list')]], []],
  [
    'variables with other names in Python',
    [['a.py', BUSY_PYTHON, BUSY_PYTHON.replaceAll('name', 'word').replaceAll('total', 'sum_')]],
    [],
  ],
  [
    'a value that gets a name',
    [
      [
        'a.js',
        BUSY,
        `const RETRIES = 3;\nconst strict = true;\n${BUSY.replace('retries: 3, strict: true', 'retries: RETRIES, strict')}`,
      ],
    ],
    [],
  ],
  [
    'a name that moves to a file of names',
    [
      [
        'a.js',
        `const RETRIES = 3;\n${BUSY.replace('retries: 3', 'retries: RETRIES')}`,
        `import { RETRIES } from './n.js';\n${BUSY.replace('retries: 3', 'retries: RETRIES')}`,
      ],
      ['n.js', null, 'export const RETRIES = 3;\n'],
    ],
    [],
  ],
  [
    'a variable that changes',
    [
      [
        'a.js',
        'export const a = (b) => b.length;\n',
        'export const a = (b) => {\n  let n = 0;\n  for (const _ of b) n += 1;\n  return f({ size: n });\n};\n',
      ],
    ],
    [],
  ],
  [
    'counters in an object',
    [
      [
        'a.js',
        'export const a = (b) => {\n  let sum = 0;\n  let count = 0;\n};\n',
        'export const a = (b) => b.reduce(add, { sum: 0, count: 0 });\n',
      ],
    ],
    [],
  ],
  [
    'a variable that becomes a field',
    [['a.py', 'n = 0\n', 'class A:\n    def __init__(self):\n        self.count = 0\n']],
    [],
  ],
  [
    'branches that become a table',
    [
      [
        'a.js',
        "export const a = (b) => {\n  if (b === 'pear') return true;\n  if (b === 'fig') return true;\n  return false;\n};\n",
        'const GOOD = { pear: true, fig: true };\nexport const a = (b) => Object.hasOwn(GOOD, b);\n',
      ],
    ],
    [],
  ],
  ['an entry whose key is a variable', [['a.py', 'a = dict()\n', 'a = {b: 0}\na[b] = 0\n']], []],
  [
    'a call that becomes an argument',
    [['a.js', LINK, 'export const link = (names) => names.map(encodeURIComponent);\n']],
    [],
  ],
  [
    'another name of an import',
    [['a.py', 'from html import escape\na = escape(b)\n', 'from html import escape as e\na = e(b)\n']],
    [],
  ],
  ['a check with another name', [['a.js', AGE + USE, (AGE + USE).replaceAll('checkAge', 'refuseNegative')]], []],
  [
    'a check in the place of its call',
    [['a.js', AGE + USE, USE.replace('checkAge(a);', 'if (a < 0) throw new RangeError();')]],
    [],
  ],
  ['one of two equal calls', [['a.js', 'a(escape(b), escape(b));\n', 'const c = escape(b);\na(c, c);\n']], []],
  ['a block and a clock', [['a.js', 'block();\nclock();\n', 'c();\n']], []],
  [
    'a print of its own',
    [
      [
        'a.js',
        'const print = (a) => a.b;\nexport const c = (a) => print(a);\n',
        'const print = (a) => a.b;\nexport const c = (a) => print(a) + print(a.d);\n',
      ],
    ],
    [],
  ],
])('%s is none', async (_, files, deleted) => {
  expect(await foundEffects(files, { deleted })).toEqual([]);
});

it('tests may have all of it', async () => {
  const after = 'console.log(load("a", { verify: false }));\n';
  expect(await foundEffects([['test/a.test.js', 'escape(a);\n', after]], { role: 'test' })).toEqual([]);
});
