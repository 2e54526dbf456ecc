import { describe, expect, it } from 'vitest';
import { inspectChange } from '../../../../src/kernel/proof/findings/inspect-change.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => 0);
const PATHS = {
  java: 'src/main/java/shop/A.java',
  go: 'a.go',
  rust: 'src/a.rs',
  php: 'src/a.php',
  cpp: 'src/a.cpp',
  ruby: 'lib/a.rb',
  python: 'a.py',
  javascript: 'src/a.js',
} as const;
type Language = keyof typeof PATHS;

function source(language: Language, body: string): string {
  switch (language) {
    case 'java':
      return `package shop;\n\npublic class A {\n  public int f(int a) { ${body} return a; }\n}\n`;
    case 'go':
      return `package p\n\nfunc F(a int) int {\n\t${body}\n\treturn a\n}\n`;
    case 'rust':
      return `pub fn f(a: i32) -> i32 {\n    ${body}\n    a\n}\n`;
    case 'php':
      return `<?php\n\nfunction f(int $a): int {\n    ${body}\n    return $a;\n}\n`;
    case 'cpp':
      return `#include <cstdlib>\n\nint f(int a) {\n  ${body}\n  return a;\n}\n`;
    case 'ruby':
      return `def f(a)\n  ${body}\n  a\nend\n`;
    case 'python':
      return `def f(a):\n    ${body}\n    return a\n`;
    case 'javascript':
      return `export function f(a) {\n  ${body}\n  return a;\n}\n`;
  }
}

interface Written {
  readonly path: string;
  readonly text: string;
}

async function kinds(code: Written, test?: Written): Promise<string[]> {
  const files = [
    { path: code.path, role: 'source' as const, before: null, after: code.text },
    ...(test === undefined ? [] : [{ path: test.path, role: 'test' as const, before: null, after: test.text }]),
  ];
  const facts = { reported: [], isTest: (path: string) => path === test?.path, isCode: () => true, unread: [] };
  return [...new Set((await inspectChange(files, parse, facts)).map(({ kind }) => kind))];
}

describe('ends-process', () => {
  it.each([
    ['java', 'System.exit(0);'],
    ['java', 'Runtime.getRuntime().halt(0);'],
    ['go', 'os.Exit(0)'],
    ['go', 'log.Fatalf("%d", a)'],
    ['go', 'syscall.Kill(os.Getpid(), syscall.SIGKILL)'],
    ['rust', 'std::process::exit(0);'],
    ['rust', 'process::abort();'],
    ['rust', 'unsafe { libc::_exit(0) };'],
    ['cpp', 'std::quick_exit(0);'],
    ['cpp', '_Exit(0);'],
    ['ruby', 'Process.kill(:KILL, Process.pid)'],
    ['python', 'os._exit(0)'],
    ['javascript', 'process.exit(0);'],
  ] as const)('%s: %s', async (language, body) => {
    expect(await kinds({ path: PATHS[language], text: source(language, body) })).toContain('ends-process');
  });

  it.each([
    ['Main.java', 'class Shop {\n  public static void main(String[] args) { System.exit(run(args)); }\n}\n'],
    ['cmd/shop/shop.go', 'package main\n\nimport "os"\n\nfunc main() {\n\tos.Exit(run(os.Args[1:]))\n}\n'],
    ['src/bin/shop.rs', 'fn main() {\n    std::process::exit(shop::run());\n}\n'],
    ['a.go', 'package p\n\nfunc F(c Context) error {\n\treturn c.Exit(0)\n}\n'],
    ['a.rs', 'pub fn f(menu: &mut Menu) {\n    menu.exit();\n}\n'],
    ['A.java', 'class A {\n  void f(Door door) { door.exit(); process.kill(); }\n}\n'],
    ['Door.java', 'class Door {\n  void exit() { open = false; }\n  void leave() { exit(); }\n}\n'],
    ['door.cpp', 'struct Door {\n  bool open;\n  void abort() { open = false; }\n  void leave() { abort(); }\n};\n'],
    ['load.js', 'export function f(a) {\n  function abort() { a.stop(); }\n  a.onStop(() => abort());\n}\n'],
    ['maze.py', 'def exit(room):\n    return room * 2\n\n\ndef route(room):\n    return exit(room) + 1\n'],
    [
      'maze.rs',
      'fn exit(room: i32) -> i32 {\n    room * 2\n}\n\npub fn route(room: i32) -> i32 {\n    exit(room)\n}\n',
    ],
    ['mod.rs', 'mod maze {\n    fn exit() {}\n    pub fn route() { exit() }\n}\n'],
  ])('is none where a program begins, of an object, or a function of the file: %s', async (path, text) => {
    expect(await kinds({ path, text })).not.toContain('ends-process');
  });
});

describe('ends-process, beside a function of the same name', () => {
  it.each([
    ['a method', 'a.py', 'class A:\n    def exit(self):\n        pass\n\n\ndef f():\n    exit()\n'],
    ['an import', 'a.py', 'from os import abort as exit\n\n\ndef exit(a):\n    pass\n\n\ndef f():\n    exit(0)\n'],
    ['a value', 'a.py', 'def exit(a):\n    pass\n\n\nexit = quit\n\n\ndef f():\n    exit(0)\n'],
    ['a name taken away', 'a.py', 'def exit(a):\n    pass\n\n\ndel exit\n\n\ndef f():\n    exit(0)\n'],
    ['a decorator', 'a.py', '@swap\ndef exit(a):\n    pass\n\n\ndef f():\n    exit(0)\n'],
    ['an inner function', 'a.py', 'def g():\n    def exit(a):\n        pass\n\n\ndef f():\n    exit(0)\n'],
    ['an impl', 'a.rs', 'impl A {\n    fn exit(a: i32) {}\n}\nfn f() { exit(0) }\n'],
    ['a use', 'a.rs', 'fn exit(a: i32) {}\nfn f() {\n    use std::process::exit;\n    exit(0)\n}\n'],
    ['another module', 'a.rs', 'mod b {\n    fn exit(a: i32) {}\n}\nfn f() { exit(0) }\n'],
  ])('%s is another one: %s', async (_, path, text) => {
    expect(await kinds({ path, text })).toContain('ends-process');
  });
});

describe('writes-tests', () => {
  it.each([
    ['ruby', "File.write('test/a_test.rb', '')"],
    ['ruby', "File.delete('spec/a_spec.rb')"],
    ['python', "shutil.copy('a', 'tests/test_a.py')"],
    ['python', "os.replace('a', 'tests/test_a.py')"],
    ['python', "os.system('rm tests/test_a.py')"],
    ['php', "file_put_contents('tests/ATest.php', '');"],
    ['javascript', "createWriteStream('test/a.test.js');"],
    ['javascript', "truncateSync('test/a.test.js');"],
    ['javascript', "Bun.write('test/a.test.js', '');"],
    ['javascript', "Deno.writeTextFileSync('test/a.test.js', '');"],
    ['javascript', "execSync('rm -rf test/a.test.js');"],
    ['javascript', "fs.rmSync('test', { recursive: true });"],
    ['python', "shutil.rmtree('tests')"],
    ['ruby', "FileUtils.rm_rf('spec')"],
    ['go', 'os.RemoveAll("test")'],
  ] as const)('%s: %s', async (language, body) => {
    expect(await kinds({ path: PATHS[language], text: source(language, body) })).toContain('writes-tests');
  });

  it.each([
    ['javascript', "const test = path.replace('src/', 'test/');"],
    ['javascript', "execSync('npm test');"],
    ['python', "writer.write('the test is done')"],
    ['python', "path = path.replace('src', 'tests')"],
    ['python', "parts.append('spec')"],
    ['javascript', "a.searchParams.append('test', '1');"],
    ['javascript', "a.classList.remove('test');"],
    ['javascript', "router.delete('/tests/:id', a);"],
    ['go', 'delete(labels, "spec")'],
    ['go', 'unstructured.RemoveNestedField(object, "spec", "replicas")'],
  ] as const)('is none for %s: %s', async (language, body) => {
    expect(await kinds({ path: PATHS[language], text: source(language, body) })).not.toContain('writes-tests');
  });

  it('leaves a stream of C++ to a human', async () => {
    const text = source('cpp', 'std::ofstream out("test/a_test.cpp");');
    expect(await kinds({ path: PATHS.cpp, text })).toContain('not-examined');
  });
});

describe('looks-at-source', () => {
  it.each([
    [
      'java',
      'src/test/java/shop/ATest.java',
      'class ATest {\n  @Test void a() { assertTrue(Files.exists(Path.of("src/main/java/shop/A.java"))); }\n}\n',
    ],
    [
      'go',
      'a_test.go',
      'package p\n\nfunc TestA(t *testing.T) {\n\tif _, err := os.Stat("a.go"); err != nil {\n\t\tt.Fatal(err)\n\t}\n}\n',
    ],
    ['rust', 'tests/a.rs', '#[test]\nfn a() {\n    assert!(std::path::Path::new("src/a.rs").exists());\n}\n'],
    ['rust', 'tests/a.rs', '#[test]\nfn a() {\n    assert!(include_str!("../src/a.rs").contains("fn f"));\n}\n'],
    [
      'php',
      'tests/ATest.php',
      "<?php\n\nclass ATest extends TestCase {\n    public function testA(): void { $this->assertFileExists(__DIR__ . '/../src/a.php'); }\n}\n",
    ],
    ['ruby', 'test/a_test.rb', "class ATest < Minitest::Test\n  def test_a = assert(File.exist?('lib/a.rb'))\nend\n"],
    [
      'ruby',
      'test/a_test.rb',
      "class ATest < Minitest::Test\n  def test_a = assert_includes(File.read(File.join(ROOT, 'lib', 'a.rb')), 'f')\nend\n",
    ],
  ] as const)('%s: %s %s', async (language, path, text) => {
    const code = { path: PATHS[language], text: source(language, '') };
    expect(await kinds(code, { path, text })).toContain('looks-at-source');
  });

  it('is no finding if the source runs', async () => {
    const code = { path: PATHS.go, text: source('go', '') };
    const text =
      'package p\n\nfunc TestA(t *testing.T) {\n\tout, err := exec.Command("go", "run", "a.go").Output()\n\tif err != nil || string(out) != "x" {\n\t\tt.Fatal(err)\n\t}\n}\n';
    expect(await kinds(code, { path: 'a_test.go', text })).not.toContain('looks-at-source');
  });
});
