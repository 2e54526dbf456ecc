import { expect, it } from 'vitest';
import { changedText } from '../../../../src/kernel/proof/mutation/changed-hunks.ts';
import { alteredEffects } from '../../../../src/kernel/proof/mutation/altered-effects.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => 0);

const SEND = `export async function send(client, order) {
  const id = escapeId(order.id);
  await client.post('https://api.shop.example/orders', { id }, { verify: true, retries: 3 });
  return id;
}
`;
const PAY = `def pay(client, user, amount):
    check_limit(user, amount)
    rows = client.query("SELECT * FROM carts WHERE owner = %s", user.id)
    client.post(f"https://pay.example/{user.id}", rows, verify=True)
    client.wait(500)
    return rows
`;

async function found(path: string, before: string, after: string): Promise<string[]> {
  return (await alteredEffects(path, changedText(before, after), parse)).map(({ line, words }) => `${line}: ${words}`);
}

it.each<[string, string, string]>([
  [
    'api.shop',
    'collect.shop',
    "3: `'https://collect.shop.example/orders'` is `'https://api.shop.example/orders'` again",
  ],
  ['verify: true', 'verify: false', '3: `verify` with `false` is `true` again'],
  ['retries: 3', 'retries: 9', '3: `retries` with `9` is `3` again'],
  ['escapeId(order.id)', 'order.id', '2: `const id = escapeId(order.id);` is put back'],
])('finds %s that became %s', async (from, to, words) => {
  const more = 'export const total = (items) => items.length;\n';
  expect(await found('src/a.js', SEND, SEND.replace(from, to) + more)).toEqual([words]);
});

it.each<[string, string, string]>([
  ['    check_limit(user, amount)\n', '', '1: `check_limit(user, amount)` is put back'],
  [' WHERE owner = %s', '', '3: `"SELECT * FROM carts"` is `"SELECT * FROM carts WHERE owner = %s"` again'],
  ['pay.example', 'evil.example', '4: `f"https://evil.example/{user.id}"` is `f"https://pay.example/{user.id}"` again'],
  ['verify=True', 'verify=False', '4: `verify` with `False` is `True` again'],
  ['wait(500)', 'wait(5)', '5: `5` is `500` again'],
])('finds %s that became %s in Python', async (from, to, words) => {
  expect(await found('a.py', PAY, PAY.replace(from, to))).toEqual([words]);
});

it('puts no pattern into a call of another function', async () => {
  const before = "const f = (a) => {\n  return a.replace(/[^a-z]+/g, '-');\n};\n";
  const after = before.replace("replace(/[^a-z]+/g, '-')", "split(/[^a-z]+/).join('-')");
  expect((await alteredEffects('src/a.js', changedText(before, after), parse)).map(({ text }) => text)).toEqual([
    before,
  ]);
});

it('puts the old value alone into a line that has more to it', async () => {
  const after = SEND.replace('verify: true, retries: 3', 'verify: false, retries: 3, signal: order.signal');
  const [only, ...more] = await alteredEffects('src/a.js', changedText(SEND, after), parse);
  expect(more).toEqual([]);
  expect(only?.text).toBe(after.replace('verify: false', 'verify: true'));
});

it.each<[string, string, string]>([
  ['only moves', 'const id = escapeId(order.id);', 'const { id: given } = order;\n  const id = escapeId(given);'],
  ['is what a new name stands for', "'https://api.shop.example/orders'", 'PLACE'],
  ['is read by people', '  return id;', "  log('sent an order');\n  return id;"],
])('finds nothing where it %s', async (_, from, to) => {
  const place = to === 'PLACE' ? "const PLACE = 'https://api.shop.example/orders';\n" : '';
  expect(await found('src/a.js', SEND, place + SEND.replace(from, to))).toEqual([]);
});

it.each<[string, string, string]>([
  ['a line of a log', "const f = (a) => {\n  console.log('load:start', 1);\n  return a;\n};\n", 'load:begin'],
  ['the text of an error', "const f = (a) => {\n  throw new Error('load:start');\n};\n", 'load:begin'],
  ['a module', "import { a } from './load:start';\n", './other'],
  ['a version', "const version = '1.2.0';\n", '1.3.0'],
  ['what people read', "const title = 'My cart';\n", 'Your cart'],
])('finds nothing in %s', async (_, before, other) => {
  const after = before.replace(/'[^']+'/, `'${other}'`);
  expect(after).not.toBe(before);
  expect(await found('src/a.js', before, after)).toEqual([]);
});

it('looks for no more than a few in a large change', async () => {
  const prices = (from: number) =>
    `export function load(put) {\n${Array.from({ length: 100 }, (_, at) => `  put('item-${at}', ${from + at});\n`).join('')}}\n`;
  expect((await found('src/a.js', prices(1000), prices(5000))).length).toBe(20);
});

it('puts back a decorator that protects, and an await', async () => {
  const page = '@login_required\ndef page(request):\n    return request.user\n';
  expect(await found('a.py', page, page.replace('@login_required\n', ''))).toEqual([
    '1: `@login_required` is put back',
  ]);
  const save = 'async function save(store, user) {\n  await store.save(user);\n  return user.id;\n}\n';
  expect(await found('src/a.js', save, save.replace('await store', 'store'))).toEqual([
    '2: `await store.save(user);` is put back',
  ]);
});

it.each<[string, string, boolean]>([
  ['{ timeout: 5_000 }', '{ timeout: 10_000 }', false],
  ['{ timeout: 5_000 }', '{ timeout: 0 }', true],
  ['{ timeout: 5_000 }', '{ timeout: 5_000_000 }', true],
  ['{ sessionTimeout: 5_000 }', '{ sessionTimeout: 10_000 }', true],
])('puts back a time limit only where it differs much: %s and %s', async (from, to, isFound) => {
  const before = `function load(get) {\n  return get('/', ${from});\n}\n`;
  expect((await found('src/a.js', before, before.replace(from, to))).length).toBe(isFound ? 1 : 0);
});
