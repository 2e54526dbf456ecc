import { revise, testFirst } from './way.ts';
import type { RunnerWays, Step } from './way.ts';

/** Tests of state that a module keeps: first without cleaning up, and then as `test.run` says at green. */
function repaired(first: readonly Step[], second: readonly Step[]): readonly Step[] {
  return [...first, revise('The cases leave state behind'), ...second];
}

const settings = (before: string): readonly [string, string] => [
  'test_conf.py',
  `import conf\n${before}\n\ndef test_reads_once(monkeypatch):\n    calls = []\n    monkeypatch.setattr(conf, 'read', lambda: calls.append(1) or {'a': 1})\n    assert conf.settings() == {'a': 1}\n    assert conf.settings() == {'a': 1}\n    assert len(calls) == 1\n\n\ndef test_reads_defaults():\n    assert conf.read() == {}\n`,
];
const CONF =
  'from functools import lru_cache\n\n\ndef read():\n    return {}\n\n\n@lru_cache\ndef settings():\n    return read()\n';

export const PYTEST_STATE_WAYS: RunnerWays = {
  runner: 'pytest',
  project: { 'requirements.txt': 'pytest\n' },
  ways: [
    {
      name: 'a cache that a fixture empties after green asked for it',
      steps: repaired(testFirst(settings(''), ['conf.py', CONF]), [
        settings(
          'import pytest\n\n\n@pytest.fixture(autouse=True)\ndef fresh():\n    yield\n    conf.settings.cache_clear()\n',
        ),
        'run',
        'run',
      ]),
    },
  ],
};
