import { NODE, NODE_PACKAGE } from './largest.ts';
import { revise, testFirst } from './way.ts';
import type { RunnerWays, Step } from './way.ts';

/** Tests of state that a module keeps: first without cleaning up, and then as `test.run` says at green. */
function repaired(first: readonly Step[], second: readonly Step[]): readonly Step[] {
  return [...first, revise('The cases leave state behind'), ...second];
}

const registry = (uses: string, hook: string): readonly [string, string] => [
  'test/registry.test.js',
  `${NODE}${hook === '' ? '' : "import { afterEach } from 'node:test';\n"}import { ${uses} } from '../src/registry.js';\n${hook}test('finds what was registered', () => {\n  register('alpha', 1);\n  assert.equal(lookup('alpha'), 1);\n});\ntest('refuses a name twice', () => {\n  register('beta', 2);\n  assert.throws(() => register('beta', 3), /beta is registered/);\n});\n`,
];
const REGISTRY =
  'const known = new Map();\n\nexport function register(name, value) {\n  if (known.has(name)) throw new Error(`${name} is registered`);\n  known.set(name, value);\n}\n\nexport const lookup = (name) => known.get(name);\n';
const CLEAR = '\nexport function clear() {\n  known.clear();\n}\n';

const settings = (before: string): readonly [string, string] => [
  'test_conf.py',
  `import conf\n${before}\n\ndef test_reads_once(monkeypatch):\n    calls = []\n    monkeypatch.setattr(conf, 'read', lambda: calls.append(1) or {'a': 1})\n    assert conf.settings() == {'a': 1}\n    assert conf.settings() == {'a': 1}\n    assert len(calls) == 1\n`,
];
const CONF =
  'from functools import lru_cache\n\n\ndef read():\n    return {}\n\n\n@lru_cache\ndef settings():\n    return read()\n';

export const NODE_STATE_WAYS: RunnerWays = {
  runner: 'node-test',
  project: NODE_PACKAGE,
  ways: [
    {
      name: 'a registry that cases clear after green asked for it',
      steps: repaired(testFirst(registry('lookup, register', ''), ['src/registry.js', REGISTRY]), [
        ...testFirst(registry('clear, lookup, register', 'afterEach(clear);\n'), ['src/registry.js', REGISTRY + CLEAR]),
      ]),
    },
  ],
};

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
