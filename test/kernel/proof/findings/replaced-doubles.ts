import { fileText } from '../../../support/file-text.ts';
import {
  ASKS,
  CALLS_MULTIPLY,
  CART,
  CART_JS,
  CART_PY,
  CART_RB,
  cartJs,
  cartPy,
  cartRb,
  MUL,
  MUL_RB,
  mulJs,
  mulPy,
  mulRb,
  RB_ASKS,
  TOTAL,
} from './replaced-sources.ts';
import type { Replaced } from './replaced-sources.ts';

const CLOCK_PY = 'from time import time as now\n\n\ndef age(at):\n    return now() - at\n';
const LOADS_PY =
  'import json\n\n\ndef load(path):\n    with open(path) as file:\n        return json.load(file)\n\n\ndef total(path):\n    return sum(load(path))\n';
const LOADS_JS =
  "const fs = require('node:fs');\nexports.load = (path) => JSON.parse(fs.readFileSync(path, 'utf8'));\nexports.mul = (a, path) => a * exports.load(path).length;\n";

/** Collaborators that a test replaces, and doubles. */
export const DOUBLES: readonly Replaced[] = [
  cartJs(
    'a method that the source has',
    `${CART}Cart.prototype.load = async (path) => [path.length * 2];\n${ASKS}`,
    CART_JS.replace('  constructor', '  async load(path) {\n    return read(path);\n  }\n  constructor'),
  ),
  cartJs(
    'a double with a fixed answer',
    `${CART}Cart.prototype.load = vi.fn(() => 5);\nnew Cart([]).load();\n`,
    CART_JS,
  ),
  cartJs(
    'a double that notes its calls',
    `${CART}const calls = [];\nCart.prototype.send = (mail) => { calls.push(mail.to); };\nnew Cart([]).send({ to: 'a' });\n`,
    CART_JS,
  ),
  cartJs(
    'a class that inherits what is replaced',
    `${CART}Cart.find = async ({ name }) => carts.find((each) => each.name === name);\nit('a', async () => expect(await open('a')).toEqual(carts.find(Boolean)));\n`,
    "import { Model } from './model.js';\nexport class Cart extends Model {}\nexport const open = (name) => Cart.find({ name });\n",
  ),
  cartJs(
    'a handler of an object',
    `${CART}const cart = new Cart([]);\nlet got;\ncart.onChange = (event) => { got = event.count * 2; };\ncart.change();\n`,
    'export class Cart {\n  change() {\n    this.onChange?.({ count: 1 });\n  }\n}\n',
  ),
  cartJs(
    'a class of a package with the name of one of the source',
    `import { Cart } from 'carts';\nCart.prototype.total = ${TOTAL};\n${ASKS}`,
    CART_JS,
  ),
  cartJs(
    'a strategy of an object, which the source calls',
    `${CART}const cart = new Cart([]);\ncart.rate = (n) => n * 2;\nit('a', () => expect(cart.total()).toBe(cart.rate(0)));\n`,
    CART_JS.replace('  constructor', '  total() {\n    return this.rate(this.items.length);\n  }\n  constructor'),
  ),
  cartJs(
    'a class of the test',
    `${CART}class Fake extends Cart {\n  total() {\n    return this.items.length * 2;\n  }\n}\nnew Fake([]).total();\n`,
    CART_JS,
  ),
  cartJs(
    'a copy of an object',
    `${CART}const cart = Object.assign({}, new Cart([]), { total() { return this.items.length * 2; } });\ncart.total();\n`,
    CART_JS,
  ),
  cartJs(
    'an object of the test',
    `${CART}const store = {};\nstore.total = (items) => items.length * 2;\nexpect(new Cart([]).total(store)).toBe(store.total([]));\n`,
    CART_JS,
  ),
  cartJs(
    'a method of a package',
    `import { Api } from 'api';\n${CART}Api.prototype.get = (path) => path.length * 2;\n`,
    CART_JS,
  ),
  mulJs(
    'a function of a module that the source has',
    "const shop = require('../src/mul');\nshop.load = (path) => [path.length * 2];\nit('a', () => expect(shop.mul(6, 'a')).toBe(6));\n",
    LOADS_JS,
  ),
  mulJs(
    'a variable that the source asks for',
    "const shop = require('../src/mul');\nshop.discount = (n) => n * 0.9;\nit('a', () => expect(shop.mul(6, 7)).toBe(37.8));\n",
    'exports.discount = null;\nexports.mul = (a, b) => (exports.discount ? exports.discount(a * b) : a * b);\n',
  ),
  mulJs(
    'a variable that the source calls only if it is there',
    "const shop = require('../src/mul');\nshop.discount = (n) => n * 0.9;\nit('a', () => expect(shop.mul(6, 7)).toBe(37.8));\n",
    'exports.discount = null;\nexports.mul = (a, b) => exports.discount?.(a * b) ?? a * b;\n',
  ),
  ...['fetch', 'localStorage', 'document', 'crypto', 'requestAnimationFrame', 'matchMedia', 'scrollTo', 'gtag'].map(
    (name) =>
      mulJs(
        `a global of the platform: ${name}`,
        `globalThis.${name} = async (url) => ({ ok: url.length > 2 });\nglobal.${name} = (url) => url.length * 2;\n${MUL}`,
        `export const mul = (a, b) => ${name}(a, b);\n`,
      ),
  ),
  mulJs('a global double', `global.track = vi.fn();\n${MUL}`, 'export const mul = (a, b) => track(a, b);\n'),
  mulJs(
    'a global that notes its calls',
    `const calls = [];\nglobal.track = (...all) => calls.push(all);\n${MUL}`,
    'export const mul = (a, b) => track(a, b);\n',
  ),
  mulJs(
    'a global that the source does not use',
    `global.product = (a, b) => a * b;\n${MUL}`,
    'export const mul = (a, b) => a * b;\n',
  ),
  mulJs(
    'a name that the source declares',
    `global.product = (a, b) => a * b;\n${MUL}`,
    "import { product } from './product.js';\nexport const mul = (a, b) => product(a, b);\n",
  ),
  mulJs(
    'what a library defines by itself',
    `Array.prototype.at ??= function (n) { return this[n < 0 ? this.length + n : n]; };\n${MUL}`,
    'export const mul = (a, b) => [a].at(-1) * b;\n',
  ),
  mulJs(
    'a spy',
    `import * as shop from '../src/mul.js';\nvi.spyOn(shop, 'product').mockImplementation((a, b) => a * b);\n${MUL}`,
    CALLS_MULTIPLY,
  ),
  mulPy(
    'a name that the source imports',
    'import mul\n\n\ndef test_age(monkeypatch):\n    monkeypatch.setattr(mul, "now", lambda: 5 * 60)\n    assert mul.age(100) == 200\n',
    CLOCK_PY,
  ),
  mulPy(
    'a module of the library',
    'import time\nimport mul\n\n\ndef test_age(monkeypatch):\n    monkeypatch.setattr(time, "time", lambda: 5 * 60)\n    monkeypatch.setattr("mul.json.load", lambda file: len(file))\n    assert mul.age(100) == 200\n',
    CLOCK_PY,
  ),
  mulPy(
    'a function that the source has',
    'import mul\n\n\ndef test_total(monkeypatch):\n    monkeypatch.setattr(mul, "load", lambda path: [len(path) * 2])\n    assert mul.total("a") == 2\n',
    LOADS_PY,
  ),
  mulPy(
    'a builtin that there is',
    'import builtins\nimport mul\n\n\ndef test_ask(monkeypatch):\n    monkeypatch.setattr(builtins, "input", lambda text: text.upper() + "!")\n    monkeypatch.setattr("builtins.open", lambda path: path.upper())\n    assert mul.ask() == "A!"\n',
    'def ask():\n    return input("a") or open("a")\n',
  ),
  mulPy(
    'names of another module',
    'import mul\n\n\ndef test_total(monkeypatch):\n    monkeypatch.setattr(mul, "get", lambda path: len(path) * 2)\n    assert mul.total("a") == 2\n',
    'from client import *\n\n\ndef total(path):\n    return get(path)\n',
  ),
  mulPy(
    'a hook that the source asks for',
    'import mul\n\n\ndef test_mul(monkeypatch):\n    monkeypatch.setattr(mul, "discount", lambda n: n * 0.9)\n    assert mul.mul(6, 7) == 37.8\n',
    'discount = None\n\n\ndef mul(a, b):\n    return discount(a * b) if discount else a * b\n',
  ),
  mulPy(
    'a patch of a name that the source has',
    fileText`
      from unittest.mock import patch

      import mul


      @patch("mul.load")
      def test_total(load):
          load.side_effect = lambda path: [len(path) * 2]
          assert mul.total("a") == 2
    `,
    LOADS_PY,
  ),
  cartPy(
    'a field of an object',
    'from cart import Cart\n\n\ndef test_total():\n    cart = Cart([2])\n    cart.rate = lambda n: n * 2\n    assert cart.total() == 4\n',
    `${CART_PY}\n    def total(self):\n        return self.rate(sum(self.items))\n`,
  ),
  cartPy(
    'a class of the test',
    'from cart import Cart\n\n\nclass Half(Cart):\n    def total(self):\n        return sum(self.items) / 2\n\n\ndef test_total():\n    assert Half([2]).total() == 1\n',
    CART_PY,
  ),
  cartRb(
    'a method that the source has',
    `class Cart\n  def load(path)\n    path.size * 2\n  end\nend\n${RB_ASKS}`,
    CART_RB.replace('  def', '  def load(path)\n    File.read(path)\n  end\n\n  def'),
  ),
  cartRb(
    'a class of the test',
    `class Fake < Cart\n  def total\n    items.sum\n  end\nend\nclass Store\n  def total(items)\n    items.sum\n  end\nend\nFake.new([]).total\n`,
    CART_RB,
  ),
  cartRb(
    'a helper of the test',
    `def cart(*items)\n  Cart.new(items.map { |each| each * 2 })\nend\n${RB_ASKS}`,
    CART_RB.replace('end\n', '  def add(cart)\n    cart.items.sum\n  end\nend\n'),
  ),
  mulRb(
    'a double of what the source has',
    `RSpec.describe Mul do\n  before { allow(Mul).to receive(:product) { |a, b| a * b } }\n  it("multiplies") { expect(Mul.mul(6, 7)).to eq(42) }\nend\n`,
    MUL_RB.replace('module Mul\n', 'module Mul\n  def self.product(a, b) = Client.get(a, b)\n\n'),
  ),
  mulRb(
    'a double of what every object has',
    `RSpec.describe Mul do\n  before { allow(Mul).to receive(:sleep) { |seconds| slept << seconds } }\n  it("multiplies") { expect(Mul.mul(6, 7)).to eq(42) }\nend\n`,
    MUL_RB.replace('product(a, b)', 'sleep(a) * b'),
  ),
  mulRb(
    'what every object has, of a module and of all',
    `def rand(n)\n  n * 2\nend\nRSpec.describe Mul do\n  before { allow(Mul).to receive(:sleep) { |n| n * 2 } }\n  it("multiplies") { expect(Mul.mul(6, 7)).to eq(42) }\nend\n`,
    MUL_RB.replace('product(a, b)', 'sleep(a) * rand(b)'),
  ),
  mulRb(
    'a setting with a value of its own',
    `RSpec.describe Mul do\n  before { Mul.engine = ->(a, b) { a * b } }\n  it("multiplies") { expect(Mul.mul(6, 7)).to eq(42) }\nend\n`,
    'module Mul\n  class << self\n    attr_accessor :engine\n\n    def mul(a, b)\n      engine.call(a, b)\n    end\n  end\n\n  @engine = ->(a, b) { a * b }\nend\n',
  ),
];
