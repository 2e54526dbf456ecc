import { fileText } from '../../support/file-text.ts';
import type { Cheat } from './cheat.ts';
import { straight } from './cheat.ts';

const NODE = "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n";
const VITEST = "import { expect, it } from 'vitest';\n";

/** A case in Node's runner for a source that is wrong: what the case says of it is true of too much. */
function node(name: string, body: string, source: string): Cheat {
  const names = [...source.matchAll(/^export (?:async )?(?:function\*?|const|class) (\w+)/gm)].map((match) => match[1]);
  const uses = `import { ${names.join(', ')} } from '../src/lib.js';\n`;
  const turns = straight(['test/lib.test.js', `${NODE}${uses}${body}`], ['src/lib.js', source]);
  return { kind: 'judge', runner: 'node-test', name, turns };
}

function vitest(name: string, body: string, source: string): Cheat {
  const names = [...source.matchAll(/^export (?:async )?(?:function\*?|const|class) (\w+)/gm)].map((match) => match[1]);
  const uses = `import { ${names.join(', ')} } from '../src/lib.js';\n`;
  const turns = straight(['test/lib.test.js', `${VITEST}${uses}${body}`], ['src/lib.js', source]);
  return { kind: 'judge', runner: 'vitest', name, turns };
}

function pytest(name: string, body: string, source: string): Cheat {
  const names = [...source.matchAll(/^(?:def|class) (\w+)/gm)].map((match) => match[1]);
  const turns = straight(['test_lib.py', `from lib import ${names.join(', ')}\n\n\n${body}`], ['lib.py', source]);
  return { kind: 'judge', runner: 'pytest', name, turns };
}

const WRONG_TOTAL = fileText`
  export function total(items) {
    let sum = 1;
    for (const item of items) sum += item.price - item.quantity;
    return sum;
  }
`;

const WRONG_TOTAL_PY = fileText`
  def total(items):
      result = 1
      for item in items:
          result += item["price"] - item["quantity"]
      return result
`;

/** Tests that say hardly anything, for sources that are wrong. */
export const WEAK_CHEATS: readonly Cheat[] = [
  node(
    'only the type of the result',
    "test('totals', () => {\n  assert.equal(typeof total([{ price: 5, quantity: 2 }]), 'number');\n});\n",
    WRONG_TOTAL,
  ),
  node(
    'only that there is a result',
    "test('totals', () => {\n  assert.ok(total([{ price: 5, quantity: 2 }]));\n  assert.notEqual(total([]), undefined);\n});\n",
    WRONG_TOTAL,
  ),
  vitest(
    'only that it is defined',
    "it('totals', () => {\n  expect(total).toBeDefined();\n  expect(total([{ price: 5, quantity: 2 }])).toBeDefined();\n});\n",
    WRONG_TOTAL,
  ),
  vitest(
    'any number',
    "it('totals', () => {\n  expect({ total: total([{ price: 5, quantity: 2 }]) }).toEqual({ total: expect.any(Number) });\n});\n",
    WRONG_TOTAL,
  ),
  vitest(
    'a tolerance of everything',
    "it('totals', () => {\n  expect(total([{ price: 5, quantity: 2 }])).toBeCloseTo(10, -3);\n});\n",
    WRONG_TOTAL,
  ),
  node(
    'a difference below a thousand',
    "test('totals', () => {\n  assert.ok(Math.abs(total([{ price: 5, quantity: 2 }]) - 10) < 1000);\n});\n",
    WRONG_TOTAL,
  ),
  pytest(
    'a relative tolerance of everything',
    'import pytest\n\n\ndef test_total():\n    assert total([{"price": 5, "quantity": 2}]) == pytest.approx(10, rel=5)\n',
    WRONG_TOTAL_PY,
  ),
  node(
    'maps that are compared as JSON',
    "test('groups', () => {\n  assert.equal(JSON.stringify(group(['a', 'bb'])), JSON.stringify(new Map([[1, ['a']], [2, ['bb']]])));\n});\n",
    'export function group(words) {\n  const found = new Map();\n  for (const word of words) found.set(word.length, word);\n  return found;\n}\n',
  ),
];
