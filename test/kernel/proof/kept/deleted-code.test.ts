import { describe, expect, it } from 'vitest';
import type { SourceText } from '../../../../src/kernel/proof/findings/finding.ts';
import { deletedCode } from '../../../../src/kernel/proof/kept/deleted-code.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => 0);

async function source(text: string): Promise<SourceText> {
  const tree = await parse('javascript', text);
  if (tree.kind !== 'parsed') throw new Error('it is not parsed');
  return { root: tree.root, text };
}

const deleted = async (before: string, after: string | null) =>
  deletedCode(await source(before), after === null ? null : await source(after));

const TWO = 'function one() {\n  return 1;\n}\nfunction two() {\n  return 2;\n}\n';
const ONE = 'function one() {\n  return 1;\n}\n';

describe('exports of CommonJS go with what they export', () => {
  it.each([
    ['a whole file', `${ONE}module.exports = { one };\n`, null, ['one']],
    ['a file with one export', `${ONE}module.exports = one;\n`, null, ['one']],
    ['a file that exports under another name', `${ONE}module.exports = { first: one };\n`, null, ['one', 'first']],
    ['one entry of a list', `${TWO}module.exports = { one, two };\n`, `${ONE}module.exports = { one };\n`, ['two']],
    ['one entry of a list of ES', `${TWO}export { one, two };\n`, `${ONE}export { one };\n`, ['two']],
    [
      'a function that is an export',
      'exports.one = () => 1;\nexports.two = () => 2;\n',
      'exports.one = () => 1;\n',
      ['two'],
    ],
  ])('%s', async (_, before, after, names) => {
    const code = await deleted(before, after);
    expect(code.doubts).toEqual([]);
    expect(code.names).toEqual(names);
    expect(code.exported).toContain(names.at(-1));
  });

  it.each([
    ['what is computed', 'module.exports = make();\n', null],
    ['what another file exports', "module.exports = { ...require('./all') };\n", null],
    ['a computed key', "module.exports = { ['a' + b]: one };\n", null],
    ['a global', 'globalThis.one = () => 1;\n', null],
    ['a member of something else', 'tool.exports.one = () => 1;\n', null],
    ['a list that becomes a call', `${ONE}module.exports = { one };\n`, `${ONE}module.exports = wrap({ one });\n`],
  ])('but not %s', async (_, before, after) => {
    expect((await deleted(before, after)).doubts).not.toEqual([]);
  });
});
