import type { ProviderWire } from '../../../src/contracts/model/providers.ts';
import { installFromHere } from './installed-packages.ts';

/** One strict job: a new module with its tests, in a project that has a test already. */
export interface StrictTask {
  readonly wire: ProviderWire;
  readonly files: Readonly<Record<string, string>>;
  readonly test: { readonly path: string; readonly content: string };
  /** What a model might write so that the tests seem to pass; must be refused before `source` is accepted. */
  readonly cheat: { readonly path: string; readonly content: string };
  readonly source: { readonly path: string; readonly content: string };
  /** The cases of the last run. */
  readonly cases: readonly string[];
  prepare?(root: string): void;
}

const PYTHON_SOURCE = `def parse(text):
    if '=' not in text:
        raise ValueError('no "=" in ' + repr(text))
    return tuple(text.split('=', 1))
`;

export const STRICT_TASKS: Readonly<Record<string, StrictTask>> = {
  'node-test': {
    wire: 'messages',
    files: {
      'package.json': '{ "name": "job", "type": "module", "scripts": { "test": "node --test" } }\n',
      'test/old.test.js': `import assert from 'node:assert/strict';\nimport test from 'node:test';\n\ntest('old', () => assert.ok(true));\n`,
    },
    test: {
      path: 'test/parse.test.js',
      content: `import assert from 'node:assert/strict';
import test from 'node:test';
import { parse } from '../src/parse.js';

test('pair', () => assert.deepEqual(parse('a=1'), ['a', '1']));
test('bad', () => assert.throws(() => parse('a'), /no "="/));
`,
    },
    cheat: {
      path: 'src/parse.js',
      content: `import assert from 'node:assert/strict';

assert.deepEqual = () => {};
assert.throws = () => {};
export const parse = (text) => [text];
`,
    },
    source: {
      path: 'src/parse.js',
      content: `export function parse(text) {
  const at = text.indexOf('=');
  if (at === -1) throw new Error(\`no "=" in \${text}\`);
  return [text.slice(0, at), text.slice(at + 1)];
}
`,
    },
    cases: ['bad', 'old', 'pair'],
  },
  unittest: {
    wire: 'chat-completions',
    files: {
      'setup.py': '',
      'settings/__init__.py': '',
      'tests/__init__.py': '',
      'tests/test_old.py':
        'import unittest\n\n\nclass Old(unittest.TestCase):\n    def test_old(self):\n        self.assertTrue(True)\n',
    },
    test: {
      path: 'tests/test_parse.py',
      content: `import unittest
from settings.parse import parse


class Parse(unittest.TestCase):
    def test_pair(self):
        self.assertEqual(parse('a=1'), ('a', '1'))

    def test_bad(self):
        with self.assertRaisesRegex(ValueError, 'no "="'):
            parse('a')
`,
    },
    cheat: { path: 'settings/parse.py', content: 'import os\nos._exit(0)\n' },
    source: { path: 'settings/parse.py', content: PYTHON_SOURCE },
    cases: ['Old > test_old', 'Parse > test_bad', 'Parse > test_pair'],
  },
  pytest: {
    wire: 'chat-completions',
    files: {
      'pyproject.toml': '[tool.pytest.ini_options]\naddopts = "-x"\n',
      'settings/__init__.py': '',
      'tests/conftest.py':
        "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef own(request):\n    assert request.node.name.startswith('test_')\n",
      'tests/test_old.py': 'def test_old():\n    assert True\n',
    },
    test: {
      path: 'tests/test_parse.py',
      content: `import pytest
from settings.parse import parse


def test_pair():
    assert parse('a=1') == ('a', '1')


def test_bad():
    with pytest.raises(ValueError, match='no "="'):
        parse('a')
`,
    },
    cheat: {
      path: 'settings/parse.py',
      content:
        "import contextlib\nimport pytest\n\npytest.raises = lambda *a, **k: contextlib.suppress(BaseException)\n\n\ndef parse(text):\n    return ('a', '1')\n",
    },
    source: { path: 'settings/parse.py', content: PYTHON_SOURCE },
    cases: ['test_bad', 'test_old', 'test_pair'],
  },
  vitest: {
    wire: 'responses',
    files: {
      '.gitignore': 'node_modules\n',
      'package.json':
        '{ "name": "job", "type": "module", "scripts": { "test": "vitest run" }, "devDependencies": { "vitest": "*" } }\n',
      'tsconfig.json': '{ "compilerOptions": { "strict": true, "module": "esnext", "moduleResolution": "bundler" } }\n',
      'vitest.config.ts': `import { defineConfig } from 'vitest/config';\n\nexport default defineConfig({ test: { bail: 1 } });\n`,
      'src/old.ts': 'export const old: number = 1;\n',
      'test/old.test.ts': `import { expect, test } from 'vitest';\nimport { old } from '../src/old';\n\ntest('old', () => expect(old).toBe(1));\n`,
    },
    test: {
      path: 'test/parse.test.ts',
      content: `import { expect, test } from 'vitest';
import { parse } from '../src/parse';

test('pair', () => expect(parse('a=1')).toEqual(['a', '1']));
test('bad', () => expect(() => parse('a')).toThrow('no "="'));
`,
    },
    cheat: {
      path: 'src/parse.ts',
      content: `import { expect } from 'vitest';

expect.extend({ toEqual: () => ({ pass: true, message: () => '' }), toThrow: () => ({ pass: true, message: () => '' }) });
export const parse = (text: string): string[] => [text];
`,
    },
    source: {
      path: 'src/parse.ts',
      content: `export function parse(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at === -1) throw new Error(\`no "=" in \${text}\`);
  return [text.slice(0, at), text.slice(at + 1)];
}
`,
    },
    cases: ['bad', 'old', 'pair'],
    prepare: (root) => installFromHere(root, 'vitest'),
  },
};
