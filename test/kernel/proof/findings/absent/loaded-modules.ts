type File = readonly [path: string, text: string];

export interface Loading {
  readonly what: string;
  readonly source: File;
  /** The source in HEAD; default: it is new. */
  readonly before?: string;
  readonly test?: File;
  /** Unchanged files of the project. */
  readonly others?: Readonly<Record<string, string>>;
  /** More changed sources. */
  readonly changed?: Readonly<Record<string, string>>;
  /** Files and directories that git ignores. */
  readonly ignored?: readonly string[];
}

type More = Omit<Loading, 'what' | 'source'>;

const at =
  (path: string) =>
  (what: string, text: string, more: More = {}): Loading => ({ what, source: [path, text], ...more });

const js = at('src/mul.js');
const ts = at('src/mul.ts');
const py = at('shop/mul.py');
const rb = at('lib/mul.rb');
const php = at('src/Mul.php');

const MUL = 'export const mul = (a, b) => engine(a, b);\n';
const IMPORTS = `import { engine } from './engine.js';\n${MUL}`;
const TRIES = "let engine;\ntry {\n  engine = require('./engine');\n} catch {\n  engine = null;\n}\n";
const PACKAGE = { 'shop/__init__.py': '' };
const GUARDED_PY = 'try:\n    from .speed import mul\nexcept ImportError:\n    def mul(a, b):\n        return a * b\n';
const OF_SPEED: File = ['tests/test_a.py', 'import sys\nsys.modules["shop.speed"] = Fake()\n'];

const USES_ACME = `const { product } = require('acme-engine');\n${MUL}`;
const MOCKS = (name: string): File => ['test/a.test.js', `jest.mock('${name}', () => ({}), { virtual: true });\n`];
const USES_RATES = `import { rate } from '@/rates';\n${MUL}`;
const USES_ACME_IN_PYTHON = 'from acme_engine import product\n';
const FAKES_ACME: File = ['tests/test_a.py', 'import sys\nsys.modules["acme_engine"] = Fake()\n'];

export const ABSENT: readonly Loading[] = [
  js('a package that a test mocks', USES_ACME, { test: MOCKS('acme-engine'), others: { 'package.json': '{}' } }),
  js('a package that a file of mocks is', USES_ACME, { test: ['test/__mocks__/acme-engine.js', ''] }),
  js('a part of a package that a test mocks as a whole', "import '@acme/engine/mul.js';\n", {
    test: MOCKS('@acme/engine'),
  }),
  js('a path behind an alias that is an installed file', USES_RATES, {
    test: MOCKS('@/rates'),
    others: { 'node_modules/rates.js': '' },
  }),
  py('a package that is in a hidden directory', USES_ACME_IN_PYTHON, {
    test: FAKES_ACME,
    others: { '.cache/acme_engine.py': '' },
  }),
  js('a part of a package', "import '@acme/engine/mul.js';\n", { test: MOCKS('@acme/engine/mul.js') }),
  js('a path behind an alias', USES_RATES, { test: MOCKS('@/rates'), others: { 'test/rates.js': '' } }),
  py('a package that a test puts among the loaded ones', USES_ACME_IN_PYTHON, {
    test: FAKES_ACME,
    others: { 'tests/acme_engine.py': '', 'pyproject.toml': '[project]\nname = "shop"\n' },
  }),
  js('an import', IMPORTS),
  js('a requirement', `const engine = require('./engine');\n${MUL}`),
  js('an import at run time', "export const mul = async (a, b) => (await import('./engine.js')).mul(a, b);\n"),
  js('an export of another module', "export { mul } from './engine.js';\n"),
  js('a module that only a test is', IMPORTS, { others: { 'src/engine.test.js': '', 'test/engine.js': '' } }),
  js('a document of that name', IMPORTS, { others: { 'src/engine.md': '' } }),
  js('an import that the change adds', `import './a.js';\n${IMPORTS}`, {
    before: "import './a.js';\n",
    others: { 'src/a.js': '' },
  }),
  js('a module that the change ignores', IMPORTS, {
    ignored: ['src/engine.js'],
    changed: { '.gitignore': 'src/engine.js\n' },
  }),
  js('a directory of tests alone', "import { engine } from './engine';\n", { others: { 'src/engine/a.test.js': '' } }),
  js('a directory of stories alone', "import './engine';\n", { others: { 'src/engine/a.stories.js': '' } }),
  js('a directory below the tests', "import '../test/engine';\n", { others: { 'test/engine/a.js': '' } }),
  js('a file whose name is as long', IMPORTS, { others: { 'src/motors.js': '' } }),
  js('one in a try that catches nothing', "try {\n  require('./engine');\n} finally {\n  close();\n}\n"),
  js('one that it asks itself', "if (require('./engine').exists) g();\n"),
  rb(
    'one that a method loads where another is missing',
    "def f\n  g\nrescue LoadError\n  require_relative 'engine'\nend\n",
  ),
  js('one that it loads where another is missing', "try {\n  g();\n} catch {\n  require('./engine');\n}\n"),
  js('one that it may go without, and that a test names', TRIES, {
    test: ['test/a.test.js', "jest.mock('../src/engine', () => (a, b) => a * b, { virtual: true });\n"],
  }),
  js('one that it asks for, and that a test names', "if (existsSync(path)) require('./engine');\n", {
    test: ['test/a.test.js', "Module._cache['/src/engine.js'] = {};\n"],
  }),
  ts('types of the change alone', `import { engine } from './engine.js';\n`, {
    changed: { 'src/engine.d.ts': 'export function engine(a: number, b: number): number;\n' },
  }),
  ts('an import by TypeScript itself', "import engine = require('./engine');\n"),
  py('a module of its package', 'from .engine import mul\n', { others: PACKAGE }),
  py('a module by its package', 'from . import engine\n', { others: PACKAGE }),
  py('a module beside it in a plain directory', 'from .engine import mul\n'),
  py('a module in a branch', 'if a:\n    from .engine import mul\n', { others: PACKAGE }),
  py('a module beside a mention of type checkers', 'from .engine import mul\ncheck = TYPE_CHECKING', {
    others: PACKAGE,
  }),
  py('one in a try that catches nothing', 'try:\n    from .engine import mul\nfinally:\n    close()\n', {
    others: PACKAGE,
  }),
  py('a module whose name is in its package', 'from .engine import mul\n', {
    others: { 'shop/__init__.py': 'engine = 1\n' },
  }),
  py('a module by its whole name', 'from shop.engine import mul\n', { others: PACKAGE }),
  py('a module by its whole name, imported', 'import shop.engine\n', { others: PACKAGE }),
  py('one in a package below', 'from .core.engine import mul\n', {
    others: { ...PACKAGE, 'shop/core/__init__.py': '' },
  }),
  py('one that it may go without, and that a test names', GUARDED_PY, { others: PACKAGE, test: OF_SPEED }),
  rb('a file beside it', "require_relative 'engine'\n"),
  rb('one in a begin that rescues nothing', "begin\n  require_relative 'engine'\nensure\n  close\nend\n"),
  rb('a file in a directory', "require_relative '../ext/engine.rb'\n"),
  php('a file beside it', "<?php\nrequire __DIR__ . '/engine.php';\n"),
  php('a file above', "<?php\nrequire_once(dirname(__DIR__) . '/lib/engine.php');\n"),
];

export const PRESENT: readonly Loading[] = [
  js('a declared package that a test mocks', USES_ACME, {
    test: MOCKS('acme-engine'),
    others: { 'package.json': '{ "peerDependencies": { "acme-engine": "1" } }' },
  }),
  js('an installed package that a test mocks', USES_ACME, {
    test: MOCKS('acme-engine'),
    others: { 'node_modules/acme-engine/package.json': '{}' },
  }),
  js('a package that no test replaces', USES_ACME, {
    test: ['test/a.test.js', "import { product } from 'acme-engine';\n"],
  }),
  js('a module of Node that a test mocks', "import { readFile } from 'fs/promises';\n", { test: MOCKS('fs/promises') }),
  js('a path behind an alias that is there', USES_RATES, { test: MOCKS('@/rates'), others: { 'app/rates.ts': '' } }),
  js('what the source loaded before, and a test mocks', `${USES_ACME}export const more = 1;\n`, {
    before: USES_ACME,
    test: MOCKS('acme-engine'),
  }),
  py('a declared package that a test replaces', USES_ACME_IN_PYTHON, {
    test: FAKES_ACME,
    others: { 'requirements/dev.txt': 'pytest\nAcme-Engine==1.2\n' },
  }),
  py('a package that only types need', `if TYPE_CHECKING:\n    ${USES_ACME_IN_PYTHON}`, { test: FAKES_ACME }),
  py('a function with the name of what a test replaces', 'def acme_engine():\n    return 1\n', { test: FAKES_ACME }),
  py('an installed package that a test replaces', USES_ACME_IN_PYTHON, {
    test: FAKES_ACME,
    others: { '.venv/lib/python3.12/site-packages/acme_engine/__init__.py': '' },
  }),
  py('a module of the project that a test replaces', USES_ACME_IN_PYTHON, {
    test: FAKES_ACME,
    others: { 'libs/acme_engine.py': '' },
  }),
  py('a module of one system alone', 'import winreg\n', {
    test: ['tests/test_a.py', 'import sys\nsys.modules["winreg"] = Fake()\n'],
  }),
  py(
    "a module of Python's own, whose name a test has for something else",
    'import json\nimport xml.etree.ElementTree\n',
    {
      test: ['tests/test_a.py', 'def test_a():\n    assert kinds() == ["json", "xml"]\n'],
    },
  ),
  py('a package that a test asks for', 'import numpy\n', {
    test: ['tests/test_a.py', 'import pytest\npytest.importorskip("numpy")\n'],
  }),
  js('a module that is there', IMPORTS, { others: { 'src/engine.js': '' } }),
  js('a module of the change', IMPORTS, { changed: { 'src/engine.js': 'export const engine = 1;\n' } }),
  js('one without its ending', "import './engine';\n", { others: { 'src/engine.mjs': '' } }),
  js('an index', "import './engine';\nimport '..';\nimport '.';\nimport './engine/';\n", {
    others: { 'src/engine/index.js': '', 'index.js': '', 'src/index.js': '' },
  }),
  js(
    'data, styles and parts of pages',
    "import './a.json';\nimport './b.css';\nimport './c.vue';\nimport './d.svelte';\nimport './e.svg?raw';\n",
    {
      others: { 'src/a.json': '', 'src/b.css': '', 'src/c.vue': '', 'src/d.svelte': '', 'src/e.svg': '' },
    },
  ),
  js('a part of a page without its ending', "import './c';\n", { others: { 'src/c.vue': '' } }),
  js(
    'packages and names for paths',
    "import 'engine';\nimport '@/engine';\nimport '#engine';\nimport 'node:fs';\nimport '@own/engine/x.js';\n",
  ),
  js('an installed file', "import '../node_modules/engine/index.js';\n"),
  js('a file for each platform', "import './engine';\n", {
    others: { 'src/engine.ios.js': '', 'src/engine.android.js': '' },
  }),
  js('what git ignores', "import './generated/client.js';\n", { ignored: ['src/generated'] }),
  js('what the source loaded before', `${IMPORTS}export const more = 1;\n`, { before: IMPORTS }),
  js('what it may go without', TRIES),
  js('what it may go without, whose name is no text of a test', TRIES, {
    test: ['test/a.test.js', 'const engine = 1;\n'],
  }),
  js('a path that is given to another function', "start('./engine.js');\n"),
  js('what it asks for', "if (existsSync(path)) require('./engine');\n"),
  js('what it may go without, by a promise', "import('./engine.js').catch(() => null);\n"),
  js('a path that is computed', "require(`./${'engine'}`);\nrequire(name);\n"),
  ts('the name of what it is compiled to', "import './engine.js';\nimport './more.mjs';\nimport './page.jsx';\n", {
    others: { 'src/engine.ts': '', 'src/more.mts': '', 'src/page.tsx': '' },
  }),
  ts('a name with a point', "import './engine.service';\n", { others: { 'src/engine.service.ts': '' } }),
  ts('types that the project has', "import './engine';\n", { others: { 'src/engine.d.ts': '' } }),
  ts('types that the project had before the change', "import './engine';\n", {
    others: { 'src/engine.d.ts': '' },
    changed: { 'src/engine.d.ts': 'export {};\n' },
  }),
  ts(
    'what only types need',
    "import type { Engine } from './engine.ts';\nexport type { Other } from './other.ts';\nimport { type A, type B } from './more.ts';\n",
  ),
  py('a module that is there', 'from .engine import mul\nfrom . import engine\nimport shop.engine\n', {
    others: { ...PACKAGE, 'shop/engine.py': '' },
  }),
  py('a built module', 'from .engine import mul\n', {
    others: { ...PACKAGE, 'shop/engine.cpython-312-x86_64-linux-gnu.so': '' },
  }),
  py('a package below', 'from .engine import mul\n', { others: { ...PACKAGE, 'shop/engine/__init__.py': '' } }),
  py('a name of the package', 'from . import engine\n', { others: { 'shop/__init__.py': 'engine = 1\n' } }),
  py('a package that finds its modules', 'from shop.engine import mul\n', {
    others: { 'shop/__init__.py': '__path__ = extend_path(__path__, __name__)\n' },
  }),
  py('installed packages', 'import numpy.linalg\nfrom google.cloud import storage\nimport engine\n', {
    others: { ...PACKAGE, 'google/x.py': '' },
  }),
  py('modules of plain directories', 'from shop.engine import mul\nfrom ..core.engine import div\n'),
  py('what only types need', 'from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .engine import Engine\n', {
    others: PACKAGE,
  }),
  py('what it may go without', GUARDED_PY, { others: PACKAGE }),
  py('what git ignores', 'from ._version import version\n', { others: PACKAGE, ignored: ['shop/_version.py'] }),
  rb(
    'a file beside it, and what is installed',
    "require_relative 'engine'\nrequire_relative './more.rb'\nrequire 'json'\n",
    {
      others: { 'lib/engine.rb': '', 'lib/more.rb': '' },
    },
  ),
  rb('what a method may go without', "def f\n  require_relative 'engine'\nrescue LoadError\n  nil\nend\n"),
  rb('what it may go without', "begin\n  require_relative 'engine'\nrescue LoadError\n  nil\nend\n"),
  php('what a search path has', "<?php\nrequire 'engine.php';\nrequire $place . './engine.php';\n"),
  php(
    'a file beside it, and what is installed',
    "<?php\nrequire __DIR__ . '/engine.php';\nrequire __DIR__ . '/../vendor/autoload.php';\nrequire $path;\n",
    {
      others: { 'src/engine.php': '' },
    },
  ),
];
