import { fileText } from '../../support/file-text.ts';
import { testFirst } from '../way.ts';
import type { HonestWay, RunnerWays } from '../way.ts';

const SHOP = fileText`
  module Shop
    VERSION = "1.0"

    def self.add(a, b)
      a + b
    end
  end
`;

const CART = fileText`
  module Shop
    class Cart
      def initialize
        @prices = []
      end

      def add(price)
        raise Error, "no price below zero" if price.negative?

        @prices << price
        self
      end

      def total
        @prices.sum
      end
    end

    class Error < StandardError
    end
  end
`;

const TAX = fileText`
  module Shop
    module Tax
      class Rate
        def initialize(percent)
          @percent = percent
        end

        def on(cents)
          cents * @percent / 100
        end
      end
    end
  end
`;

const PRICED = fileText`
  module Shop
    module Priced
      def with_tax(percent)
        price + price * percent / 100
      end
    end
  end
`;

/** The sources of a new file, and what an old file becomes that loads it. */
const loading = (name: string, text: string): readonly (readonly [string, string])[] => [
  [`lib/shop/${name}.rb`, text],
  ['lib/shop.rb', `require_relative "shop/${name}"\n\n${SHOP}`],
];

const MINITEST: readonly HonestWay[] = [
  {
    name: 'a nested class of an old module, described by its full name',
    steps: [
      [
        'test/cart_test.rb',
        fileText`
          require "minitest/autorun"
          require "shop"

          describe Shop::Cart do
            it "sums" do
              _(Shop::Cart.new.add(3).add(4).total).must_equal 7
            end

            it "refuses" do
              error = _ { Shop::Cart.new.add(-1) }.must_raise Shop::Error
              _(error.message).must_equal "no price below zero"
            end
          end
        `,
      ],
      'run',
      ...loading('cart', CART),
      'run',
    ],
  },
  {
    name: 'a class of cases inside of the module that it tests',
    steps: [
      [
        'test/rate_test.rb',
        fileText`
          require "minitest/autorun"
          require "shop/tax"

          module Shop
            module Tax
              class RateTest < Minitest::Test
                def setup
                  @rate = Rate.new(20)
                end

                def test_takes_a_part
                  assert_equal 20, @rate.on(100)
                  assert_equal 5, Rate.new(10).on(50)
                end
              end
            end
          end
        `,
      ],
      'run',
      ['lib/shop/tax.rb', TAX],
      'run',
    ],
  },
  {
    name: 'a mixin that a class of the tests includes',
    steps: testFirst(
      [
        'test/priced_test.rb',
        fileText`
          require "minitest/autorun"
          require "shop/priced"

          class PricedTest < Minitest::Test
            Book = Struct.new(:price) do
              include Shop::Priced
            end

            def test_adds_the_tax
              assert_equal 120, Book.new(100).with_tax(20)
              assert_equal 55, Book.new(50).with_tax(10)
            end
          end
        `,
      ],
      ['lib/shop/priced.rb', PRICED],
    ),
  },
  {
    name: 'a mixin that a class with a body includes',
    steps: testFirst(
      [
        'test/priced_test.rb',
        fileText`
          require "minitest/autorun"
          require "shop/priced"

          class FakeBook
            include Shop::Priced

            def initialize(price)
              @price = price
            end

            attr_reader :price
          end

          class PricedTest < Minitest::Test
            def test_adds_the_tax
              assert_equal 120, FakeBook.new(100).with_tax(20)
              assert_equal 55, FakeBook.new(50).with_tax(10)
            end
          end
        `,
      ],
      ['lib/shop/priced.rb', PRICED],
    ),
  },
];

const RSPEC: readonly HonestWay[] = [
  {
    name: 'a nested class of an old module, described by its full name',
    steps: [
      [
        'spec/cart_spec.rb',
        fileText`
          require "shop"

          RSpec.describe Shop::Cart do
            subject(:cart) { described_class.new }

            it("sums") { expect(cart.add(3).add(4).total).to eq(7) }

            it "refuses" do
              expect { cart.add(-1) }.to raise_error(Shop::Error, "no price below zero")
            end
          end
        `,
      ],
      'run',
      ...loading('cart', CART),
      'run',
    ],
  },
  {
    name: 'a nested class of a new file in a new module',
    steps: testFirst(
      [
        'spec/tax_spec.rb',
        fileText`
          require "shop/tax"

          RSpec.describe Shop::Tax::Rate do
            [[20, 20], [10, 10], [0, 0]].each do |percent, expected|
              it("takes #{percent} percent") { expect(described_class.new(percent).on(100)).to eq(expected) }
            end

            it("rounds down") { expect(described_class.new(20).on(9)).to eq(1) }
          end
        `,
      ],
      ['lib/shop/tax.rb', TAX],
    ),
  },
  {
    name: 'groups inside of the modules that they test',
    steps: testFirst(
      [
        'spec/tax_spec.rb',
        fileText`
          require "shop/tax"

          module Shop
            module Tax
              RSpec.describe Rate do
                let(:rate) { Rate.new(20) }

                it("takes a part") { expect(rate.on(100)).to eq(20) }
                it("rounds down") { expect(rate.on(9)).to eq(1) }
              end
            end
          end
        `,
      ],
      ['lib/shop/tax.rb', TAX],
    ),
  },
  {
    name: 'a mixin that a class of the examples includes',
    steps: testFirst(
      [
        'spec/priced_spec.rb',
        fileText`
          require "shop/priced"

          RSpec.describe Shop::Priced do
            let(:book) { Struct.new(:price) { include Shop::Priced }.new(100) }

            it("adds the tax") { expect(book.with_tax(20)).to eq(120) }
            it("adds no tax") { expect(book.with_tax(0)).to eq(100) }
          end
        `,
      ],
      ['lib/shop/priced.rb', PRICED],
    ),
  },
  {
    name: 'a mixin that a group includes',
    steps: testFirst(
      [
        'spec/priced_spec.rb',
        fileText`
          require "shop/priced"

          RSpec.describe "a thing with a price" do
            include Shop::Priced

            let(:price) { 100 }

            it("adds the tax") { expect(with_tax(20)).to eq(120) }
            it("adds no tax") { expect(with_tax(0)).to eq(100) }
          end
        `,
      ],
      ['lib/shop/priced.rb', PRICED],
    ),
  },
];

/** Names in modules, mixins and errors that are not there while the tests are written. */
export const UNWRITTEN_RUBY: readonly RunnerWays[] = [
  {
    runner: 'minitest',
    project: {
      'lib/shop.rb': SHOP,
      'test/shop_test.rb':
        'require "minitest/autorun"\nrequire "shop"\n\nclass ShopTest < Minitest::Test\n  def test_adds\n    assert_equal 3, Shop.add(1, 2)\n  end\nend\n',
    },
    ways: MINITEST,
  },
  {
    runner: 'rspec',
    project: {
      '.rspec': '--require spec_helper\n',
      'spec/spec_helper.rb': 'RSpec.configure { |config| config.disable_monkey_patching! }\n',
      'lib/shop.rb': SHOP,
      'spec/shop_spec.rb':
        'require "shop"\n\nRSpec.describe Shop do\n  it("adds") { expect(Shop.add(1, 2)).to eq(3) }\nend\n',
    },
    ways: RSPEC,
  },
];
