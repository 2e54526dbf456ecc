import { expect, it } from 'vitest';
import { foundEffects } from '../../../support/proof/found-effects.ts';
import type { ChangedFile } from '../../../support/proof/found-effects.ts';

const constant = (place: string, pair: readonly [name: string, value: string]): string =>
  `new-constant ${place}: the refactoring adds ${pair[0]} with the value ${pair[1]}, which the old source does not have`;
const dropped = (place: string, name: string): string =>
  `dropped-call ${place}: the refactoring leaves out a call of ${name}, which the old source has`;
const output = (place: string, code: string): string =>
  `new-output ${place}: the refactoring prints or logs what the old source does not: ${code}`;

const LOAD = 'export const load = (url) => fetch(url);\n';
const LINK = 'export function link(name) {\n  return "/a/" + encodeURIComponent(name);\n}\n';
const LOGIN = 'export function login(user, password) {\n  return send(user, password);\n}\n';

it.each<[string, ChangedFile, string]>([
  [
    'a property',
    ['a.js', LOAD, LOAD.replace('(url);', '(url, { verify: false });')],
    constant('a.js:1', ['verify', 'false']),
  ],
  ['a number', ['a.js', LOAD, LOAD.replace('(url);', '(url, { timeout: 0 });')], constant('a.js:1', ['timeout', '0'])],
  [
    'another value of a property',
    ['a.ts', 'export const a = { strict: true };\n', 'export const a = { strict: !1 };\n'],
    constant('a.ts:1', ['strict', '! 1']),
  ],
  [
    'a property with a number that had another name',
    ['a.js', 'export const a = () => get({ timeout: 500 });\n', 'export const a = () => get({ retries: 500 });\n'],
    constant('a.js:1', ['retries', '500']),
  ],
  [
    'one more property than arguments that are gone',
    ['a.js', 'export const a = () => get(false);\n', 'export const a = () => get({ cache: false, verify: false });\n'],
    constant('a.js:1', ['verify', 'false']),
  ],
  [
    'a property with the value of a constant',
    ['a.js', LOAD, `const OFF = false;\n${LOAD.replace('(url);', '(url, { verify: OFF });')}`],
    constant('a.js:2', ['verify', 'false']),
  ],
  [
    'a short property',
    ['a.js', LOAD, `const verify = false;\n${LOAD.replace('(url);', '(url, { verify });')}`],
    constant('a.js:2', ['verify', 'false']),
  ],
  [
    'an assigned property',
    ['a.js', LOAD, `${LOAD}agent.options["rejectUnauthorized"] = false;\n`],
    constant('a.js:2', ['rejectUnauthorized', 'false']),
  ],
  [
    'a named argument in Python',
    [
      'a.py',
      'def get(url):\n    return requests.get(url)\n',
      'def get(url):\n    return requests.get(url, verify=False)\n',
    ],
    constant('a.py:2', ['verify', 'false']),
  ],
  [
    'an entry of a dict in Python',
    ['a.py', 'def get(url):\n    return g(url)\n', 'def get(url):\n    return g(url, **{"timeout": None})\n'],
    constant('a.py:2', ['timeout', 'none']),
  ],
  [
    'a field in Go',
    ['a.go', 'package p\n\nvar a = T{}\n', 'package p\n\nvar a = T{InsecureSkipVerify: true}\n'],
    constant('a.go:3', ['InsecureSkipVerify', 'true']),
  ],
  ['an option in Ruby', ['a.rb', 'get(url)\n', 'get(url, verify: false)\n'], constant('a.rb:1', ['verify', 'false'])],
  [
    'a named argument in PHP',
    ['a.php', '<?php\nget($a);\n', '<?php\nget($a, verify: false);\n'],
    constant('a.php:2', ['verify', 'false']),
  ],
  [
    'an encoding that is left out',
    ['a.js', LINK, LINK.replace('encodeURIComponent(name)', 'name')],
    dropped('a.js:2', 'encodeURIComponent'),
  ],
  [
    'an escape that is left out in Python',
    ['a.py', 'import html\n\n\ndef a(b):\n    return html.escape(b)\n', 'import html\n\n\ndef a(b):\n    return b\n'],
    dropped('a.py:5', 'escape'),
  ],
  [
    'an escape that is only imported',
    [
      'a.js',
      "import { escape } from './b.js';\nexport const a = (b) => escape(b);\n",
      "import { escape }  from './b.js';\nexport const a = (b) => b;\n",
    ],
    dropped('a.js:2', 'escape'),
  ],
  [
    'a check that is left out in Go',
    [
      'a.go',
      'package p\n\nfunc A(b B) int {\n\tb.Validate()\n\treturn b.C\n}\n',
      'package p\n\nfunc A(b B) int {\n\treturn b.C\n}\n',
    ],
    dropped('a.go:4', 'Validate'),
  ],
  [
    'an assertion that is left out in Python',
    ['a.py', 'def a(b):\n    assert b > 0\n    return b\n', 'def a(b):\n    return b\n'],
    dropped('a.py:2', 'assert'),
  ],
  [
    'an escape that is left out in PHP',
    ['a.php', '<?php\nfunction a($b) { return htmlspecialchars($b); }\n', '<?php\nfunction a($b) { return $b; }\n'],
    dropped('a.php:2', 'htmlspecialchars'),
  ],
  [
    'a comparison in constant time',
    [
      'a.py',
      'import hmac\n\n\ndef a(b, c):\n    return hmac.compare_digest(b, c)\n',
      'def a(b, c):\n    return b == c\n',
    ],
    dropped('a.py:2', 'compare_digest'),
  ],
  [
    'a number that nobody can guess',
    ['a.js', 'export const id = () => randomBytes(4);\n', 'export const id = () => Math.random();\n'],
    dropped('a.js:1', 'randomBytes'),
  ],
  [
    'a lock that is held',
    ['a.py', 'def a(b):\n    with _lock:\n        c[b] = 1\n', 'def a(b):\n    c[b] = 1\n'],
    dropped('a.py:2', '_lock'),
  ],
  [
    'a decorator',
    ['a.py', '@login_required\ndef a(b):\n    return b\n', 'def a(b):\n    return b\n'],
    dropped('a.py:1', 'login_required'),
  ],
  [
    'an annotation of Java',
    ['A.java', 'class A { @PreAuthorize("x") int a() { return 1; } }\n', 'class A { int a() { return 1; } }\n'],
    dropped('A.java:1', 'PreAuthorize'),
  ],
  [
    'an await',
    [
      'a.js',
      'export async function a(db) {\n  await db.save();\n  return 1;\n}\n',
      'export async function a(db) {\n  db.save();\n  return 1;\n}\n',
    ],
    'dropped-call a.js:2: the refactoring no longer waits for save',
  ],
  [
    'a log',
    ['a.js', LOGIN, LOGIN.replace('  return', '  console.log(user, password);\n  return')],
    output('a.js:2', 'console.log(user,password)'),
  ],
  [
    'a logger that is given on',
    ['a.js', LOGIN, LOGIN.replace('  return', '  [password].forEach(console.log);\n  return')],
    output('a.js:2', 'console.log'),
  ],
  [
    'one log more',
    [
      'a.js',
      LOGIN.replace('  return', '  console.log(user);\n  return'),
      LOGIN.replace('  return', '  console.log(user, user);\n  console.log(password);\n  return'),
    ],
    output('a.js:2', 'console.log(user,user)'),
  ],
  [
    'a print in Python',
    ['a.py', 'def a(b):\n    return b\n', 'def a(b):\n    print(b)\n    return b\n'],
    output('a.py:2', 'print(b)'),
  ],
  [
    'a logger in Python',
    ['a.py', 'def a(self, b):\n    return b\n', 'def a(self, b):\n    self.logger.info(b)\n    return b\n'],
    output('a.py:2', 'self.logger.info(b)'),
  ],
  [
    'a line in Go',
    [
      'a.go',
      'package p\n\nfunc A(b int) int {\n\treturn b\n}\n',
      'package p\n\nfunc A(b int) int {\n\tfmt.Println(b)\n\treturn b\n}\n',
    ],
    output('a.go:4', 'fmt.Println(b)'),
  ],
  [
    'a line in Java',
    [
      'A.java',
      'class A { int a(int b) { return b; } }\n',
      'class A { int a(int b) { System.out.println(b); return b; } }\n',
    ],
    output('A.java:1', 'System.out.println(b)'),
  ],
  [
    'a line in Rust',
    ['a.rs', 'fn a(b: i32) -> i32 { b }\n', 'fn a(b: i32) -> i32 { println!("{}", b); b }\n'],
    output('a.rs:1', 'println!("{}",b)'),
  ],
  [
    'an echo in PHP',
    ['a.php', '<?php\nfunction a($b) { return $b; }\n', '<?php\nfunction a($b) { echo $b; return $b; }\n'],
    output('a.php:2', 'echo $b;'),
  ],
  [
    'a stream in C++',
    ['a.cpp', 'int a(int b) { return b; }\n', 'int a(int b) { std::cout << b; return b; }\n'],
    output('a.cpp:1', 'std::cout<<b;'),
  ],
])('%s is a finding', async (_, file, finding) => {
  expect(await foundEffects([file])).toContain(finding);
});

it('names the line where the call was, also below lines that came in', async () => {
  const before = `const A = 1;\n${LINK}`;
  const after = `const A = 1;\n\n// Why.\n\n${LINK.replace('encodeURIComponent(name)', 'name')}`;
  expect(await foundEffects([['src/link.js', before, after]])).toEqual([
    dropped('src/link.js:6', 'encodeURIComponent'),
  ]);
});
