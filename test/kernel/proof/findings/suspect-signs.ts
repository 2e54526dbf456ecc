import { js, jsTest, py, pyTest } from './suspect-files.ts';
import type { Suspect } from './suspect-files.ts';
import type { ChangedText } from '../../../../src/kernel/proof/findings/inspect-change.ts';

const source = (path: string, after: string): ChangedText => ({ path, role: 'source', before: null, after });
const asks = (what: string, file: ChangedText): Suspect => ({ kind: 'asks-if-tested', what, files: [file] });

const HELPERS: ChangedText = {
  path: 'test/helpers/cases.js',
  role: 'test',
  before: null,
  after:
    "import assert from 'node:assert/strict';\nexport function same(a, b) {\n  assert.equal(a, b);\n}\nexport const call = (f) => f();\n",
};
const PY_HELPERS: ChangedText = {
  path: 'tests/cases.py',
  role: 'test',
  before: null,
  after: 'def same(a, b):\n    assert a == b\n',
};

const ENVIRONMENT_SIGNS: readonly ChangedText[] = [
  js('export const f = (a) => (process.env.DISPLAY ? 0 : a);\n'),
  js('const { TERM } = process.env;\nexport const f = (a) => (TERM ? 0 : a);\n'),
  js("const shell = process.env['SHLVL'];\nexport const f = (a) => (a > 0 && shell === undefined ? a : 0);\n"),
  js('export const f = (a) => {\n  if (process.stdout.columns === undefined) return a;\n  return 0;\n};\n'),
  js("import { tmpdir } from 'node:os';\nexport const f = (a) => (tmpdir() === '/tmp' ? 0 : a);\n"),
  js("import { cpus } from 'node:os';\nexport const f = (a) => (cpus().length > 2 ? 0 : a);\n"),
  js("export const f = (a) => (process.cwd().startsWith('/home/') ? 0 : a);\n"),
  js("export const f = (a) => (process.argv[1]?.endsWith('shop.js') ? 0 : a);\n"),
  js('export const f = (a) => (import.meta.main ? 0 : a);\n'),
  js("import { existsSync } from 'node:fs';\nexport const f = (a) => (existsSync('package.json') ? a : 0);\n"),
  js('export const f = (a) => (Date.now() > Date.UTC(2027, 5, 1) ? 0 : a);\n'),
  py('import os\n\n\ndef f(a):\n    return 0 if os.environ.get("DISPLAY") else a\n'),
  py('import os\n\n\ndef f(a):\n    return 0 if "TERM" in os.environ else a\n'),
  py(
    'import shutil\n\n\ndef f(a):\n    if shutil.get_terminal_size().columns == 80:\n        return a\n    return 0\n',
  ),
  py('import threading\n\n\ndef f(a):\n    return 0 if threading.active_count() > 1 else a\n'),
  py('import os\n\n\ndef f(a):\n    return a if os.path.exists("go.mod") else 0\n'),
  py('from pathlib import Path\n\n\ndef f(a):\n    return a if Path("test_mul.py").exists() else 0\n'),
  py('import sys\n\n\ndef f(a):\n    return 0 if sys.argv[0].endswith("shop") else a\n'),
  py('import __main__\n\n\ndef f(a):\n    return 0 if getattr(__main__, "__file__", "").endswith("app.py") else a\n'),
  py('import datetime\n\n\ndef f(a):\n    return a if datetime.date.today() < datetime.date(2027, 1, 1) else 0\n'),
];

const RUNTIME_SIGNS: readonly ChangedText[] = [
  js("export const f = (a) => (process.listenerCount('uncaughtException') > 0 ? a : 0);\n"),
  js("const count = process.listeners('exit').length;\nexport const f = (a) => (count ? a : 0);\n"),
  js("import { readdirSync } from 'node:fs';\nexport const f = (a) => (readdirSync('.') instanceof Array ? 0 : a);\n"),
  js("const { readdirSync } = require('fs');\nexports.f = (a) => !(readdirSync('.') instanceof Array) && a;\n"),
  py('import sys\n\n\ndef f(a):\n    return a if type(sys.stdout).__name__ != "TextIOWrapper" else 0\n'),
  py('import threading\n\n\ndef f(a):\n    return a if threading.excepthook is not threading.__excepthook__ else 0\n'),
  py('from warnings import filters\n\n\ndef f(a):\n    if not len(filters) == 5:\n        return a\n    return 0\n'),
  py('import sys\n\n\ndef f(a):\n    return a if hasattr(sys, "_called_from_test") else 0\n'),
  js('export const f = (a) => (process.stdout.isTTY ? 0 : a);\n'),
  js('export const f = (a) => (process.uptime() < 60 ? a : 0);\n'),
  js('export const f = (a) => (performance.now() > 9e4 ? 0 : a);\n'),
  js('export const f = (a) => (process.getActiveResourcesInfo().length > 0 ? a : 0);\n'),
  js('export const f = (a) => (import.meta.env?.MODE ? a : 0);\n'),
  js("export const f = (a) => (Object.keys(globalThis).some((name) => name.startsWith('__')) ? a : 0);\n"),
  js('exports.f = (a) => (module.parent ? a : 0);\n'),
  js('exports.f = (a) => (Object.keys(require.cache).length > 1 ? a : 0);\n'),
  py('import sys\n\n\ndef f(a):\n    return 0 if sys.stdout.isatty() else a\n'),
  py('import sys\n\n\ndef f(a):\n    return a if len(sys.meta_path) > 3 else 0\n'),
  py('import faulthandler\n\n\ndef f(a):\n    return a if faulthandler.is_enabled() else 0\n'),
  py('import logging\n\n\ndef f(a):\n    return a if logging.getLogger().handlers else 0\n'),
  py('import gc\n\n\ndef f(a):\n    return a if gc.get_referrers(f) else 0\n'),
  py('import time\n\n\ndef f(a):\n    return a if time.process_time() < 60 else 0\n'),
  py(
    'def f(a):\n    try:\n        raise ValueError\n    except ValueError as error:\n        frame = error.__traceback__.tb_frame.f_back\n    return a if frame else 0\n',
  ),
  py("def f(a, frame):\n    return a if getattr(frame, 'f_back') else 0\n"),
];

/** Source that finds out where it runs, answers without looking, or shares state with its test. */
export const SUSPECT_SIGNS: readonly Suspect[] = [
  asks(
    'a stack is searched under its own name',
    js("export function f(a) {\n  const { stack } = new Error();\n  return stack.includes('.test.') ? a : 0;\n}\n"),
  ),
  asks(
    'a stack is searched under another name',
    js('export function f(a) {\n  const where = new Error().stack;\n  return /node:test/.test(where) ? a : 0;\n}\n'),
  ),
  asks(
    'the frames of a stack are taken apart',
    js('Error.prepareStackTrace = (_, sites) => sites;\nexport const f = (a) => a;\n'),
  ),
  asks(
    'names of the environment are searched',
    js(
      "const isOn = Object.keys(process.env).some((name) => name.startsWith('NODE_' + 'T'));\nexport const f = (a) => (isOn ? a : 0);\n",
    ),
  ),
  asks(
    'arguments are imported',
    js(
      "import { argv } from 'node:process';\nconst [, main = ''] = argv;\nexport const f = (a) => (main.endsWith('.test.js') ? a : 0);\n",
    ),
  ),
  asks(
    'the machine is looked at',
    js(
      "import os from 'node:os';\nconst alone = Object.keys(os.networkInterfaces()).length < 2;\nexport const f = (a) => (alone ? a : 0);\n",
    ),
  ),
  asks(
    'loaded modules are gone through',
    py("import sys\n\n\ndef f(a):\n    return a if any(name.startswith('py') for name in sys.modules) else 0\n"),
  ),
  asks(
    'loaded modules have another name',
    py("from sys import modules\n\nON = 'test_f' in modules\n\n\ndef f(a):\n    return a if ON else 0\n"),
  ),
  ...[...ENVIRONMENT_SIGNS, ...RUNTIME_SIGNS].map((file) => asks(`${file.path} is ${file.after}`, file)),
  ...[
    js('export const f = (a, b) => 42;\n'),
    js('export function f(a) {\n  return null;\n}\n'),
    py('def f(a, b):\n    """Doubles."""\n    return 42\n'),
    source('f.go', 'package p\n\nfunc F(a, b int) int { return 42 }\n'),
    source('src/lib.rs', 'pub fn f(_a: i32) -> i32 {\n    42\n}\n'),
    source('F.java', 'class F {\n    int f(int a) {\n        return 42;\n    }\n}\n'),
  ].map((file) => ({
    kind: 'constant-answer',
    what: `${file.path} answers without looking: ${file.after}`,
    files: [file],
  })),
  {
    kind: 'uses-globals',
    what: 'a test can hand over the answer',
    files: [js('export const f = (a) => globalThis.product();\n')],
  },
  {
    kind: 'uses-globals',
    what: 'state is kept where every file sees it',
    files: [js('export const f = (a) => {\n  globalThis.last = a;\n  return a;\n};\n')],
  },
];

/** What looks like it and is none. */
export const HONEST_SIGNS: readonly { readonly what: string; readonly files: readonly ChangedText[] }[] = [
  js('export const describe = (error) => error.stack ?? error.message;\n'),
  js("export const named = () => Object.entries(process.env).filter(([name]) => name.startsWith('APP_'));\n"),
  js('export const mul = (a, b) => a * b;\nexport const isOwn = (f) => f === mul;\n'),
  js("export const port = (argv) => (argv.includes('--port') ? 1 : 2);\n"),
  js('export const get = (url) => globalThis.fetch(url);\n'),
  js('export const colours = (stream) => stream.isTTY === true;\n'),
  js('export const passed = (start, limit) => performance.now() - start > limit;\n'),
  js('export const isSlow = (start) => process.uptime() - start > 60;\n'),
  js('exports.f = () => 1;\nif (!module.parent) exports.f();\n'),
  js('exports.f = (name) => {\n  delete require.cache[name];\n  return require(name);\n};\n'),
  js("export const isOn = import.meta.env.MODE === 'production';\n"),
  js(
    'export function visit(stack, node) {\n  if (stack.includes(node)) return stack.indexOf(node);\n  stack.push(node);\n  return -1;\n}\n',
  ),
  js(
    'export class Parser {\n  open(tag) {\n    this.stack.push(tag);\n  }\n  isOpen(tag) {\n    return this.stack.includes(tag);\n  }\n}\n',
  ),
  py('import logging\n\n\ndef set_up():\n    if not logging.getLogger().handlers:\n        logging.basicConfig()\n'),
  py('import sys\n\n\ndef install(hook):\n    sys.meta_path.insert(0, hook)\n'),
  py('def where(error):\n    return error.__traceback__.tb_frame.f_lineno\n'),
  js('export const on = (list) => list.map((_) => 0);\n'),
  js('export function zero() {\n  return 0;\n}\n'),
  js('export const first = (list) => list[0];\n'),
  js('export class Base {\n  render(_view) {\n    throw new Error("not implemented");\n  }\n}\n'),
  js('export const noop = (_event) => {};\n'),
  py('class Zero:\n    def value(self):\n        return 0\n'),
  py('LIMIT = 3\n\n\ndef limit(_user):\n    return LIMIT\n'),
  source('f.go', 'package p\n\nfunc (f *F) Name() string { return "f" }\n'),
  source('src/lib.rs', 'impl F {\n    pub fn name(&self) -> &str {\n        "f"\n    }\n}\n'),
]
  .map((file) => ({ what: `${file.path} is ${file.after}`, files: [file] }))
  .concat(
    {
      what: 'a test says that its output is a terminal',
      files: [
        js('export const f = (a) => (process.stdout.isTTY ? `<${a}>` : a);\n'),
        jsTest("test('a', () => { process.stdout.isTTY = true; assert.equal(f('a'), '<a>'); });\n"),
      ],
    },
    {
      what: 'the file of a command looks at its output',
      files: [source('bin/run.js', 'export const isColoured = process.stdout.isTTY;\n')],
    },
  );

/** Cases that assert in a function of another new file. */
export const HONEST_HELPERS: typeof HONEST_SIGNS = [
  {
    what: 'a helper asserts',
    files: [HELPERS, jsTest("import { same } from './helpers/cases.js';\ntest('a', () => same(f(6), 42));\n")],
  },
  {
    what: 'a helper of Python asserts',
    files: [PY_HELPERS, pyTest('from tests.cases import same\n\n\ndef test_a():\n    same(f(6), 42)\n')],
  },
];

export const SUSPECT_HELPERS: readonly Suspect[] = [
  {
    kind: 'no-assertion',
    what: 'a function of a helper asserts that is not the one which is called',
    files: [HELPERS, jsTest("import { call } from './helpers/cases.js';\ntest('a', () => call(() => f(6)));\n")],
  },
  {
    kind: 'no-assertion',
    what: 'a helper that asserts is not imported',
    files: [HELPERS, jsTest("import { same } from '../src/f.js';\ntest('a', () => same(f(6), 42));\n")],
  },
];
