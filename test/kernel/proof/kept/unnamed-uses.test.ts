import { expect, it } from 'vitest';
import { unnamedUse } from '../../../../src/kernel/proof/kept/unnamed-uses.ts';
import { languageOfFile } from '../../../../src/lib/syntax/language-of-file.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => 0);

async function use(path: string, text: string, hasFile: boolean): Promise<number | null> {
  const language = languageOfFile(path);
  const tree = language === null ? null : await parse(language, text);
  if (language === null || tree?.kind !== 'parsed') throw new Error(`${path} is not parsed`);
  const importer = { path, language, projectRoot: '/project' };
  const lost = { paths: new Set(['src/gone.js', 'lib/gone.py']), hasFile };
  return unnamedUse({ root: tree.root, text }, importer, lost)?.line ?? null;
}

it.each([
  ['export of all', 'src/a.js', "export * from './gone.js';\n"],
  ['export of all under a name', 'src/a.ts', "export * as all from './gone.js';\n"],
  ['require that is handed on', 'src/a.js', "module.exports = require('./gone');\n"],
  ['require spread', 'src/a.js', "module.exports = { ...require('./gone') };\n"],
  ['member by a computed name', 'src/a.js', "import * as all from './gone.js'; all['on' + x]();\n"],
  ['names of all members', 'src/a.js', "const all = require('./gone'); for (const k in all) run(k);\n"],
  ['module loaded late', 'src/a.js', "const all = await import('./gone.js'); run(all[x]);\n"],
  ['import of all', 'lib/a.py', 'from lib.gone import *\n'],
  ['import of all beside it', 'lib/a.py', 'from .gone import *\n'],
  ['attribute by a computed name', 'lib/a.py', 'from lib import gone; getattr(gone, x)()\n'],
  ['attribute of a module in a package', 'lib/a.py', 'import lib.gone; vars(lib.gone)[x]()\n'],
])('a use without a name: %s', async (_, path, text) => {
  expect(await use(path, text, false)).toBe(1);
});

it.each([
  ['a name', 'src/a.js', "import { one } from './gone.js'; one();\n"],
  ['a member', 'src/a.js', "import * as all from './gone.js'; all.one(); all['two']();\n"],
  ['members that are taken apart', 'src/a.js', "const { one } = require('./gone'); require('./gone').two();\n"],
  ['an effect alone', 'src/a.js', "import './gone.js'; require('./gone');\n"],
  ['another file', 'src/a.js', "export * from './other.js';\n"],
  ['a name', 'lib/a.py', 'from lib.gone import one\n'],
  ['an attribute', 'lib/a.py', 'import lib.gone\nfrom lib import gone as g\nlib.gone.one(); g.two()\n'],
])('a use with its name is found by it: %s', async (_, path, text) => {
  expect(await use(path, text, true)).toBeNull();
});

it.each([
  ['src/a.js', 'const one = await import(`./routes/${name}`);\n'],
  ['src/a.js', 'const one = require(path.join(here, name));\n'],
  ['lib/a.py', 'importlib.import_module("lib." + name)\n'],
])('a file that is gone may be loaded by a computed name: %s', async (path, text) => {
  expect(await use(path, text, true)).toBe(1);
  expect(await use(path, text, false)).toBeNull();
});
