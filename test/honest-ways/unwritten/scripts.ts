import { fileText } from '../../support/file-text.ts';
import { testFirst } from '../way.ts';
import type { RunnerWays } from '../way.ts';

const TABLE = fileText`
  each\`
    a     | b     | wanted
    \${1}  | \${2}  | \${2}
    \${5}  | \${3}  | \${5}
    \${-4} | \${-7} | \${-4}
  \`('the larger of $a and $b is $wanted', ({ a, b, wanted }) => {
    expect(max(a, b)).toBe(wanted);
  });
`;
const MAX = 'function max(a, b) {\n  return a > b ? a : b;\n}\n';

/** Tests of scripts that use what does not exist yet in ways of their own. */
export const UNWRITTEN_SCRIPTS: readonly RunnerWays[] = [
  {
    runner: 'jest',
    project: { 'package.json': '{ "name": "way", "scripts": { "test": "jest" } }\n' },
    ways: [
      {
        name: 'a table in a tagged template',
        steps: testFirst(
          ['test/max.test.js', `const { max } = require('../src/max');\n\ntest.${TABLE}`],
          ['src/max.js', `${MAX}\nmodule.exports = { max };\n`],
        ),
      },
    ],
  },
  {
    runner: 'vitest',
    project: { 'package.json': '{ "name": "way", "type": "module", "scripts": { "test": "vitest run" } }\n' },
    ways: [
      {
        name: 'a table in a tagged template',
        steps: testFirst(
          [
            'test/max.test.js',
            `import { expect, it } from 'vitest';\nimport { max } from '../src/max.js';\n\nit.${TABLE}`,
          ],
          ['src/max.js', `export ${MAX}`],
        ),
      },
    ],
  },
  {
    runner: 'minitest',
    project: {
      'lib/add.rb': 'module Add\n  def self.add(a, b)\n    a + b\n  end\nend\n',
      'test/add_test.rb':
        'require "minitest/autorun"\nrequire "add"\n\nclass AddTest < Minitest::Test\n  def test_adds\n    assert_equal 3, Add.add(1, 2)\n  end\nend\n',
    },
    ways: [
      {
        name: 'cases that are defined in a loop',
        steps: testFirst(
          [
            'test/largest_test.rb',
            fileText`
              require "minitest/autorun"
              require "largest"

              class LargestTest < Minitest::Test
                { second: [1, 2, 2], first: [5, 3, 5], below_zero: [-4, -7, -4] }.each do |name, (a, b, wanted)|
                  define_method("test_#{name}") do
                    assert_equal wanted, Largest.of(a, b)
                  end
                end
              end
            `,
          ],
          ['lib/largest.rb', 'module Largest\n  def self.of(a, b)\n    a > b ? a : b\n  end\nend\n'],
        ),
      },
    ],
  },
  {
    runner: 'pytest',
    project: {
      'requirements.txt': 'pytest\n',
      'add.py': 'def add(a, b):\n    return a + b\n',
      'test_add.py': 'from add import add\n\n\ndef test_adds():\n    assert add(1, 2) == 3\n',
    },
    ways: [
      {
        name: 'a fake of a new abstract class',
        steps: testFirst(
          [
            'test_welcome.py',
            fileText`
              from welcome import Mailer, welcome


              class FakeMailer(Mailer):
                  def __init__(self):
                      self.sent = []

                  def send(self, to, text):
                      self.sent.append(f"{to}: {text}")


              def test_welcomes_by_name():
                  mailer = FakeMailer()
                  welcome(mailer, "ada@example.org", "Ada")
                  welcome(mailer, "bea@example.org", "Bea")
                  assert mailer.sent == ["ada@example.org: Welcome, Ada", "bea@example.org: Welcome, Bea"]
            `,
          ],
          [
            'welcome.py',
            fileText`
              from abc import ABC, abstractmethod


              class Mailer(ABC):
                  @abstractmethod
                  def send(self, to, text): ...


              def welcome(mailer, address, name):
                  mailer.send(address, f"Welcome, {name}")
            `,
          ],
        ),
      },
      {
        name: 'a table of new classes',
        steps: testFirst(
          [
            'test_shapes.py',
            fileText`
              import pytest

              from shapes import Circle, Square


              @pytest.mark.parametrize(("kind", "size", "area"), [(Square, 3, 9), (Square, 7, 49), (Circle, 2, 12)])
              def test_area(kind, size, area):
                  assert kind(size).area() == area


              @pytest.mark.parametrize("kind", [Square, Circle])
              def test_nothing_has_no_area(kind):
                  assert kind(0).area() == 0
            `,
          ],
          [
            'shapes.py',
            fileText`
              class Square:
                  def __init__(self, size):
                      self.size = size

                  def area(self):
                      return self.size * self.size


              class Circle:
                  def __init__(self, size):
                      self.size = size

                  def area(self):
                      return 3 * self.size * self.size
            `,
          ],
        ),
      },
    ],
  },
];
