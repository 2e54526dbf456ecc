import { describe, expect, it } from 'vitest';
import { changedTests } from '../../../../src/kernel/review/changed-tests.ts';
import { whatElseThanAdded } from '../../../../src/kernel/proof/additions/only-adds.ts';
import { sourceText } from '../../../../src/kernel/proof/read-text.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';

const CLASS = `require "minitest/autorun"
require "add"

class AddTest < Minitest::Test
  def test_adds
    assert_equal 3, Add.add(1, 2)
  end
end
`;
const SPEC = `require "minitest/autorun"
require "add"

describe Add do
  it "adds" do
    _(Add.add(1, 2)).must_equal 3
  end
end
`;
const RSPEC = `require "add"

RSpec.describe Add do
  let(:one) { 1 }

  describe ".add" do
    it("adds") { expect(Add.add(one, 2)).to eq(3) }
  end
end
`;
const RAILS = CLASS.replace('def test_adds', 'test "adds two" do');
const SHARED = RSPEC.replace('    it(', '    include_examples "sums"\n    it(');
const MODULE = `module Shop\n${CLASS}end\n`;
const BASED = `${CLASS}\nclass Helper < Base\nend\n`;
const PLAIN = `${CLASS}\nclass Helper\n  def x\n    1\n  end\nend\n`;

/** Before the last `end` of a file, or before its last two. */
const inside = (text: string, added: string, ends = 1): string => {
  const lines = text.trimEnd().split('\n');
  return [...lines.slice(0, -ends), added, ...lines.slice(-ends), ''].join('\n');
};
const CASE = '  def test_more\n    assert_equal 5, Add.add(2, 3)\n  end';

async function changedIn(path: string, before: string, after: string): Promise<readonly string[]> {
  const kernel = testKernel({ files: { [path]: before }, staged: { [path]: after } });
  const changes = await kernel.workspace.changes();
  const found = await changedTests(kernel.services, kernel.workspace, { changes, mixed: new Map() });
  return found.map((each) => JSON.stringify(each));
}

describe('an existing test file of Ruby needs no person', () => {
  it.each<[string, string, string]>([
    ['with a new method', CLASS, inside(CLASS, CASE)],
    [
      'with a new class',
      CLASS,
      `${CLASS}\nclass MoreTest < Minitest::Test\n  def setup\n    @a = 1\n  end\n${CASE}\nend\n`,
    ],
    ['with a new class in a module', MODULE, inside(MODULE, `class MoreTest < Minitest::Test\n${CASE}\nend`)],
    ['with a new method of a class in a module', MODULE, inside(MODULE, CASE, 2)],
    [
      'with a helper',
      CLASS,
      inside(CLASS, `${CASE}\n\n  def two\n    2\n  end\n\n  def assert_even(n)\n    assert n.even?\n  end`),
    ],
    ['with data', CLASS, inside(CLASS, `  TABLE = [[1, 2], [3, 4]].freeze\n${CASE}`)],
    ['with a stand-in', CLASS, inside(CLASS, `  class Fake\n    def now\n      0\n    end\n  end\n${CASE}`)],
    [
      'with what it tests',
      CLASS,
      inside(CLASS, CASE.replace('Add.add', 'PriceList.add')).replace(
        'require "add"\n',
        'require "add"\nrequire "shop/price_list"\nrequire "json"\n',
      ),
    ],
    ['with another case by its title', RAILS, inside(RAILS, '  test "more" do\n    assert Add\n  end')],
    ['with a new example', SPEC, inside(SPEC, '  it "more" do\n    _(Add.add(2, 3)).must_equal 5\n  end')],
    [
      'with a new suite',
      SPEC,
      `${SPEC}\ndescribe "more" do\n  before { @a = 1 }\n  it("is") { _(@a).must_equal 1 }\nend\n`,
    ],
    ['with a new example of RSpec', RSPEC, inside(RSPEC, '    it("more") { expect(Add.add(2, 3)).to eq(5) }', 2)],
    [
      'with a new group',
      RSPEC,
      inside(
        RSPEC,
        '  context "with more" do\n    subject(:sum) { Add.add(2, 3) }\n    let!(:one) { 2 }\n    before(:all) { @b = 1 }\n    it { is_expected.to eq(5) }\n  end',
      ),
    ],
    ['with a private method', RSPEC, inside(RSPEC, '  it("x") { expect(Add.send(:carry, 9)).to eq(1) }')],
    [
      'with a new value',
      RSPEC,
      inside(RSPEC, '  let(:two) { 2 }\n\n  it("more") { expect(Add.add(two, 2)).to eq(4) }'),
    ],
    [
      'with a table',
      RSPEC,
      inside(RSPEC, '  [[1, 1], [2, 4]].each do |a, b|\n    it("squares #{a}") { expect(Add.sq(a)).to eq(b) }\n  end'),
    ],
    [
      'with a new group in a file of groups',
      RSPEC,
      `${RSPEC}\nRSpec.describe "more" do\n  include_examples "sums"\nend\n`,
    ],
  ])('%s', async (_, before, after) => {
    expect(await changedIn('test/add_test.rb', before, after)).toEqual([]);
  });
});

describe('an existing test file of Ruby is for a person to look at', () => {
  it.each<[string, string, string, RegExp]>([
    ['with another expectation', CLASS, CLASS.replace('3,', '4,'), /is now/],
    ['without an old case', CLASS, CLASS.replace(/ {2}def[^]*?\n {2}end\n/, CASE + '\n'), /gone/],
    ['with a hook for old cases', CLASS, inside(CLASS, '  def setup\n    Add.reset\n  end'), /can change/],
    ['with a hook of RSpec', RSPEC, inside(RSPEC, '  before { Add.reset }'), /can change/],
    ['with a hook of specs', SPEC, inside(SPEC, '  after do\n    Add.reset\n  end'), /can change/],
    ['with a value that is made before each case', RSPEC, inside(RSPEC, '  let!(:two) { Add.reset }'), /can change/],
    ['with a value of an old name', RSPEC, inside(RSPEC, '    let(:one) { 2 }', 2), /one is a name/],
    ['with a value for shared examples', SHARED, inside(SHARED, '  let(:two) { 2 }'), /can change/],
    ['with another subject', RSPEC, inside(RSPEC, '  subject { 1 }'), /can change/],
    [
      'with a method of an old name',
      CLASS,
      inside(CLASS, '  def test_adds\n    assert true\n  end'),
      /test_adds is a name/,
    ],
    [
      'with a method of an old title',
      RAILS,
      inside(RAILS, '  def test_adds_two\n    assert true\n  end'),
      /test_adds_two is a name/,
    ],
    [
      'with a title of an old method',
      CLASS,
      inside(CLASS, '  test "adds" do\n    assert true\n  end'),
      /test_adds is a name/,
    ],
    ['with a method of the number of an example', SPEC, inside(SPEC, '  def test_0001_adds\n  end'), /can change/],
    ['with an assertion of its own', CLASS, inside(CLASS, '  def assert_equal(*) = true'), /can change/],
    ['with an assertion that others call', CLASS, inside(CLASS, '  def assert(*) = true'), /can change/],
    ['with raise', CLASS, inside(CLASS, '  def raise(*) = true'), /can change/],
    ['with a method of the class', CLASS, inside(CLASS, '  def self.runnable_methods = []'), /can change/],
    ['with another visibility', CLASS, CLASS.replace('  def', '  private\n\n  def'), /can change/],
    ['with a module that is included', CLASS, inside(CLASS, '  include Lenient'), /can change/],
    ['with a class that is opened again', CLASS, `${CLASS}\nclass Add\n  def self.add(*) = 3\nend\n`, /can change/],
    ['with a class that can be the project’s', CLASS, `${CLASS}\nclass Price\n  def total = 3\nend\n`, /can change/],
    [
      'with a class of tests that can be above the old one',
      CLASS.replace('Minitest::Test', 'ShopTest'),
      `${CLASS.replace('Minitest::Test', 'ShopTest')}\nclass BaseTest < Minitest::Test\n  def setup = Add.reset\nend\n`,
      /can change/,
    ],
    [
      'with an old class of tests opened again',
      CLASS,
      `${CLASS}\nclass AddTest < Minitest::Test\n${CASE}\nend\n`,
      /AddTest is a name/,
    ],
    ['with a class of no tests that grows', PLAIN, inside(PLAIN, '  def y = 2'), /is now/],
    [
      'with a class opened again in a new group',
      RSPEC,
      `${RSPEC}\nRSpec.describe "x" do\n  class Add\n    def self.add(*) = 3\n  end\nend\n`,
      /can change/,
    ],
    [
      'with a class opened again in a new case',
      CLASS,
      inside(CLASS, '  def test_x\n    Add.class_eval { def y = 1 }\n  end'),
      /can change/,
    ],
    [
      'with a method of what is tested',
      CLASS,
      inside(CLASS, '  def test_x\n    def Add.add(*) = 3\n  end'),
      /can change/,
    ],
    ['with a module that is opened again', CLASS, `${CLASS}\nmodule Add\n  def self.add(*) = 3\nend\n`, /can change/],
    ['with a method in a module that grows', MODULE, inside(MODULE, '  def self.total = 3'), /can change/],
    ['with a helper for shared examples', SHARED, inside(SHARED, '  def two = 2'), /can change/],
    ['with a value that RSpec asks', RSPEC, inside(RSPEC, '  let(:described_class) { 2 }'), /can change/],
    ['with a function of a module that grows', MODULE, inside(MODULE, '  def total = 3'), /can change/],
    [
      'with a class opened again in a case',
      RSPEC,
      inside(RSPEC, '  it "x" do\n    class Add\n    end\n  end'),
      /can change/,
    ],
    ['with code for a class in a case', RSPEC, inside(RSPEC, '  it("x") { Add.class_eval { nil } }'), /can change/],
    [
      'with a call by a written name',
      RSPEC,
      inside(RSPEC, '  it("x") { Add.send("define_" "method", :add) { 3 } }'),
      /can change/,
    ],
    [
      'with a call by such a symbol',
      RSPEC,
      inside(RSPEC, '  it("x") { Add.send(:define_method, :add) { 3 } }'),
      /can change/,
    ],
    [
      'with a class beside one that has no tests',
      BASED,
      `${BASED}\nclass Price < Base\n  def total = 3\nend\n`,
      /can change/,
    ],
    ['with a constant of everybody', CLASS, `RATE = 3\n${CLASS}`, /can change/],
    ['with a function of everybody', CLASS, `def total = 3\n${CLASS}`, /can change/],
    ['with a file for its effect', CLASS, `require "lenient"\n${CLASS}`, /can change/],
    [
      'with a file of a name that old cases use',
      CLASS,
      CLASS.replace('"add"\n', '"add"\nrequire_relative "support/add"\n'),
      /Add is a name/,
    ],
    ['with a focus', RSPEC, inside(RSPEC, '  fit("x") { expect(1).to eq(1) }'), /can change/],
    ['with a mark of focus', RSPEC, inside(RSPEC, '  it("x", :focus) { expect(1).to eq(1) }'), /can change/],
    ['with a focus in a new group', RSPEC, `${RSPEC}\nRSpec.describe "x", focus: true do\nend\n`, /can change/],
    ['with settings', RSPEC, `${RSPEC}\nRSpec.configure { |config| config.before { Add.reset } }\n`, /can change/],
    ['with something that runs as it is loaded', RSPEC, inside(RSPEC, '  Add.reset'), /can change/],
    [
      'with something that runs in a new group',
      RSPEC,
      `${RSPEC}\nRSpec.describe "x" do\n  Add.reset\nend\n`,
      /can change/,
    ],
    ['with something that runs in a loop', RSPEC, inside(RSPEC, '  [1].each { |n| Add.reset }'), /can change/],
    ['with an end of the file', CLASS, `return if true\n${CLASS}`, /can change/],
  ])('%s', async (_, before, after, words) => {
    const found = await changedIn('test/add_test.rb', before, after);
    expect(found.join('\n')).toMatch(words);
  });
});

describe('a new hook around each case in Ruby is an addition only if hooks are allowed', () => {
  it.each<[string, string, string, boolean]>([
    ['teardown', CLASS, inside(CLASS, '  def teardown\n    Add.reset\n  end'), true],
    ['after', RSPEC, inside(RSPEC, '  after(:each) { Add.reset }'), true],
    ['a value', RSPEC, inside(RSPEC, '  let!(:two) { 2 }'), true],
    ['not around', RSPEC, inside(RSPEC, '  around { |each| nil }'), false],
    ['not before all', RSPEC, inside(RSPEC, '  before(:all) { Add.reset }'), false],
  ])('%s', async (_, before, after, may) => {
    const parse = syntaxParser(() => 0);
    const [old, now] = [await sourceText(parse, 'a_test.rb', before), await sourceText(parse, 'a_test.rb', after)];
    if (!old || !now) throw new Error('no syntax');
    expect(whatElseThanAdded(old, now)).toHaveLength(1);
    expect(whatElseThanAdded(old, now, { hooks: true })).toHaveLength(may ? 0 : 1);
  });
});
