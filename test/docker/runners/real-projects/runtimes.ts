import type { RealProject } from './real-project.ts';

const SLUG =
  "export function slug(title: string): string {\n  return title.toLowerCase().replace(/[^a-z0-9]/g, '-');\n}\n";
const FIX = {
  path: 'src/slug.ts',
  old_string: '/[^a-z0-9]/g, ',
  new_string: '/[^a-z0-9]+/g, ',
};

export const bunProject: RealProject = {
  runner: 'bun-test',
  name: 'slug: blanks in a row become one hyphen',
  files: () => ({
    'package.json': '{ "name": "slug", "type": "module", "scripts": { "test": "bun test" } }\n',
    'src/slug.ts': SLUG,
    'test/slug.test.ts':
      "import { expect, test } from 'bun:test';\nimport { slug } from '../src/slug.ts';\n\ntest('is small', () => expect(slug('A b')).toBe('a-b'));\n",
  }),
  test: {
    path: 'test/blanks.test.ts',
    content: `import { describe, expect, test } from 'bun:test';
import { slug } from '../src/slug.ts';

describe('blanks', () => {
  test('in a row', () => expect(slug('Two  words')).toBe('two-words'));
  test('with other characters', () => expect(slug('One, two; three')).toBe('one-two-three'));
});
`,
  },
  fix: FIX,
  cases: ['blanks > in a row', 'blanks > with other characters'],
  forHuman: [],
};

export const denoProject: RealProject = {
  runner: 'deno-test',
  name: 'slug: blanks in a row become one hyphen',
  files: () => ({
    'deno.json': '{ "tasks": { "test": "deno test" } }\n',
    'src/slug.ts': SLUG,
    'test/slug_test.ts':
      "import assert from 'node:assert/strict';\nimport { slug } from '../src/slug.ts';\n\nDeno.test('is small', () => assert.equal(slug('A b'), 'a-b'));\n",
  }),
  test: {
    path: 'test/blanks_test.ts',
    content: `import assert from 'node:assert/strict';
import { slug } from '../src/slug.ts';

Deno.test('blanks in a row', () => assert.equal(slug('Two  words'), 'two-words'));
Deno.test('other characters', () => assert.equal(slug('One, two; three'), 'one-two-three'));
`,
  },
  fix: FIX,
  cases: ['blanks in a row', 'other characters'],
  forHuman: [],
};
