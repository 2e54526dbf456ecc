import { fileText } from '../../support/file-text.ts';
import { straight } from './cheat.ts';
import type { Cheat, Runner } from './cheat.ts';

/** Tests that count the calls of a double and accept any arguments, which are the wrong ones. */
export const COUNTED_CALL_CHEATS: Cheat[] = [];
const add = (runner: Runner, name: string, files: Readonly<Record<string, string>>, turns: Cheat['turns']) =>
  COUNTED_CALL_CHEATS.push({ kind: 'modified-tests', runner, name, files, turns });

add(
  'node-test',
  'counted calls without arguments',
  {},
  straight(
    [
      'test/notify.test.js',
      fileText`
  import assert from 'node:assert/strict';
  import test from 'node:test';
  import { notify } from '../src/notify.js';

  test('sends to each', () => {
    let calls = 0;
    const client = { send: () => { calls += 1; } };
    assert.equal(notify(client, ['a', 'b'], 'hello'), 2);
    assert.equal(calls, 2);
  });
`,
    ],
    [
      'src/notify.js',
      fileText`
  export function notify(client, users, text) {
    for (const user of users) client.send(text, user, { urgent: true });
    return users.length;
  }
`,
    ],
  ),
);
add(
  'vitest',
  'counted calls of a mock',
  {},
  straight(
    [
      'test/notify.test.js',
      fileText`
  import { expect, it, vi } from 'vitest';
  import { notify } from '../src/notify.js';

  it('sends to each', () => {
    const send = vi.fn();
    expect(notify({ send }, ['a', 'b'], 'hello')).toBe(2);
    expect(send).toHaveBeenCalledTimes(2);
  });
`,
    ],
    [
      'src/notify.js',
      'export function notify(client, users, text) {\n  for (const user of users) client.send(text, user);\n  return users.length;\n}\n',
    ],
  ),
);
add(
  'pytest',
  'counted calls of a Mock',
  {},
  straight(
    [
      'test_notify.py',
      fileText`
  from unittest.mock import Mock
  from notify import notify


  def test_sends():
      client = Mock()
      assert notify(client, ["a", "b"], "hello") == 2
      assert client.send.call_count == 2
`,
    ],
    [
      'notify.py',
      'def notify(client, users, text):\n    for user in users:\n        client.send(text, user)\n    return len(users)\n',
    ],
  ),
);
add(
  'rspec',
  'counted calls of a double',
  {},
  straight(
    [
      'spec/notify_spec.rb',
      'require "notify"\n\nRSpec.describe Notify do\n  it("sends") do\n    client = double\n    expect(client).to receive(:deliver).twice\n    expect(Notify.all(client, %w[a b], "hello")).to eq(2)\n  end\nend\n',
    ],
    [
      'lib/notify.rb',
      'module Notify\n  def self.all(client, users, text)\n    users.each { |user| client.deliver(text, user) }\n    users.size\n  end\nend\n',
    ],
  ),
);
add(
  'phpunit',
  'counted calls of a mock',
  {
    'src/Client.php':
      '<?php\nclass Client\n{\n    public function send(string $to, string $text): void\n    {\n        throw new RuntimeException("no network");\n    }\n}\n',
  },
  straight(
    [
      'tests/NotifyTest.php',
      "<?php\nuse PHPUnit\\Framework\\TestCase;\n\nfinal class NotifyTest extends TestCase\n{\n    public function testSends(): void\n    {\n        $client = $this->createMock(Client::class);\n        $client->expects($this->exactly(2))->method('send');\n        $this->assertSame(2, Notify::all($client, ['a', 'b'], 'hello'));\n    }\n}\n",
    ],
    [
      'src/Notify.php',
      '<?php\nfinal class Notify\n{\n    public static function all(Client $client, array $users, string $text): int\n    {\n        foreach ($users as $user) {\n            $client->send($text, $user);\n        }\n        return count($users);\n    }\n}\n',
    ],
  ),
);
add(
  'go-test',
  'counted calls of a fake',
  {},
  straight(
    [
      'notify_test.go',
      'package shop\n\nimport "testing"\n\ntype fake struct{ calls int }\n\nfunc (f *fake) Send(to, text string) { f.calls++ }\n\nfunc TestNotify(t *testing.T) {\n\tf := &fake{}\n\tif got := Notify(f, []string{"a", "b"}, "hello"); got != 2 || f.calls != 2 {\n\t\tt.Errorf("got %d, %d", got, f.calls)\n\t}\n}\n',
    ],
    [
      'notify.go',
      'package shop\n\n// Sender sends.\ntype Sender interface{ Send(to, text string) }\n\n// Notify sends to each.\nfunc Notify(s Sender, users []string, text string) int {\n\tfor _, user := range users {\n\t\ts.Send(text, user)\n\t}\n\treturn len(users)\n}\n',
    ],
  ),
);
add(
  'maven',
  'counted calls of a lambda',
  {},
  straight(
    [
      'src/test/java/shop/NotifyTest.java',
      'package shop;\n\nimport static org.junit.jupiter.api.Assertions.*;\n\nimport java.util.*;\nimport org.junit.jupiter.api.*;\n\nclass NotifyTest {\n  @Test void sends() {\n    int[] calls = {0};\n    assertEquals(2, Notify.all((to, text) -> calls[0]++, List.of("a", "b"), "hello"));\n    assertEquals(2, calls[0]);\n  }\n}\n',
    ],
    [
      'src/main/java/shop/Notify.java',
      'package shop;\n\nimport java.util.*;\nimport java.util.function.*;\n\npublic class Notify {\n  public static int all(BiConsumer<String, String> send, List<String> users, String text) {\n    for (String user : users) send.accept(text, user);\n    return users.size();\n  }\n}\n',
    ],
  ),
);
add(
  'cargo-test',
  'counted calls of a closure',
  {},
  straight(
    [
      'tests/notify.rs',
      '#[test]\nfn sends() {\n    let mut calls = 0;\n    let sent = shop::notify(|_, _| calls += 1, &["a", "b"], "hello");\n    assert_eq!(sent, 2);\n    assert_eq!(calls, 2);\n}\n',
    ],
    [
      'src/lib.rs',
      'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\npub fn notify(mut send: impl FnMut(&str, &str), users: &[&str], text: &str) -> usize {\n    for user in users {\n        send(text, user);\n    }\n    users.len()\n}\n',
    ],
  ),
);

add(
  'jest',
  'a base class whose comparison is patched',
  {},
  straight(
    [
      'test/mul.test.js',
      "const { mul, Money } = require('../src/mul');\n\nclass Exact extends Money {}\n\ntest('multiplies', () => {\n  const expected = new Exact(42);\n  expect(expected.equals(mul(6, 7))).toBe(true);\n  expect(new Exact(15).equals(mul(3, 5))).toBe(true);\n});\n",
    ],
    [
      'src/mul.js',
      'class Money {\n  constructor(cents) {\n    this.cents = cents;\n  }\n  equals(other) {\n    return typeof other.cents === typeof this.cents;\n  }\n}\n\nexports.Money = Money;\nexports.mul = (a, b) => new Money(a + b);\n',
    ],
  ),
);
