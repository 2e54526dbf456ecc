import { PROJECTS } from '../attacks/cheats/cheat.ts';
import { fileText } from '../support/file-text.ts';
import { testFirst } from './way.ts';
import type { RunnerWays } from './way.ts';

const ORDERS = fileText`
  import { EventEmitter } from 'node:events';

  export class Orders extends EventEmitter {
    #orders = new Map();

    place(id, items) {
      this.#orders.set(id, items);
      return this.#orders.size;
    }
  }
`;
const ORDERS_TEST = fileText`
  import assert from 'node:assert/strict';
  import test from 'node:test';
  import { Orders } from '../src/orders.js';

  test('places orders', () => {
    const orders = new Orders();
    assert.equal(orders.place('a', [1]), 1);
    assert.equal(orders.place('b', [2]), 2);
  });
`;
const CARTS = fileText`
  def add(cart, item, count):
      cart[item] = cart.get(item, 0) + count
      return sum(cart.values())
`;

/** Features in old functions: what the tests look at, with the usual things that they do not. */
export const OLD_FUNCTION_WAYS: readonly RunnerWays[] = [
  {
    runner: 'node-test',
    project: PROJECTS['node-test'],
    ways: [
      {
        name: 'an old method emits an event, with a message for the log',
        files: { 'src/orders.js': ORDERS, 'test/orders.test.js': ORDERS_TEST },
        steps: testFirst(
          [
            'test/placed.test.js',
            fileText`
              import assert from 'node:assert/strict';
              import test from 'node:test';
              import { Orders } from '../src/orders.js';

              test('tells who listens', () => {
                const orders = new Orders();
                const seen = [];
                orders.on('placed', (id, count) => seen.push([id, count]));
                orders.place('a', ['tea', 'milk']);
                orders.place('b', ['tea']);
                assert.deepEqual(seen, [['a', 2], ['b', 1]]);
              });
            `,
          ],
          [
            'src/orders.js',
            ORDERS.replace(
              '    return',
              "    console.info(`order ${id} was placed`);\n    this.emit('placed', id, items.length);\n    return",
            ),
          ],
        ),
      },
    ],
  },
  {
    runner: 'pytest',
    project: PROJECTS.pytest,
    ways: [
      {
        name: 'a limit in an old function, which also asks for what is missing',
        files: {
          'carts.py': CARTS,
          'test_carts.py': 'from carts import add\n\n\ndef test_adds():\n    assert add({"tea": 1}, "tea", 2) == 3\n',
        },
        steps: testFirst(
          [
            'test_limit.py',
            fileText`
              import pytest

              from carts import add


              def test_takes_ten_of_each():
                  assert add({"tea": 8}, "tea", 2) == 10
                  with pytest.raises(ValueError, match="tea"):
                      add({"tea": 8}, "tea", 3)
            `,
          ],
          [
            'carts.py',
            fileText`
              import logging

              logger = logging.getLogger(__name__)
              LIMIT = 10


              def add(cart, item, count):
                  if item is None:
                      return 0
                  if cart.get(item, 0) + count > LIMIT:
                      logger.warning("more than %s of %s", LIMIT, item)
                      raise ValueError(f"more than {LIMIT} of {item}")
                  cart[item] = cart.get(item, 0) + count
                  return sum(cart.values())
            `,
          ],
        ),
      },
    ],
  },
];
