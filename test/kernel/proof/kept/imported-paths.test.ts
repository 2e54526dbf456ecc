import { expect, it } from 'vitest';
import type { SyntaxLanguage } from '../../../../src/contracts/ports/syntax.ts';
import { importedPaths } from '../../../../src/kernel/proof/kept/imported-files.ts';
import { sourceText } from '../../../../src/kernel/proof/read-text.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => 0);

/** For each import of a file, the first places that it may be at. */
it.each<readonly [string, SyntaxLanguage, string, readonly string[]]>([
  ['src/a.js', 'javascript', "import b from './b.js';\nexport * from '../c.ts';\n", ['src/b.js', 'c.ts']],
  ['src/a.js', 'javascript', "const b = require('./b');\nconst c = await import('./c.js');\n", ['src/b', 'src/c.js']],
  ['src/a.js', 'javascript', "import x from 'lodash';\nload('./b.js');\nrequire(name);\n", []],
  ['app/a.py', 'python', 'import b\nimport c.d as e\n', ['b.py', 'c/d.py']],
  ['app/a.py', 'python', 'from .b import f\nfrom . import g\n', ['app/b.py', 'app/b/f.py', 'app.py', 'app/g.py']],
  ['lib/a.rb', 'ruby', "require 'b'\nrequire_relative 'c'\nload 'd.rb'\n", ['lib/b.rb', 'lib/c.rb', 'lib/d.rb']],
  ['lib/a.rb', 'ruby', "puts 'b'\nrequire name\n", []],
  ['src/a.cpp', 'cpp', '#include "b.h"\n#include <vector>\n', ['src/b.h', 'src/b.cpp', 'src/vector', 'src/vector']],
  ['a.go', 'go', 'package a\n\nimport "b"\n', []],
])('%s in %s: %j', async (path, language, text, first) => {
  const source = await sourceText(parse, path, text);
  if (!source) throw new Error('no syntax');
  const found = importedPaths(source, { path, language, projectRoot: '/project' });
  expect(found.map((places) => places[0])).toEqual(first);
});
