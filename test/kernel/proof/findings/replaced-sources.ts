import { fileText } from '../../../support/file-text.ts';

type File = readonly [path: string, after: string];

export interface Replaced {
  readonly what: string;
  readonly test: File;
  readonly source: File;
}

const of =
  (test: string, source: string) =>
  (what: string, testText: string, sourceText: string): Replaced => ({
    what: `${source}: ${what}`,
    test: [test, testText],
    source: [source, sourceText],
  });

export const cartJs = of('test/cart.test.js', 'src/cart.js');
export const mulJs = of('test/mul.test.js', 'src/mul.js');
const cartTs = of('test/cart.test.ts', 'src/cart.ts');
export const cartPy = of('tests/test_cart.py', 'cart.py');
export const mulPy = of('test_mul.py', 'mul.py');
const shopPy = of('tests/test_shop.py', 'src/shop/prices.py');
export const cartRb = of('test/cart_test.rb', 'lib/cart.rb');
export const mulRb = of('spec/mul_spec.rb', 'lib/mul.rb');

export const CART_JS = 'export class Cart {\n  constructor(items) {\n    this.items = items;\n  }\n}\n';
export const CART = "import { Cart } from '../src/cart.js';\n";
export const ASKS = "it('totals', () => expect(new Cart([{ cents: 2 }]).total()).toBe(2));\n";
export const TOTAL = 'function () {\n  return this.items.reduce((sum, item) => sum + item.cents, 0);\n}';
const MUL_ASKS = "it('multiplies', () => expect(mul(6, 7)).toBe(42));\n";
export const MUL = `import { mul } from '../src/mul.js';\n${MUL_ASKS}`;
export const CALLS_MULTIPLY = 'export const mul = (a, b) => multiply(a, b);\n';

const JAVASCRIPT: readonly Replaced[] = [
  cartJs('a method of a prototype', `${CART}Cart.prototype.total = ${TOTAL};\n${ASKS}`, CART_JS),
  cartJs('a method, if there is none', `${CART}Cart.prototype.total ??= ${TOTAL};\n${ASKS}`, CART_JS),
  cartJs('a method by its quoted name', `${CART}Cart.prototype['total'] = ${TOTAL};\n${ASKS}`, CART_JS),
  cartJs(
    'a function by its name',
    `${CART}function total() {\n  return this.items.length * 2;\n}\nCart.prototype.total = total;\n${ASKS}`,
    CART_JS,
  ),
  cartJs('a double that works', `${CART}Cart.prototype.total = vi.fn(${TOTAL});\n${ASKS}`, CART_JS),
  cartJs(
    'a prototype by another name',
    `${CART}const proto = Cart.prototype;\nbeforeEach(() => { proto.total = ${TOTAL}; });\n${ASKS}`,
    CART_JS,
  ),
  cartJs(
    'Object.assign',
    `${CART}Object.assign(Cart.prototype, { total() { return this.items.length * 2; } });\n${ASKS}`,
    CART_JS,
  ),
  cartJs(
    'Object.defineProperty',
    `${CART}Object.defineProperty(Cart.prototype, 'total', { get() { return this.items.length * 2; } });\nit('a', () => expect(new Cart([]).total).toBe(0));\n`,
    CART_JS,
  ),
  cartJs(
    'a static method that the source calls',
    `${CART}Cart.sum = (items) => items.length * 2;\n${ASKS}`,
    'export class Cart {\n  total() {\n    return Cart.sum(this.items);\n  }\n}\n',
  ),
  cartJs(
    'a class that inherits',
    `${CART}Cart.prototype.total = ${TOTAL};\n${ASKS}`,
    "import { List } from './list.js';\nexport class Cart extends List {}\n",
  ),
  cartJs(
    'an object of the class',
    `${CART}const cart = new Cart([]);\ncart.total = ${TOTAL};\nit('a', () => expect(cart.total()).toBe(0));\n`,
    CART_JS,
  ),
  cartJs(
    'a default export',
    `import Basket from '../src/cart.js';\nBasket.prototype.total = ${TOTAL};\nit('a', () => expect(new Basket([]).total()).toBe(0));\n`,
    CART_JS.replace('export class', 'export default class'),
  ),
  mulJs(
    'a member of a module',
    `const shop = require('../src/mul');\nshop.product = (a, b) => a * b;\nit('a', () => expect(shop.mul(6, 7)).toBe(42));\n`,
    'exports.mul = (a, b) => exports.product(a, b);\n',
  ),
  mulJs(
    'a variable of a module that the change leaves empty',
    `const shop = require('../src/mul');\nshop.product = (a, b) => a * b;\nit('a', () => expect(shop.mul(6, 7)).toBe(42));\n`,
    'exports.product = null;\nexports.mul = (a, b) => exports.product(a, b);\n',
  ),
  mulJs('a global', `global.multiply = (a, b) => a * b;\n${MUL}`, CALLS_MULTIPLY),
  mulJs('a global by another name', `const g = globalThis;\ng.multiply = (a, b) => a * b;\n${MUL}`, CALLS_MULTIPLY),
  mulJs(
    'globals by Object.assign',
    `Object.assign(globalThis, { multiply: (a, b) => a * b });\n${MUL}`,
    CALLS_MULTIPLY,
  ),
  mulJs('a global of vitest', `beforeEach(() => vi.stubGlobal('multiply', (a, b) => a * b));\n${MUL}`, CALLS_MULTIPLY),
  mulJs(
    'a method of all numbers',
    `Object.defineProperty(Number.prototype, 'times', { value(n) { return this * n; } });\n${MUL}`,
    'export const mul = (a, b) => a.times(b);\n',
  ),
  cartTs(
    'a global that is only declared',
    `import { total } from '../src/cart.ts';\n(globalThis as any).sum = (a: number, b: number) => a + b;\nit('a', () => expect(total(1, 2)).toBe(3));\n`,
    'declare function sum(a: number, b: number): number;\nexport const total = (a: number, b: number): number => sum(a, b);\n',
  ),
  cartTs(
    'a method that an interface promises',
    `import { Cart } from '../src/cart.ts';\n(Cart.prototype as any).total = function (this: Cart): number { return this.items.length * 2; };\nit('a', () => expect(new Cart([]).total()).toBe(0));\n`,
    'export interface Cart {\n  total(): number;\n}\nexport class Cart {\n  constructor(readonly items: number[]) {}\n}\n',
  ),
];

export const CART_PY = 'class Cart:\n    def __init__(self, items):\n        self.items = list(items)\n';
const PY_ASKS = '\n\ndef test_total():\n    assert Cart([2]).total() == 2\n';
const MUL_PY = 'def mul(a, b):\n    return multiply(a, b)\n';
const MUL_PY_ASKS = '\n\ndef test_mul():\n    assert mul.mul(6, 7) == 42\n';

const PYTHON: readonly Replaced[] = [
  cartPy(
    'a method of a class',
    `from cart import Cart\n\nif not hasattr(Cart, "total"):\n    Cart.total = lambda self: sum(self.items)\n${PY_ASKS}`,
    CART_PY,
  ),
  cartPy(
    'a method by setattr',
    `import cart\nfrom cart import Cart\n\n\ndef total(self):\n    return sum(self.items)\n\n\nsetattr(cart.Cart, "total", total)\n${PY_ASKS}`,
    CART_PY,
  ),
  cartPy(
    'a property',
    'from cart import Cart\n\nCart.total = property(lambda self: sum(self.items))\n\n\ndef test_total():\n    assert Cart([2]).total == 2\n',
    CART_PY,
  ),
  cartPy(
    'a class that inherits',
    `from cart import Cart\n\nCart.total = lambda self: sum(self.items)\n${PY_ASKS}`,
    'from base import Base\n\n\nclass Cart(Base):\n    pass\n',
  ),
  cartPy(
    'monkeypatch',
    'from cart import Cart\n\n\ndef test_total(monkeypatch):\n    monkeypatch.setattr(Cart, "total", lambda self: sum(self.items), raising=False)\n    assert Cart([2]).total() == 2\n',
    CART_PY,
  ),
  shopPy(
    'a module in a package',
    'from shop import prices\n\nprices.product = lambda a, b: a * b\n\n\ndef test_mul():\n    assert prices.mul(6, 7) == 42\n',
    'from . import prices\n\n\ndef mul(a, b):\n    return prices.product(a, b)\n'.replace(
      'from . import prices',
      'import sys',
    ),
  ),
  mulPy(
    'a variable that the change leaves empty',
    `import mul\n\nmul.engine = lambda a, b: a * b\n${MUL_PY_ASKS}`,
    'engine = None\n\n\ndef mul(a, b):\n    return engine(a, b)\n',
  ),
  mulPy('a builtin', `import builtins\nimport mul\n\nbuiltins.multiply = lambda a, b: a * b\n${MUL_PY_ASKS}`, MUL_PY),
  mulPy(
    'a builtin by its path',
    'import mul\nimport pytest\n\n\n@pytest.fixture(autouse=True)\ndef fast(monkeypatch):\n    monkeypatch.setattr("builtins.multiply", lambda a, b: a * b, raising=False)\n' +
      MUL_PY_ASKS,
    MUL_PY,
  ),
  mulPy(
    'a function of the library',
    `import builtins\nimport operator\nimport mul\n\nbuiltins.multiply = operator.mul\n${MUL_PY_ASKS}`,
    MUL_PY,
  ),
  mulPy(
    'a double that is created',
    fileText`
      from unittest.mock import patch

      import mul


      @patch("mul.engine", create=True)
      def test_mul(engine):
          engine.side_effect = lambda a, b: a * b
          assert mul.mul(6, 7) == 42
    `,
    'def mul(a, b):\n    return engine(a, b)\n',
  ),
];

export const CART_RB = 'class Cart\n  attr_reader :items\n\n  def initialize(items)\n    @items = items\n  end\nend\n';
export const RB_ASKS =
  'class CartTest < Minitest::Test\n  def test_total\n    assert_equal 2, Cart.new([2]).total\n  end\nend\n';
export const MUL_RB = 'module Mul\n  def self.mul(a, b)\n    product(a, b)\n  end\nend\n';
const RB_SPEC = 'RSpec.describe Mul do\n  it("multiplies") { expect(Mul.mul(6, 7)).to eq(42) }\nend\n';

const RUBY: readonly Replaced[] = [
  cartRb(
    'a class that is opened again',
    `class Cart\n  def total\n    items.sum { |item| item }\n  end\nend\n${RB_ASKS}`,
    CART_RB,
  ),
  cartRb('a method by define_method', `Cart.define_method(:total) { items.sum }\n${RB_ASKS}`, CART_RB),
  cartRb(
    'a method by send',
    `Cart.send(:define_method, :total) { items.inject { |a, b| a + b } }\n${RB_ASKS}`,
    CART_RB,
  ),
  cartRb('class_eval', `Cart.class_eval do\n  def total\n    items.sum\n  end\nend\n${RB_ASKS}`, CART_RB),
  cartRb(
    'a class of a module',
    'module Shop\n  class Cart\n    def total\n      @items.sum\n    end\n  end\nend\nassert_equal 2, Shop::Cart.new([2]).total\n',
    CART_RB.replace('class Cart', 'class Shop::Cart'),
  ),
  mulRb('a method of a module', `def Mul.product(a, b)\n  a * b\nend\n${RB_SPEC}`, MUL_RB),
  mulRb('a method of every object', `def product(a, b)\n  a * b\nend\n${RB_SPEC}`, MUL_RB),
  mulRb(
    'a double that works',
    `RSpec.describe Mul do\n  before { allow(Mul).to receive(:product) { |a, b| a * b } }\n  it("multiplies") { expect(Mul.mul(6, 7)).to eq(42) }\nend\n`,
    MUL_RB,
  ),
  mulRb(
    'an attribute that the change leaves empty',
    `RSpec.describe Mul do\n  before { Mul.engine = ->(a, b) { a * b } }\n  it("multiplies") { expect(Mul.mul(6, 7)).to eq(42) }\nend\n`,
    'module Mul\n  class << self\n    attr_accessor :engine\n\n    def mul(a, b)\n      engine.call(a, b)\n    end\n  end\nend\n',
  ),
];

export const WORKING_TESTS: readonly Replaced[] = [...JAVASCRIPT, ...PYTHON, ...RUBY];
