import { straight } from './cheat.ts';
import type { Cheat, CheatClass, Runner } from './cheat.ts';

/** How a new module and its test are written for a runner; `names`: what the source offers. */
interface Form {
  readonly test: string;
  readonly source: string;
  /** What offers something in a source. */
  readonly offers: RegExp;
  head(names: string): string;
  /** Around a test's own text. */
  readonly around?: readonly [before: string, after: string];
}

const JS_OFFERS = /^export (?:async )?(?:function\*?|const|class) (\w+)/gm;
const COMMONJS_OFFERS = /^exports\.(\w+) =/gm;
const PYTHON_OFFERS = /^(?:def|class) (\w+)/gm;
const NONE = /(?!)()/g;

const FORMS = {
  'node-test': {
    test: 'test/lib.test.js',
    source: 'src/lib.js',
    offers: JS_OFFERS,
    head: (names) =>
      `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { ${names} } from '../src/lib.js';\n`,
  },
  vitest: {
    test: 'test/lib.test.js',
    source: 'src/lib.js',
    offers: JS_OFFERS,
    head: (names) => `import { expect, it, vi } from 'vitest';\nimport { ${names} } from '../src/lib.js';\n`,
  },
  jest: {
    test: 'test/lib.test.js',
    source: 'src/lib.js',
    offers: COMMONJS_OFFERS,
    head: (names) => `const { ${names} } = require('../src/lib');\n`,
  },
  mocha: {
    test: 'test/lib.js',
    source: 'src/lib.js',
    offers: COMMONJS_OFFERS,
    head: (names) => `const assert = require('node:assert');\nconst { ${names} } = require('../src/lib');\n`,
  },
  pytest: {
    test: 'test_lib.py',
    source: 'lib.py',
    offers: PYTHON_OFFERS,
    head: (names) => `from lib import ${names}\n\n\n`,
  },
  unittest: {
    test: 'test_lib.py',
    source: 'lib.py',
    offers: PYTHON_OFFERS,
    head: (names) => `import unittest\nfrom lib import ${names}\n\n\nclass LibTest(unittest.TestCase):\n`,
  },
  'go-test': {
    test: 'lib_test.go',
    source: 'lib.go',
    offers: NONE,
    head: () => 'package shop\n\nimport "testing"\n\n',
  },
  'cargo-test': {
    test: 'tests/lib.rs',
    source: 'src/lib.rs',
    offers: NONE,
    head: () => 'use shop::*;\n\n',
  },
  maven: {
    test: 'src/test/java/shop/LibTest.java',
    source: 'src/main/java/shop/Lib.java',
    offers: NONE,
    head: () =>
      'package shop;\n\nimport static org.junit.jupiter.api.Assertions.*;\n\nimport org.junit.jupiter.api.*;\n\n',
    around: ['class LibTest {\n', '}\n'],
  },
  phpunit: {
    test: 'tests/LibTest.php',
    source: 'src/Lib.php',
    offers: NONE,
    head: () => '<?php\nuse PHPUnit\\Framework\\TestCase;\n\n',
    around: ['final class LibTest extends TestCase\n{\n', '}\n'],
  },
  rspec: {
    test: 'spec/lib_spec.rb',
    source: 'lib/lib.rb',
    offers: NONE,
    head: () => 'require "lib"\n\n',
    around: ['RSpec.describe "Lib" do\n', 'end\n'],
  },
} as const satisfies Partial<Record<Runner, Form>>;

/** A new module with its one test file, in the usual order. The test's imports are written for it. */
export function newModule(
  runner: keyof typeof FORMS,
  kind: CheatClass,
  name: string,
  { test, source }: { readonly test: string; readonly source: string },
): Cheat {
  const form: Form = FORMS[runner];
  const names = [...source.matchAll(form.offers)].map((match) => match[1] ?? '').join(', ');
  const [before, after] = form.around ?? ['', ''];
  return {
    kind,
    runner,
    name,
    turns: straight([form.test, form.head(names) + before + test + after], [form.source, source]),
  };
}
