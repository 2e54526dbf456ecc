import { describe, expect, it } from 'vitest';
import { inspectChange } from '../../../../src/kernel/proof/findings/inspect-change.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';
import { ASKING, OTHER_QUESTIONS } from './double-questions.ts';

const parse = syntaxParser(() => 0);
const FACTS = { reported: [], isTest: (path: string) => path.startsWith('test/'), isCode: () => true, unread: [] };

async function placesOf(path: string, after: string, before: string | null = null) {
  const found = await inspectChange([{ path, role: 'source', before, after }], parse, FACTS);
  return found.filter(({ kind }) => kind === 'asks-if-tested');
}

describe('a source that checks for a test double is a finding', () => {
  it.each(ASKING)('in %s: %s', async (path, text) => {
    expect(await placesOf(path, text)).toHaveLength(1);
  });
});

describe('a source that checks something else is no finding', () => {
  it.each(OTHER_QUESTIONS)('in %s: %s', async (path, text) => {
    expect(await placesOf(path, text)).toEqual([]);
  });
});

describe('a question about a type of the same change', () => {
  const text =
    'export class FakeNews {}\nexport function f(found) {\n  return found.constructor.name === "FakeNews";\n}\n';
  const source = { path: 'src/f.js', role: 'source', before: null, after: text } as const;
  const kindsWith = async (test: string) => {
    const after = `import test from 'node:test';\nimport assert from 'node:assert';\n${test}`;
    const found = await inspectChange(
      [source, { ...source, path: 'test/f.test.js', role: 'test', after }],
      parse,
      FACTS,
    );
    return found.map(({ kind }) => kind);
  };

  it('is no finding, unless a test declares a type of this name too', async () => {
    expect(await kindsWith("test('a', () => assert.equal(f(1), false));\n")).toEqual([]);
    expect(await kindsWith("class FakeNews {}\ntest('a', () => assert.equal(f(new FakeNews()), true));\n")).toContain(
      'asks-if-tested',
    );
  });
});

it('a check that existed before is no finding, and a check of a new constant is a finding', async () => {
  const old = "const KNOWN = 'Sql';\nexport const f = (a) => a.constructor.name.startsWith(KNOWN);\n";
  const now = old.replace('Sql', 'Fake');
  expect(await placesOf('src/f.js', `${now}export const g = 1;\n`, now)).toEqual([]);
  expect(await placesOf('src/f.js', now, old)).toHaveLength(1);
});
