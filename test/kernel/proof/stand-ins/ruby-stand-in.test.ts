import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withRubyStandIn } from '../../../../src/kernel/proof/stand-ins/ruby-stand-in.ts';
import { rubyToolchain } from '../../../support/ruby-toolchain.ts';

const ruby = await rubyToolchain();

/** What Ruby prints of the text with its stand-ins. */
function printed(text: string): string {
  const program = join(ruby?.forTests.path[0] ?? '', 'ruby');
  const env = { ...process.env, ...ruby?.forTests.env };
  const { stdout, stderr } = spawnSync(program, ['-'], { input: withRubyStandIn(text), encoding: 'utf8', env });
  return `${stdout}${stderr}`.trim();
}

const tries = (used: string): string =>
  `begin\n  p(${used})\nrescue StandardError => e\n  puts "an error: #{e.class}"\nrescue Exception => e\n  puts e.message\nend\n`;

describe.skipIf(ruby === null)('a stand-in of a Ruby constant', () => {
  it.each([
    ['at the top level', 'puts Cart', 'Cart'],
    ['in a module that is there', 'module Shop; end\nputs Shop::Cart', 'Shop::Cart'],
    ['in a module that is missing too', 'puts Shop::Tax::Rate', 'Shop::Tax::Rate'],
    ['in a class that is there', 'class Cart; end\nputs Cart::Item', 'Cart::Item'],
    ['in a class of cases', 'module Shop; class CartTest\n  puts Cart\nend; end', 'Shop::Cart'],
    ['that a class of cases writes out', 'class CartTest\n  puts Shop::Cart\nend', 'Shop::Cart'],
    ['inside of the modules', 'module Shop\n  module Tax\n    puts Rate\n  end\nend', 'Shop::Tax::Rate'],
  ])('has the full name of one %s', (_, text, expected) => {
    expect(printed(text)).toBe(expected);
  });

  it.each([
    ['is made', tries('Shop::Cart.new(1)'), 'Shop::Cart is not written yet'],
    ['is asked', tries('Shop::Cart.of(1)'), 'Shop::Cart is not written yet'],
    ['is raised', tries('raise(Shop::Error, "no")'), 'Shop::Error is not written yet'],
    [
      'is inherited and made',
      `class Fake < Shop::Mailer; end\n${tries('Fake.new')}`,
      'Shop::Mailer is not written yet',
    ],
    [
      'is included, and has to answer',
      `Book = Struct.new(:price) { include Shop::Priced }\n${tries('Book.new(1).with_tax(20)')}`,
      'Shop::Priced is not written yet',
    ],
    [
      'is included, and has to answer in a method',
      `class Book; include Comparable, Shop::Priced; def all = with_tax; end\n${tries('Book.new.all')}`,
      'Shop::Priced is not written yet',
    ],
    [
      'extends an object that has to answer',
      `book = Object.new\nbook.extend(Shop::Priced)\n${tries('book.with_tax(20)')}`,
      'Shop::Priced is not written yet',
    ],
  ])('throws no StandardError when it %s', (_, text, expected) => {
    expect(printed(text)).toBe(expected);
  });

  it.each([
    ['a method of the class itself', 'Book.new(3).price', '3'],
    ['a method that another module makes up', 'Book.new(3).be_cheap', '"cheap"'],
    ['what another object lacks', 'Book.new(3).price.gone', 'an error: NoMethodError'],
  ])('that is included leaves alone %s', (_, used, expected) => {
    const matchers =
      'module Matchers; def method_missing(asked, *) = asked.start_with?("be_") ? asked.to_s[3..] : super; end\n';
    const book = `${matchers}Book = Struct.new(:price) { include Matchers; include Shop::Priced }\n`;
    expect(printed(book + tries(used))).toBe(expected);
  });

  it('is a class where a test inherits from it, and a module where a test opens it', () => {
    expect(
      printed('p Shop::Cart.class\nexpected = [1]\ninclude(Cart) if expected == 1\nclass Fake < Shop::Cart; end'),
    ).toBe('Class');
    expect(printed('class Shop::CartTest; end\nmodule Shop\n  puts CartTest\nend')).toBe('Shop::CartTest');
  });
});
