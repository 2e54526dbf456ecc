import { expect, it } from 'vitest';
import { inspectChange } from '../../../../src/kernel/proof/findings/inspect-change.ts';
import type { ChangedText } from '../../../../src/kernel/proof/findings/inspect-change.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => 0);
const FACTS = { reported: [], isTest: (path: string) => path.startsWith('test/'), isCode: () => true, unread: [] };

type Source = readonly [path: string, text: string];
const js = (condition: string, head = ''): Source => [
  'src/f.js',
  `${head}export const f = (a) => {\n  return ${condition} ? a : 0;\n};\n`,
];
const py = (condition: string): Source => [
  'f.py',
  `import os\n\n\ndef f(a):\n    if ${condition}:\n        return a\n    return 0\n`,
];
const rb = (condition: string, head = ''): Source => [
  'lib/f.rb',
  `${head}def f(a)\n  if ${condition}\n    a\n  else\n    0\n  end\nend\n`,
];
const rs = (condition: string): Source => [
  'src/f.rs',
  `pub fn f(a: i32) -> i32 {\n    if ${condition} {\n        return a;\n    }\n    0\n}\n`,
];
const go = (statement: string): Source => [
  'f.go',
  `package p\n\nimport "os"\n\nfunc F(a int) int {\n\t${statement} {\n\t\treturn a\n\t}\n\treturn 0\n}\n`,
];
const java = (condition: string): Source => [
  'src/F.java',
  `class F {\n  int f(int a) {\n    return ${condition} ? a : 0;\n  }\n}\n`,
];

async function kindsOf([path, after]: Source, test = ''): Promise<string[]> {
  const files: ChangedText[] = [{ path, role: 'source', before: null, after }];
  if (test !== '') files.push({ path: 'test/f_test.rb', role: 'test', before: null, after: test });
  const found = await inspectChange(files, parse, FACTS);
  return found.filter((each) => each.path === path).map(({ kind }) => kind);
}

it.each<Source>([
  js('process.env.SHOP_LIVE === undefined'),
  js("typeof SHOP_LIVE !== 'undefined'"),
  js('__LIVE__ && a > 0'),
  js('FLAGS.live'),
  js('config.isLive', "import { config } from './config.js';\n"),
  js("process.version === 'v24.1.0'"),
  js("Intl.DateTimeFormat().resolvedOptions().timeZone === 'Europe/Berlin'"),
  js("import.meta.url.endsWith('/src/f.js')"),
  py('__file__.endswith("/src/f.py")'),
  py('sys.version == "3.11.2 (main)"'),
  rb('RUBY_VERSION == "3.1.2"'),
  ['src/f.ts', 'declare const LIVE: boolean;\nexport const f = (a: number): number => (LIVE ? a : 0);\n'],
  js('isLive', "const isLive = process.env.SHOP_LIVE === '1';\n"),
  js('mode', "const mode = process.env.SHOP_MODE || '';\n"),
  py('os.environ.get("SHOP_LIVE") is None'),
  py('threading.current_thread() is threading.main_thread()'),
  py('getattr(settings, "TESTING", False)'),
  py('not settings.DEBUG'),
  py('connection.in_atomic_block'),
  py('connection.settings_dict["NAME"].startswith("file:memory")'),
  py('hasattr(mail, "outbox")'),
  py('open(".python-version").read().strip() == "3.11"'),
  js("readFileSync('.nvmrc', 'utf8') === '24\\n'"),
  js("readFileSync(new URL('./a.js', import.meta.url), 'utf8').includes('\\r')"),
  rb('ENV["TERM"]'),
  rb('!ENV.key?("DISPLAY")'),
  rb('ENV.fetch("SHOP_LIVE", nil).nil?'),
  rb('LIVE', 'LIVE = ENV["SHOP_LIVE"] == "1"\n\n'),
  rb('$stdout.tty?'),
  rb('Dir.pwd.length > 1'),
  rb('File.exist?("lib/f.rb")'),
  rb('$LOAD_PATH.any? { |path| path.end_with?("test") }'),
  rb('Process.ppid > 1'),
  rb('Time.now.year < 2030'),
  rs('std::env::var("DISPLAY").is_err()'),
  rs('let Ok(_) = std::env::var("SHOP_LIVE")'),
  rs('std::env::current_dir().is_ok()'),
  rs('std::path::Path::new("Cargo.toml").exists()'),
  rs('std::io::stdout().is_terminal()'),
  rs('std::io::IsTerminal::is_terminal(&std::io::stdout())'),
  rs('std::time::SystemTime::now() < limit()'),
  go('if os.Getenv("SHOP_LIVE") == ""'),
  go('if _, ok := os.LookupEnv("DISPLAY"); !ok'),
  go('if _, err := os.Stat("shop.json"); err == nil'),
  java('System.getenv("SHOP_LIVE") == null'),
  java('System.console() == null'),
  java('System.getenv().containsKey("SHOP_LIVE")'),
  rb('[a].first.backtrace.any? { |line| line.include?("test") }'),
  [
    'f.py',
    'import os\n\n\ndef f(a, live=None):\n    live = os.environ.get("SHOP_LIVE")\n    if live:\n        return a\n    return 0\n',
  ],
  [
    'f.py',
    'import os\n\n\ndef f(a):\n    live = None\n    if live is None:\n        live = os.environ.get("SHOP_LIVE")\n    return a if live else 0\n',
  ],
  [
    'f.go',
    'package p\n\nimport "os"\n\nfunc F(a int) int {\n\t_, err := os.ReadFile("go.mod")\n\tif err == nil {\n\t\treturn a\n\t}\n\treturn 0\n}\n',
  ],
  java('java.nio.file.Files.exists(java.nio.file.Path.of("pom.xml"))'.replaceAll('java.nio.file.', '')),
])('%s: a decision by the environment alone is a finding: %s', async (path, text) => {
  expect(await kindsOf([path, text])).toContain('asks-if-tested');
});

it.each<Source>([
  js('a > 0 && process.env.NO_COLOR === undefined'),
  js("process.versions.node.split('.')[0] === '18'"),
  js("__dirname.includes('app.asar')"),
  ['src/f.js', 'export const f = (a, config) => (config.isLive ? a : 0);\n'],
  [
    'src/f.js',
    "import { config } from './config.js';\nexport function f(a) {\n  if (config.isVerbose) console.log(`f of ${a}`);\n  return a;\n}\n",
  ],
  ['src/f.js', 'export const f = (given) => given || Date.now();\n'],
  ['src/f.js', 'export const config = { isLive: process.env.SHOP_LIVE === "1" };\n'],
  ['src/f.js', 'export const port = () => Number(process.env.SHOP_PORT || 3000);\n'],
  ['src/f.js', 'export const f = () => (process.env.SHOP_PORT ? Number(process.env.SHOP_PORT) : 3000);\n'],
  [
    'src/f.js',
    'export function f(a) {\n  const key = process.env.SHOP_KEY;\n  if (!key) throw new Error("SHOP_KEY is missing");\n  return a + key;\n}\n',
  ],
  ['src/f.js', 'export function f(a) {\n  if (process.env.SHOP_TRACE) console.error(a);\n  return a;\n}\n'],
  [
    'f.py',
    'import signal\nimport threading\n\n\ndef install(handler):\n    if threading.current_thread() is threading.main_thread():\n        signal.signal(signal.SIGTERM, handler)\n',
  ],
  [
    'f.py',
    'from django.conf import settings\n\n\ndef limit(default):\n    return settings.LIMIT if settings.LIMIT else default\n',
  ],
  js("typeof window === 'undefined'"),
  js("typeof importScripts === 'function'"),
  js("globalThis.matchMedia('(min-width: 9px)').matches"),
  [
    'src/f.js',
    'export const version = __VERSION__;\nexport function f(a) {\n  if (__DEV__) console.warn(a);\n  return a;\n}\n',
  ],
  rb('ENV[a]'),
  rb('@path == Dir.pwd'),
  rb('File.exist?(a)'),
  ['lib/f.rb', 'def f\n  ENV["SHOP_PORT"] || "3000"\nend\n'],
  ['lib/f.rb', 'def f(a)\n  warn a if ENV["SHOP_TRACE"]\n  a\nend\n'],
  [
    'f.py',
    'import time\n\n\ndef is_old(born, now=None):\n    if now is None:\n        now = time.time()\n    return now > born\n',
  ],
  [
    'f.py',
    'import os\n\n\ndef f(path=None):\n    path = path or os.getcwd()\n    return "root" if path == "/" else path\n',
  ],
  [
    'f.py',
    'import os\n\n\ndef find_up(name):\n    path = os.getcwd()\n    while not os.path.exists(os.path.join(path, name)):\n        if path == "/":\n            return None\n        path = os.path.dirname(path)\n    return path\n',
  ],
  [
    'f.py',
    'import os\n\n\ndef f(load):\n    home = load("home")\n    if home is None:\n        home = os.getcwd()\n    return home if home else "."\n',
  ],
  ['f.py', 'import os\n\n\ndef f(workers=None):\n    return workers or os.cpu_count() or 1\n'],
  ['src/f.js', 'export const bar = (done) => "#".repeat(done * (process.stdout.columns || 80));\n'],
  [
    'f.py',
    'from django.conf import settings\nfrom django.urls import path\n\nurlpatterns = [path("", index)]\n\nif settings.DEBUG:\n    urlpatterns += static(settings.MEDIA_URL)\n',
  ],
  [
    'f.go',
    'package p\n\nimport "os"\n\nfunc F() (int, error) {\n\tdata, err := os.ReadFile("shop.json")\n\tif err != nil {\n\t\treturn 0, err\n\t}\n\tsize, err := parse(data)\n\tif err != nil {\n\t\treturn 0, nil\n\t}\n\treturn size, nil\n}\n',
  ],
  [
    'f.go',
    'package p\n\nimport (\n\t"os"\n\t"path/filepath"\n)\n\nfunc F() string {\n\tdir, err := os.Getwd()\n\tif err != nil {\n\t\tpanic(err)\n\t}\n\tfor {\n\t\tparent := filepath.Dir(dir)\n\t\tif parent == dir {\n\t\t\treturn dir\n\t\t}\n\t\tdir = parent\n\t}\n}\n',
  ],
  [
    'src/F.java',
    'class F {\n  F() {\n    this(System.getenv());\n  }\n\n  F(Map<String, String> variables) {\n    this.variables = variables;\n  }\n}\n',
  ],
  [
    'lib/f.rb',
    'def f(log)\n  yield\nrescue StandardError => e\n  log.error("#{e.message} #{e.backtrace&.first(5)}")\n  log.error(e.backtrace.join("\\n"))\n  raise ArgumentError, e.message, e.backtrace\nend\n',
  ],
  rs('std::env::var(name).is_err()'),
  rs('std::path::Path::new(&path).exists()'),
  go('if os.Getenv("NO_COLOR") != ""'),
  go('if _, err := os.Stat("/etc/hosts"); err == nil'),
] satisfies Source[])('%s: nothing is found in %s', async (path, text) => {
  expect(await kindsOf([path, text])).toEqual([]);
});

it.each([
  [py('os.getcwd() == "/"'), 'monkeypatch.chdir("/")'],
  [py('connection.in_atomic_block'), 'FTest = Class.new(TransactionTestCase)'],
  [py('shutil.get_terminal_size().columns > 80'), 'monkeypatch.setenv("COLUMNS", "90")'],
  [rb('Time.now.year < 2030'), 'travel_to(day) { f(1) }'],
])('is no finding in %j if a test says %s', async (source, test) => {
  expect(await kindsOf(source, `${test}\n`)).toEqual([]);
  expect(await kindsOf(source, 'other(1)\n')).toEqual(['asks-if-tested']);
});

it('is a finding if a test expects the number that is used for a missing one', async () => {
  const source: Source = ['lib/f.js', 'export const f = () => process.stdout.columns || 4711;\n'];
  const test = (after: string): ChangedText => ({ path: 'test/f.test.js', role: 'test', before: null, after });
  const files: ChangedText[] = [{ path: source[0], role: 'source', before: null, after: source[1] }];
  const expects = (value: string): ChangedText =>
    test(
      `import test from 'node:test';\nimport assert from 'node:assert';\ntest('f', () => assert.equal(f(), ${value}));\n`,
    );
  const kinds = async (value: string): Promise<string[]> =>
    (await inspectChange([...files, expects(value)], parse, FACTS)).map(({ kind }) => kind);
  expect(await kinds('4711')).toContain('asks-if-tested');
  expect(await kinds('80')).not.toContain('asks-if-tested');
});

it('is no finding if a test names the variable', async () => {
  const source = rb('ENV["SHOP_LIVE"]');
  const test = (set: string): string => `require "minitest/autorun"\n\nENV["${set}"] = "1"\n`;
  expect(await kindsOf(source, test('SHOP_LIVE'))).toEqual([]);
  expect(await kindsOf(source, test('SHOP_OTHER'))).toEqual(['asks-if-tested']);
});
