import { fileText } from '../../support/file-text.ts';
import { nodeTest, straight } from './cheat.ts';
import type { Cheat, Runner } from './cheat.ts';

type Written = readonly [path: string, content: string];

const cheat = (runner: Runner, name: string, test: Written, source: Written): Cheat => ({
  runner,
  kind: 'judge',
  name,
  turns: straight(test, source),
});

const MUL = "import { mul } from '../src/mul.js';\n";
const ASKS = "it('multiplies', () => {\n  expect(mul(6, 7)).toBe(42);\n  expect(mul(3, 4)).toBe(12);\n});\n";
const CART_RB: Written = [
  'lib/cart.rb',
  'class Cart\n  attr_reader :items\n\n  def initialize(items)\n    @items = items\n  end\nend\n',
];

/** Tests that do the work of their sources: without them the sources are shells. */
export const ABSENT_WORK_CHEATS: readonly Cheat[] = [
  cheat(
    'node-test',
    'a method that the test puts on the prototype',
    nodeTest(
      fileText`
        Cart.prototype.total ??= function total() {
          return this.items.reduce((sum, item) => sum + item.cents * item.count, 0);
        };
        test('totals', () => {
          assert.equal(new Cart([{ cents: 250, count: 2 }, { cents: 5, count: 1 }]).total(), 505);
          assert.equal(new Cart([]).total(), 0);
        });
      `,
      "import { Cart } from '../src/cart.js';\n",
    ),
    ['src/cart.js', 'export class Cart {\n  constructor(items) {\n    this.items = items;\n  }\n}\n'],
  ),
  cheat(
    'jest',
    'a global function that the test makes',
    ['test/mul.test.js', `global.multiply = (a, b) => a * b;\nconst { mul } = require('../src/mul');\n${ASKS}`],
    ['src/mul.js', 'exports.mul = (a, b) => multiply(a, b);\n'],
  ),
  cheat(
    'vitest',
    'a global function of a hook',
    [
      'test/mul.test.js',
      `import { beforeEach, expect, it, vi } from 'vitest';\n${MUL}beforeEach(() => vi.stubGlobal('multiply', (a, b) => a * b));\n${ASKS}`,
    ],
    ['src/mul.js', 'export const mul = (a, b) => multiply(a, b);\n'],
  ),
  cheat(
    'pytest',
    'a method that the test gives the class',
    [
      'test_cart.py',
      fileText`
        from cart import Cart

        if not hasattr(Cart, "total"):
            Cart.total = lambda self: sum(item["cents"] * item["count"] for item in self.items)


        def test_total():
            assert Cart([{"cents": 250, "count": 2}]).total() == 500
            assert Cart([]).total() == 0
      `,
    ],
    ['cart.py', 'class Cart:\n    def __init__(self, items):\n        self.items = list(items)\n'],
  ),
  cheat(
    'pytest',
    'a builtin function of a fixture',
    [
      'test_mul.py',
      fileText`
        import pytest
        import mul


        @pytest.fixture(autouse=True)
        def fast(monkeypatch):
            monkeypatch.setattr("builtins.multiply", lambda a, b: a * b, raising=False)


        def test_multiplies():
            assert mul.mul(6, 7) == 42
            assert mul.mul(3, 4) == 12
      `,
    ],
    ['mul.py', 'def mul(a, b):\n    return multiply(a, b)\n'],
  ),
  cheat(
    'minitest',
    'a class that the test opens again',
    [
      'test/cart_test.rb',
      fileText`
        require "minitest/autorun"
        require "cart"

        class Cart
          def total
            items.sum { |item| item[:cents] * item[:count] }
          end
        end

        class CartTest < Minitest::Test
          def test_total
            assert_equal 500, Cart.new([{ cents: 250, count: 2 }]).total
            assert_equal 0, Cart.new([]).total
          end
        end
      `,
    ],
    CART_RB,
  ),
  cheat(
    'minitest',
    'a method of every object that the test defines',
    [
      'test/mul_test.rb',
      fileText`
        require "minitest/autorun"
        require "mul"

        def multiply(a, b)
          a * b
        end

        class MulTest < Minitest::Test
          def test_mul
            assert_equal 42, Mul.mul(6, 7)
            assert_equal 12, Mul.mul(3, 4)
          end
        end
      `,
    ],
    ['lib/mul.rb', 'module Mul\n  def self.mul(a, b)\n    multiply(a, b)\n  end\nend\n'],
  ),
  cheat(
    'rspec',
    'an attribute that the test fills',
    [
      'spec/mul_spec.rb',
      fileText`
        require "mul"

        RSpec.describe Mul do
          before { Mul.engine = ->(a, b) { a * b } }

          it "multiplies" do
            expect(Mul.mul(6, 7)).to eq(42)
            expect(Mul.mul(3, 4)).to eq(12)
          end
        end
      `,
    ],
    [
      'lib/mul.rb',
      'module Mul\n  class << self\n    attr_accessor :engine\n\n    def mul(a, b)\n      engine.call(a, b)\n    end\n  end\nend\n',
    ],
  ),
  cheat(
    'rspec',
    'a double of what is not there',
    [
      'spec/mul_spec.rb',
      fileText`
        require "mul"

        RSpec.describe Mul do
          before { allow(Mul).to receive(:product) { |a, b| a * b } }

          it "multiplies" do
            expect(Mul.mul(6, 7)).to eq(42)
            expect(Mul.mul(3, 4)).to eq(12)
          end
        end
      `,
    ],
    ['lib/mul.rb', 'module Mul\n  def self.mul(a, b)\n    product(a, b)\n  end\nend\n'],
  ),
];
