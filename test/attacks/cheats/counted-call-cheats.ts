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
