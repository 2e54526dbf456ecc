import { describe, expect, it } from 'vitest';
import { whatElseThanAdded } from '../../../../src/kernel/proof/additions/only-adds.ts';
import { sourceText } from '../../../../src/kernel/proof/read-text.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => 0);

async function otherThanAdded(path: string, before: string, after: string, hooks: boolean): Promise<string[]> {
  const [old, now] = [await sourceText(parse, path, before), await sourceText(parse, path, after)];
  if (!old || !now) throw new Error('no syntax');
  return whatElseThanAdded(old, now, { hooks });
}

const PYTHON = 'import conf\n\n\ndef test_a():\n    assert conf.a() == 1\n';
const UNITTEST = 'class T(TestCase):\n    def test_a(self):\n        self.assertEqual(a(), 1)\n';
const JAVA = 'class ATest {\n  @Test void a() { assertEquals(1, a()); }\n}\n';
const SPEC = "describe 'a' do\n  it 'a' do\n    expect(a).to eq(1)\n  end\nend\n";
const SCRIPT = "test('a', () => assert.equal(a(), 1));\n";

describe('a new hook around each case is an addition only if hooks are allowed', () => {
  it.each([
    [
      'a fixture',
      'test_a.py',
      PYTHON,
      `${PYTHON}\n\n@pytest.fixture(autouse=True)\ndef fresh():\n    yield\n    conf.clear()\n`,
    ],
    ['tearDown', 'test_a.py', UNITTEST, `${UNITTEST}\n    def tearDown(self):\n        clear()\n`],
    ['a method of JUnit', 'ATest.java', JAVA, JAVA.replace('@Test', '@AfterEach void clear() { reset(); }\n  @Test')],
    ['afterEach', 'a.test.js', SCRIPT, `afterEach(() => clear());\n${SCRIPT}`],
  ])('%s', async (_what, path, before, after) => {
    expect(await otherThanAdded(path, before, after, false)).toHaveLength(1);
    expect(await otherThanAdded(path, before, after, true)).toEqual([]);
  });

  it.each([
    ['a hook of the whole session', 'conftest.py', PYTHON, `${PYTHON}\n\ndef pytest_runtest_call(item):\n    pass\n`],
    ['a hook before all', 'a.test.js', SCRIPT, `before(() => clear());\n${SCRIPT}`],
    ['a case that says less', 'a.test.js', SCRIPT, "afterEach(() => clear());\ntest('a', () => assert.ok(a()));\n"],
    [
      'a fixture with the name of what a case uses',
      'test_a.py',
      PYTHON,
      `${PYTHON}\n\n@pytest.fixture\ndef conf():\n    return 1\n`,
    ],
  ])('and never %s', async (_what, path, before, after) => {
    expect(await otherThanAdded(path, before, after, true)).not.toEqual([]);
  });
});

describe('a case of RSpec', () => {
  const withCase = (head: string) => SPEC.replace(/end\n$/, `  ${head} do\n    expect(b).to eq(2)\n  end\nend\n`);

  it.each(["it 'b'", "specify 'b'", "it 'b', :slow"])('is an addition: %s', async (head) => {
    expect(await otherThanAdded('a_spec.rb', SPEC, withCase(head), false)).toEqual([]);
  });

  it('may have a title that a loop around it binds', async () => {
    const loop = '  [1, 2].each do |n|\n    it "b #{n}" do\n      expect(b).to eq(n)\n    end\n  end\nend\n';
    expect(await otherThanAdded('a_spec.rb', SPEC, SPEC.replace(/end\n$/, loop), false)).toEqual([]);
  });

  it.each([
    ['that is focused leaves out the others', "it 'b', :focus"],
    ['whose title calls something while the file loads', 'it clear()'],
    ['whose title is a method by its bare name', 'it clear'],
    ['with a method by its bare name in its title', 'it "b #{clear}"'],
    ['that calls something while the file loads', "it 'b', slow: clear()"],
  ])('%s', async (_what, head) => {
    expect(await otherThanAdded('a_spec.rb', SPEC, withCase(head), false)).not.toEqual([]);
  });
});

describe('a case in front of the others is an addition, whatever blank lines are around it', () => {
  it.each([
    [
      'test_a.py',
      'class T(TestCase):\n',
      '\n    def test_a(self):\n        self.assertEqual(a(), 1)\n',
      '    def test_b(self):\n        self.assertEqual(b(), 2)\n',
    ],
    [
      'a.test.js',
      "describe('a', () => {\n",
      "\n  it('a', () => assert.equal(a(), 1));\n});\n",
      "  it('b', () => assert.equal(b(), 2));\n",
    ],
    [
      'ATest.java',
      'class ATest {\n',
      '\n  @Test void a() { assertEquals(1, a()); }\n}\n',
      '  @Test void b() { assertEquals(2, b()); }\n',
    ],
    [
      'a_spec.rb',
      "describe 'a' do\n",
      "\n  it 'a' do\n    expect(a).to eq(1)\n  end\nend\n",
      "  it 'b' do\n    expect(b).to eq(2)\n  end\n",
    ],
  ])('%s', async (path, head, rest, added) => {
    expect(await otherThanAdded(path, head + rest, head + added + rest, false)).toEqual([]);
    expect(await otherThanAdded(path, head + rest, head + added + rest.slice(1), false)).toEqual([]);
  });
});
