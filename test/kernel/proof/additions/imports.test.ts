import { describe, expect, it } from 'vitest';
import { whatElseThanAdded } from '../../../../src/kernel/proof/additions/only-adds.ts';
import { sourceText } from '../../../../src/kernel/proof/read-text.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => 0);

async function otherThanAdded(path: string, before: string, after: string): Promise<string[]> {
  const [old, now] = [await sourceText(parse, path, before), await sourceText(parse, path, after)];
  if (!old || !now) throw new Error('no syntax');
  return whatElseThanAdded(old, now, { hooks: false });
}

const SCRIPT = "test('a', () => assert.equal(a(), 1));\n";
const PYTHON = 'def test_a():\n    assert a() == 1\n';
const RUST = '#[test]\nfn one() {\n    assert_eq!(a(), 1);\n}\n';

describe('beside the old cases, these are additions', () => {
  it.each<readonly [string, string, string, string]>([
    [
      'one name more of a module',
      'a.test.js',
      `import { a } from './a.js';\n${SCRIPT}`,
      `import { a, b } from './a.js';\n${SCRIPT}`,
    ],
    [
      'one name more that is required',
      'a.test.js',
      `const { a } = require('./a');\n${SCRIPT}`,
      `const { a, b: c } = require('./a');\n${SCRIPT}`,
    ],
    ['another module', 'a.test.js', SCRIPT, `import b from './b.js';\n${SCRIPT}`],
    ['another module that is required', 'a.test.js', SCRIPT, `const b = require('./b');\n${SCRIPT}`],
    ['a constant', 'a.test.js', SCRIPT, `const limit = 3;\n${SCRIPT}`],
    ['a function', 'a.test.js', SCRIPT, `function help() { return load(); }\n${SCRIPT}`],
    ['a module of Python', 'test_a.py', PYTHON, `import b\n\n\n${PYTHON}`],
    [
      'one name more of a module of Python',
      'test_a.py',
      `from m import a\n\n\n${PYTHON}`,
      `from m import a, b\n\n\n${PYTHON}`,
    ],
    ['a value of Python', 'test_a.py', PYTHON, `limit = 3\n\n\n${PYTHON}`],
    ['a case of Rust', 'tests/a.rs', RUST, `${RUST}\n#[test]\nfn two() {\n    assert_eq!(a(), 2);\n}\n`],
  ])('%s', async (_what, path, before, after) => {
    expect(await otherThanAdded(path, before, after)).toEqual([]);
  });
});

describe('these can change what the old cases do', () => {
  it.each<readonly [string, string, string, string]>([
    [
      'a name that is not imported any more',
      'a.test.js',
      `import { a, b } from './a.js';\n${SCRIPT}`,
      `import { a, c } from './a.js';\n${SCRIPT}`,
    ],
    [
      'the same name of another module',
      'a.test.js',
      `import { a } from './a.js';\n${SCRIPT}`,
      `import { a, b } from './b.js';\n${SCRIPT}`,
    ],
    [
      'a name that is not required any more',
      'a.test.js',
      `const { a, b } = require('./a');\n${SCRIPT}`,
      `const { a, c } = require('./a');\n${SCRIPT}`,
    ],
    [
      'the same name required of another module',
      'a.test.js',
      `const { a } = require('./a');\n${SCRIPT}`,
      `const { a, b } = require('./b');\n${SCRIPT}`,
    ],
    ['a module for its effect', 'a.test.js', SCRIPT, `import './effect.js';\n${SCRIPT}`],
    ['a constant that a call makes', 'a.test.js', SCRIPT, `const b = load('./b');\n${SCRIPT}`],
    ['a module with a name that is computed', 'a.test.js', SCRIPT, `const b = require(name);\n${SCRIPT}`],
    ['a module required with something else', 'a.test.js', SCRIPT, `const b = require('./b', clear);\n${SCRIPT}`],
    ['a module taken apart by place', 'a.test.js', SCRIPT, `const [b] = require('./b');\n${SCRIPT}`],
    ['two declarations at once', 'a.test.js', SCRIPT, `const b = require('./b'), c = load();\n${SCRIPT}`],
    ['an assignment within a declaration', 'a.test.js', SCRIPT, `const b = (a = 2);\n${SCRIPT}`],
    ['a value of Python that a call makes', 'test_a.py', PYTHON, `limit = load()\n\n\n${PYTHON}`],
    [
      'a name of Python of another module',
      'test_a.py',
      `from m import a\n\n\n${PYTHON}`,
      `from n import a, b\n\n\n${PYTHON}`,
    ],
    ['a case that hides what an old one uses', 'a.test.js', SCRIPT, `import { a } from './b.js';\n${SCRIPT}`],
    ['another mark on a case of Rust', 'tests/a.rs', RUST, `#[ignore]\n${RUST}`],
  ])('%s', async (_what, path, before, after) => {
    expect(await otherThanAdded(path, before, after)).not.toEqual([]);
  });
});
