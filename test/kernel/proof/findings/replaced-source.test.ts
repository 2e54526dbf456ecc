import { describe, expect, it } from 'vitest';
import { inspectChange } from '../../../../src/kernel/proof/findings/inspect-change.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';
import { DOUBLES } from './replaced-doubles.ts';
import { CART_JS, WORKING_TESTS } from './replaced-sources.ts';

const parse = syntaxParser(() => 0);
const FACTS = { reported: [], isTest: () => false, isCode: () => true, unread: [] };

type File = readonly [path: string, after: string];

async function kinds(
  [path, after]: File,
  source: File,
  before: string | null = null,
  sourceBefore: string | null = null,
) {
  const texts = [
    { path, role: 'test' as const, before, after },
    { path: source[0], role: 'source' as const, before: sourceBefore, after: source[1] },
  ];
  return (await inspectChange(texts, parse, FACTS)).map(({ kind }) => kind);
}

describe('a test that does the work of its source has a finding', () => {
  it.each(WORKING_TESTS)('$what', async ({ test, source }) => {
    expect(await kinds(test, source)).toContain('replaces-source');
  });
});

describe('a test that replaces a collaborator, or installs a test double, has no finding', () => {
  it.each(DOUBLES)('$what', async ({ test, source }) => {
    expect(await kinds(test, source)).not.toContain('replaces-source');
  });
});

describe('what was so before', () => {
  const test =
    "import { Cart } from '../src/cart.js';\nCart.prototype.total = function () { return this.items.length; };\n";
  const more = "it('totals', () => expect(new Cart([]).total()).toBe(0));\n";

  it('is no finding of this change', async () => {
    const found = await kinds(['test/cart.test.js', `${test}${more}`], ['src/cart.js', CART_JS], test);
    expect(found).not.toContain('replaces-source');
  });

  it('is a finding if the test adds it now', async () => {
    const found = await kinds(['test/cart.test.js', `${test}${more}`], ['src/cart.js', CART_JS], more, CART_JS);
    expect(found).toContain('replaces-source');
  });

  it('is a collaborator where the source called it and defined it before', async () => {
    const source = `${CART_JS}Cart.prototype.total = sum;\n`;
    expect(await kinds(['test/cart.test.js', test], ['src/cart.js', source], null, source)).not.toContain(
      'replaces-source',
    );
  });
});
