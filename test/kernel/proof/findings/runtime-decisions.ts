import { honest } from './honest-files.ts';
import type { Honest } from './honest-files.ts';
import { js, py } from './suspect-files.ts';
import type { Suspect } from './suspect-files.ts';

const arrow = (condition: string, head = ''): string => `${head}export const f = (a) => (${condition} ? a : 0);\n`;
const python = (condition: string, head: string): string =>
  `${head}\n\n\ndef f(a):\n    return a if ${condition} else 0\n`;

/** Decisions by a file, another program, the platform, a feature, a size; and names that other functions use for something else. */
export const HONEST_DECISIONS: readonly Honest[] = [
  ...[
    arrow("path.sep === '\\\\'", "import path from 'node:path';\n"),
    arrow("execSync('git status').length > 0", "import { execSync } from 'node:child_process';\n"),
    arrow("spawnSync('make', ['all']).status === 0", "import { spawnSync } from 'node:child_process';\n"),
    arrow('randomInt(2) === 0', "import { randomInt } from 'node:crypto';\n"),
    arrow("getCiphers().includes('aes-256-gcm')", "import { getCiphers } from 'node:crypto';\n"),
    arrow('zlib.createZstdCompress !== undefined', "import zlib from 'node:zlib';\n"),
    arrow("dirname('/a/b') === '/a'", "import { dirname } from 'node:path';\n"),
    arrow("existsSync('/.dockerenv')", "import { existsSync } from 'node:fs';\n"),
    arrow("platform === 'win32'", "import { platform } from 'node:process';\n"),
    arrow('globalThis.structuredClone !== undefined'),
    arrow('globalThis.document === undefined'),
    arrow("matchMedia?.('(prefers-color-scheme: dark)').matches"),
    arrow("globalThis.localStorage?.getItem('theme')"),
    arrow('process.memoryUsage().heapUsed > 1e9'),
    arrow('v8.getHeapStatistics().used_heap_size > 1e9', "import v8 from 'node:v8';\n"),
    arrow('process.getMaxListeners() < 20'),
    arrow('process.domain === null'),
    arrow('process._last > 1', 'const process = { _last: 2 };\n'),
    "exports.f = () => {\n  if (require.cache[require.resolve('./a')]) delete require.cache[require.resolve('./a')];\n};\n",
    "import { g } from './g.js';\nexport function f() {\n  if (process.listenerCount('SIGINT') === 0) process.on('SIGINT', g);\n}\n",
    "export function g(count) {\n  return count ? 1 : 0;\n}\nexport function f() {\n  const count = process.listeners('exit').length;\n  return count;\n}\n",
    "let count = process.listeners('exit').length;\nexport function f(a) {\n  count = a.length;\n  return count ? a : 0;\n}\n",
    "import { readdirSync } from 'node:fs';\nexport function g(files) {\n  if (!files) return 0;\n  return files.length;\n}\nexport function f() {\n  const files = readdirSync('.');\n  return g(files);\n}\n",
  ].map((text) => honest(`a decision in JavaScript is ${text}`, js(text))),
  ...[
    python('os.pathsep == ";"', 'import os'),
    python('os.system("make") != 0', 'import os'),
    python('os.popen("git status").read()', 'import os'),
    python('io.open("a.txt").read()', 'import io'),
    python('threading.Lock().acquire(False)', 'import threading'),
    python('threading.main_thread().is_alive()', 'import threading'),
    python('isinstance(sys.stdout, io.TextIOWrapper)', 'import io\nimport sys'),
    python('sys.stdout.__class__.__module__.startswith("ipykernel")', 'import sys'),
    python('hasattr(sys, "set_asyncgen_hooks")', 'import sys'),
    python('len(sys.warnoptions) == 0', 'import sys'),
    'import sys\n\n\ndef f(a, sys):\n    return a if sys.getprofile() is not None else 0\n',
    'import sys\nfrom sizes import *\n\n\ndef hook():\n    large = sys.getprofile() is not None\n    return large\n\n\ndef f(a):\n    return a if large else 0\n',
    'import sys\n\n\ndef size():\n    total = sys.getsizeof("")\n    return total\n\n\ndef f(a):\n    total = a * 2\n    if total:\n        return a\n    return 0\n',
    'import sys\n\n\ndef state():\n    enabled = sys.getprofile() is not None\n    return enabled\n\n\ndef f(a, enabled):\n    return a if enabled else 0\n',
    'import gc\n\nfound = gc.get_stats()\n\n\ndef f(a):\n    for found in a:\n        if found:\n            return found\n    return 0\n',
  ].map((text) => honest(`a decision in Python is ${text}`, py(text))),
];

/** Decisions by what the runtime says of its process, under other names. */
export const SUSPECT_DECISIONS: readonly Suspect[] = [
  ...[
    arrow("counted('exit') > 0", "import { listenerCount as counted } from 'node:process';\n"),
    arrow("p.eventNames().includes('exit')", "import * as p from 'node:process';\n"),
    arrow("require('node:vm').isContext(globalThis)"),
    arrow("process.stdout.constructor.name === 'WriteStream'"),
    arrow("process.exit.name !== 'exit'"),
    arrow('cpus().constructor === Array', "import { cpus } from 'node:os';\n"),
    arrow('Object.getPrototypeOf(process) === Object.prototype'),
    arrow('executionAsyncId() > 1', "import { executionAsyncId } from 'node:async_hooks';\n"),
    "export function f(a) {\n  const count = process.listeners('exit').length;\n  return count ? a : 0;\n}\n",
    "export function make() {\n  const count = process.listeners('exit').length;\n  return (a) => (count ? a : 0);\n}\n",
    "import { g } from './g.js';\nexport function f(a) {\n  if (process.listenerCount('exit') > 0) {\n    process.on('exit', g);\n    return a;\n  }\n  return 0;\n}\n",
  ].map((text) => ({
    kind: 'asks-if-tested' as const,
    what: `a decision in JavaScript is ${text}`,
    files: [js(text)],
  })),
  ...[
    python('type(out).__name__ != "TextIOWrapper"', 'from sys import stdout as out'),
    python('s.excepthook is not s.__excepthook__', 'import sys as s'),
    python('sys.gettrace() is not None', 'import sys'),
    python('len(threading.enumerate()) > 1', 'import threading'),
    'import sys\n\n\ndef f(a):\n    kind = type(sys.stdout).__name__ == "TextIOWrapper"\n    return 0 if kind else a\n',
  ].map((text) => ({ kind: 'asks-if-tested' as const, what: `a decision in Python is ${text}`, files: [py(text)] })),
];
