import { testFirst } from './way.ts';
import type { RunnerWays } from './way.ts';

const ADD = 'module Add\n  def self.add(a, b)\n    a + b\n  end\nend\n';
const ADD_AND_SUB: readonly [string, string] = [
  'lib/add.rb',
  'module Add\n  def self.add(a, b)\n    a + b\n  end\n\n  def self.sub(a, b)\n    a - b\n  end\nend\n',
];
const HALF: readonly [string, string] = [
  'lib/half.rb',
  'module Half\n  def self.of(n)\n    raise ArgumentError, "it is odd" if n.odd?\n\n    n / 2\n  end\nend\n',
];
const OLD_TEST = `require "minitest/autorun"
require "add"

class AddTest < Minitest::Test
  def test_adds
    assert_equal 3, Add.add(1, 2)
  end
end
`;
const OLD_SPEC = 'require "add"\n\nRSpec.describe Add do\n  it("adds") { expect(Add.add(1, 2)).to eq(3) }\nend\n';

export const MINITEST_WAYS: RunnerWays = {
  runner: 'minitest',
  project: { 'lib/add.rb': ADD, 'test/add_test.rb': OLD_TEST },
  ways: [
    {
      name: 'a case and a helper in a class of an old file',
      steps: testFirst(
        [
          'test/add_test.rb',
          OLD_TEST.replace(
            '  end\nend\n',
            '  end\n\n  def assert_sub(expected, a, b)\n    assert_equal expected, Add.sub(a, b)\n  end\n\n  def test_subtracts\n    assert_sub 1, 3, 2\n    assert_sub 5, 9, 4\n  end\nend\n',
          ),
        ],
        ADD_AND_SUB,
      ),
    },
    {
      name: 'specs of a new file',
      steps: testFirst(
        [
          'test/half_test.rb',
          'require "minitest/autorun"\nrequire "half"\n\ndescribe Half do\n  before { @even = 8 }\n\n  it "halves" do\n    _(Half.of(@even)).must_equal 4\n    _(Half.of(-2)).must_equal(-1)\n  end\n\n  it "refuses" do\n    error = _ { Half.of(3) }.must_raise ArgumentError\n    _(error.message).must_equal "it is odd"\n  end\nend\n',
        ],
        HALF,
      ),
    },
  ],
};

export const RSPEC_WAYS: RunnerWays = {
  runner: 'rspec',
  project: {
    '.rspec': '--require spec_helper\n',
    'spec/spec_helper.rb': 'RSpec.configure { |config| config.disable_monkey_patching! }\n',
    'lib/add.rb': ADD,
    'spec/add_spec.rb': OLD_SPEC,
  },
  ways: [
    {
      name: 'a group with values in an old file',
      steps: testFirst(
        [
          'spec/add_spec.rb',
          OLD_SPEC.replace(
            '\nend\n',
            '\n\n  describe ".sub" do\n    let(:three) { 3 }\n\n    it("subtracts") { expect(Add.sub(three, 2)).to eq(1) }\n    it("goes below zero") { expect(Add.sub(4, 9)).to eq(-5) }\n  end\nend\n',
          ),
        ],
        ADD_AND_SUB,
      ),
    },
    {
      name: 'an error that is asked for',
      steps: testFirst(
        [
          'spec/half_spec.rb',
          'require "half"\n\nRSpec.describe Half do\n  describe ".of" do\n    [[8, 4], [-2, -1]].each do |number, half|\n      it("halves #{number}") { expect(described_class.of(number)).to eq(half) }\n    end\n\n    it("refuses") { expect { described_class.of(3) }.to raise_error(ArgumentError, "it is odd") }\n  end\nend\n',
        ],
        HALF,
      ),
    },
  ],
};
