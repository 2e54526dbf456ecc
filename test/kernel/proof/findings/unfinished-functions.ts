import type { ChangedText } from '../../../../src/kernel/proof/findings/inspect-change.ts';
import { honest } from './honest-files.ts';
import { js, jsTest, py, pyTest, suspect } from './suspect-files.ts';
import type { Suspect } from './suspect-files.ts';

const of = (path: string, after: string): ChangedText => ({ path, role: 'source', before: null, after });
const unfinished = (what: string, ...files: readonly ChangedText[]): Suspect =>
  suspect('unfinished-function', what, ...files);

export const SUSPECT_UNFINISHED: readonly Suspect[] = [
  unfinished(
    'Python raises',
    py(
      'def rate(country):\n    """The rate."""\n    raise NotImplementedError\n\n\ndef f(a, country):\n    return a + rate(country)\n',
    ),
  ),
  unfinished('JavaScript throws', js("export const rate = (c) => {\n  throw new Error('not implemented');\n};\n")),
  unfinished(
    'a method of a class throws',
    js("export class Rates {\n  of(c) {\n    throw new Error('TODO: ask the bank, not implemented yet');\n  }\n}\n"),
  ),
  unfinished(
    'a promise is rejected',
    js("export function load(c) {\n  return Promise.reject(new Error('Not implemented'));\n}\n"),
  ),
  unfinished(
    'Go panics',
    of('rate.go', 'package shop\n\nfunc rate(c string) float64 {\n\tpanic("not implemented")\n}\n'),
  ),
  unfinished(
    'Go answers with an error',
    of(
      'rate.go',
      'package shop\n\nfunc rate(c string) (float64, error) {\n\treturn 0, errors.New("not implemented")\n}\n',
    ),
  ),
  unfinished('Rust has it still to do', of('src/rate.rs', 'pub fn rate(c: &str) -> f64 {\n    todo!()\n}\n')),
  unfinished(
    'Java throws',
    of(
      'src/main/java/Rate.java',
      'class Rate {\n  static double of(String c) {\n    throw new UnsupportedOperationException("Not implemented");\n  }\n}\n',
    ),
  ),
  unfinished('Ruby raises', of('lib/rate.rb', 'def rate(c)\n  raise NotImplementedError, "ask the bank"\nend\n')),
  unfinished(
    'PHP throws',
    of(
      'src/Rate.php',
      "<?php\nfinal class Rate\n{\n    public static function of(string $c): float\n    {\n        throw new \\LogicException('not implemented');\n    }\n}\n",
    ),
  ),
  unfinished(
    'Java does nothing at all',
    of('src/main/java/Mailer.java', 'interface Mailer {\n  void send(String text);\n}\n'),
    of('src/main/java/Welcome.java', 'class Welcome {\n  Welcome(Mailer mailer) {}\n\n  void to(String name) {}\n}\n'),
  ),
  unfinished(
    'PHP has only the type of a fake',
    {
      ...of(
        'test/WorkTest.php',
        '<?php\nfinal class WorkTest { function work() { return new class implements Work {}; } }\n',
      ),
      role: 'test',
    },
    of('src/Work.php', '<?php\ninterface Work\n{\n    public function of(int $a): int;\n}\n'),
  ),
  unfinished('Python does nothing at all', py('def f(a):\n    """Tells everybody."""\n    pass\n')),
  unfinished(
    'Rust does nothing at all',
    of('src/lib.rs', 'pub struct Welcome;\n\nimpl Welcome {\n    pub fn to(&self, name: &str) {}\n}\n'),
  ),
  unfinished(
    'C++ throws',
    of(
      'src/rate.cpp',
      '#include <stdexcept>\n\ndouble rate(int c) {\n  throw std::logic_error("not implemented");\n}\n',
    ),
  ),
  unfinished(
    'what a test of Python replaces does nothing',
    pyTest(
      'from unittest import mock\n\ndef test_a():\n    with mock.patch("f.send") as send:\n        assert f(6) == 42\n    send.assert_called_once_with(42)\n',
    ),
    py('def send(a):\n    """Sends it."""\n    pass\n\n\ndef f(a):\n    send(a * 7)\n    return a * 7\n'),
  ),
  unfinished(
    'what a test spies on does nothing',
    jsTest(
      "test('a', (t) => { const send = t.mock.method(mail, 'send'); assert.equal(f(6), 42); assert.equal(send.mock.callCount(), 1); });",
    ),
    js(
      'export const mail = {};\nmail.send = (to, text) => {};\nexport function f(a) {\n  mail.send(a, a * 7);\n  return a * 7;\n}\n',
    ),
  ),
  unfinished(
    'a function of a module that a test replaces does nothing',
    jsTest("vi.mock('../src/mail.js', () => ({ send: vi.fn() }));\ntest('a', () => { assert.equal(f(6), 42); });"),
    js('export function send(to) {\n  // TODO\n}\n'),
  ),
];

export const HONEST_UNFINISHED: readonly Pick<Suspect, 'what' | 'files'>[] = [
  honest('a file of types', {
    ...py('class Money:\n    def plus(self, other: Money) -> Money: ...\n\ndef parse(text: str) -> Money: ...\n'),
    path: 'money.pyi',
  }),
  honest(
    'a method that others override',
    py(
      'class Shape:\n    def area(self):\n        raise NotImplementedError\n\n\nclass Box(Shape):\n    def __init__(self, a):\n        self.a = a\n\n    def area(self):\n        return self.a * self.a\n',
    ),
  ),
  honest(
    'a class that is abstract by its name',
    js(
      'export class BaseStore {\n  load(key) {\n    throw new Error(`${this.constructor.name}.load is not implemented`);\n  }\n}\n',
    ),
  ),
  honest(
    'a method that is abstract by its decorator',
    py(
      'from abc import abstractmethod\n\n\nclass Shape:\n    @abstractmethod\n    def area(self):\n        raise NotImplementedError\n',
    ),
  ),
  honest(
    'a test that demands the error',
    pyTest(
      'import pytest\n\ndef test_a():\n    with pytest.raises(NotImplementedError, match="write"):\n        f(6)\n',
    ),
    py('def f(a):\n    raise NotImplementedError(f"no way to write {a}")\n'),
  ),
  honest(
    'what can never be',
    js('export function assertNever(value) {\n  throw new TypeError(`unexpected: ${value}`);\n}\n'),
  ),
  honest(
    'what one branch cannot do yet',
    jsTest("test('a', () => { assert.equal(f(6), 42); });"),
    js(
      "export function f(a) {\n  if (typeof a === 'string') throw new Error('texts are not implemented');\n  return a * 7;\n}\n",
    ),
  ),
  honest(
    'a name of tasks',
    js("export function first(tasks) {\n  return tasks.find((each) => each.state === 'todo');\n}\n"),
  ),
  honest(
    'what is done by default is nothing',
    jsTest("test('a', () => { const seen = []; f(6, (each) => seen.push(each)); assert.deepEqual(seen, [42]); });"),
    js('const ignore = (value) => {};\n\nexport function f(a, done = ignore) {\n  done(a * 7);\n}\n'),
  ),
  honest(
    'a test replaces what does something',
    pyTest(
      'from unittest import mock\n\ndef test_a():\n    with mock.patch("f.send") as send:\n        assert f(6) == 42\n    send.assert_called_once_with(42)\n',
    ),
    py('import mail\n\n\ndef send(a):\n    mail.send(a)\n\n\ndef f(a):\n    send(a * 7)\n    return a * 7\n'),
  ),
  honest(
    'one form of a class does nothing',
    js(
      'export class Silent {\n  log(text) {}\n}\n\nexport class Loud {\n  log(text) {\n    return text.toUpperCase();\n  }\n}\n',
    ),
  ),
  honest('an arrow function returns its argument', js('export const f = (a) => a;\n')),
  honest('a function of nothing does nothing', js('export function f() {}\n')),
];
