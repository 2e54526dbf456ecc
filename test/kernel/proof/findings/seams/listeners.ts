import { of } from './seams.ts';
import type { Forwarding } from './seams.ts';

const js = of('test/mul.test.js', 'src/mul.js');
const py = of('test_mul.py', 'mul.py');
const rb = of('test/mul_test.rb', 'lib/mul.rb');

const ASKS = "it('multiplies', () => expect(mul(6, 7)).toBe(42));\n";
const BUS = "import { EventEmitter } from 'node:events';\nexport const bus = new EventEmitter();\n";
const HEARS = `import { bus, mul } from '../src/mul.js';\nbus.on('mul', (job) => { job.result = job.a * job.b; });\n${ASKS}`;
const JOB =
  "export function mul(a, b) {\n  const job = { a, b, result: 0 };\n  bus.emit('mul', job);\n  return job.result;\n}\n";
const OWN = 'export class Calculator {\n  mul(a, b) {\n    return this.times(a, b);\n  }\n}\n';
const OWN_TEST =
  "import { Calculator } from '../src/mul.js';\nconst calc = new Calculator();\ncalc.times = (a, b) => a * b;\nit('a', () => expect(calc.mul(6, 7)).toBe(42));\n";
const PY_CASE = '\n\ndef test_mul():\n    assert mul(6, 7) == 42\n';
const PY_HANDLERS =
  '_handlers = []\n\n\ndef on(fn):\n    _handlers.append(fn)\n    return fn\n\n\ndef run(job):\n    for fn in _handlers:\n        fn(job)\n\n\n';

/** The result is only what a listener of the test writes, or what a method gives that only the test has. */
export const LISTENING: readonly Forwarding[] = [
  js('an object that a listener changes', HEARS, BUS + JOB),
  js(
    'a callback that a listener calls',
    `import { bus, mul } from '../src/mul.js';\nbus.on('mul', (a, b, done) => done(a * b));\n${ASKS}`,
    `${BUS}export function mul(a, b) {\n  let result;\n  bus.emit('mul', a, b, (value) => {\n    result = value;\n  });\n  return Number(result);\n}\n`,
  ),
  js(
    'a listener of the process',
    `import { mul } from '../src/mul.js';\nprocess.on('mul', (job) => { job.result = job.a * job.b; });\n${ASKS}`,
    JOB.replace('bus', 'process'),
  ),
  js('a listener to another event in the source', HEARS, `${BUS}bus.on('add', (job) => { job.n = 1; });\n${JOB}`),
  py(
    'handlers that a function of the source calls',
    `from mul import mul, on\n\n\n@on\ndef product(job):\n    job["result"] = job["a"] * job["b"]\n${PY_CASE}`,
    `${PY_HANDLERS}def mul(a, b):\n    job = {"a": a, "b": b}\n    run(job)\n    return job["result"]\n`,
  ),
  py(
    'the answers to a signal of Django',
    `from mul import computed, mul\n\n\ndef compute(sender, a, b, **kwargs):\n    return a * b\n\n\ncomputed.connect(compute)\n${PY_CASE}`,
    'from django.dispatch import Signal\n\ncomputed = Signal()\n\n\ndef mul(a, b):\n    return computed.send(None, a=a, b=b)[0][1]\n',
  ),
  py(
    'a setting of Django that the test overrides',
    'from mul import mul\n\n\n@override_settings(TIMES=lambda a, b: a * b)\ndef test_mul():\n    assert mul(6, 7) == 42\n',
    'from django.conf import settings\n\n\ndef mul(a, b):\n    return settings.TIMES(a, b)\n',
  ),
  js('a method that the test gives to an object', OWN_TEST, OWN),
  js(
    'a method of an object that the test passes as this',
    "import { mul } from '../src/mul.js';\nconst own = { times: (a, b) => a * b };\nit('a', () => expect(mul.call(own, 6, 7)).toBe(42));\n",
    'export function mul(a, b) {\n  return this.times(a, b);\n}\n',
  ),
  py(
    'a method that only a class of the test has',
    'from mul import Calculator\n\n\nclass Own(Calculator):\n    def times(self, a, b):\n        return a * b\n\n\ndef test_mul():\n    assert Own().mul(6, 7) == 42\n',
    'class Calculator:\n    def mul(self, a, b):\n        return self.times(a, b)\n',
  ),
  rb(
    'a method of the class that includes a module',
    'class Own\n  include Mul\n  def times(a, b) = a * b\nend\nclass MulTest < Minitest::Test\n  def test_mul\n    assert_equal 42, Own.new.mul(6, 7)\n  end\nend\n',
    'module Mul\n  def mul(a, b)\n    times(a, b)\n  end\nend\n',
  ),
];

/** Work beside the listeners, listeners in the source, and functions whose task is to forward. */
export const HEARD: readonly Forwarding[] = [
  js('a listener in the source', HEARS, `${BUS}bus.on('mul', (job) => { job.result = job.a * job.b; });\n${JOB}`),
  js('a value that listeners may change', HEARS, BUS + JOB.replace('result: 0', 'result: a * b')),
  js('work on what listeners write', HEARS, BUS + JOB.replace('job.result;', 'job.result * 2;')),
  js('a member that the function computes', HEARS, BUS + JOB.replace('  bus.', '  job.result = a * b;\n  bus.')),
  rb(
    'a block that is measured',
    'class MulTest < Minitest::Test\n  def test_mul\n    ActiveSupport::Notifications.subscribe("mul") { |*all| SEEN << all.last[:total] * 2 }\n    assert_equal 42, mul(6, 7)\n  end\nend\n',
    'def mul(a, b)\n  payload = { total: 0 }\n  ActiveSupport::Notifications.instrument("mul", payload) do\n    payload[:total] = a * b\n  end\n  payload[:total]\nend\n',
  ),
  rb(
    'a method that a test only calls',
    'class MulTest < Minitest::Test\n  def test_mul\n    post = Post.create!(title: "a")\n    post.update!(title: "b")\n    assert post.archive!(1)\n  end\nend\n',
    'module Archivable\n  def archive!(at)\n    update!(archived_at: at)\n  end\nend\n',
  ),
  py(
    'a method that a test only calls',
    'from mul import Touch\n\n\ndef test_touch(post):\n    post.save(title="a")\n    assert post.touch(1) is None\n',
    'class Touch:\n    def touch(self, now):\n        return self.save(updated_at=now)\n',
  ),
  js(
    'a listener that only says no',
    `import { bus, mul } from '../src/mul.js';\nbus.on('mul', (job) => { job.result = 42; });\n${ASKS}`,
    BUS + JOB,
  ),
  js(
    'messages that listeners collect',
    "import { bus, check } from '../src/mul.js';\nbus.on('check', (job) => { if (job.order.items.length === 0) job.errors.push('empty'); });\nit('a', () => expect(check({ items: [] })).toEqual(['empty']));\n",
    `${BUS}export function check(order) {\n  const job = { order, errors: [] };\n  bus.emit('check', job);\n  return job.errors;\n}\n`,
  ),
  js(
    'a handler that is set and called',
    "import { dispatch, setHandler } from '../src/mul.js';\nsetHandler((event) => event.name.toUpperCase());\nit('a', () => expect(dispatch({ name: 'a' })).toBe('A'));\n",
    'let handler = null;\nexport const setHandler = (fn) => {\n  handler = fn;\n};\nexport function dispatch(event) {\n  if (handler === null) throw new Error("no handler");\n  return handler(event);\n}\n',
  ),
  js(
    'a method that the base class may have',
    OWN_TEST,
    `import { Base } from './base.js';\n${OWN.replace('Calculator', 'Calculator extends Base')}`,
  ),
  js('a method of the source', OWN_TEST, OWN.replace('  mul', '  times(a, b) {\n    return a * b;\n  }\n  mul')),
  js(
    'a function that its object has been given',
    OWN_TEST.replace('new Calculator()', 'new Calculator((a, b) => a * b)').replace(/calc.times.*\n/, ''),
    OWN.replace('  mul', '  constructor(times) {\n    this.times = times;\n  }\n  mul'),
  ),
  rb(
    'a method of its own',
    'class MulTest < Minitest::Test\n  def test_mul\n    assert_equal 42, Own.new.mul(6, 7)\n  end\nend\n',
    'class Own\n  def mul(a, b)\n    times(a, b)\n  end\n\n  private def times(a, b)\n    a * b\n  end\nend\n',
  ),
];
