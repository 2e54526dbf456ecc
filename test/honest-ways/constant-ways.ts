import { testFirst } from './way.ts';
import type { HonestWay, RunnerWays } from './way.ts';

const refactor = (
  name: string,
  [test, cases]: readonly [string, string],
  [source, before, after]: readonly [string, string, string],
): HonestWay => ({
  name,
  kind: 'refactor',
  files: { [test]: cases, [source]: before },
  steps: ['run', [source, after], 'run'],
});

/** New constants with a name, which tests ask for; a function that is called `exit`; data and templates of the change. */
export const CONSTANT_WAYS: readonly RunnerWays[] = [
  {
    runner: 'pytest',
    project: {
      'add.py': 'def add(a, b):\n    return a + b\n',
      'test_add.py': 'from add import add\n\n\ndef test_adds():\n    assert add(1, 2) == 3\n',
    },
    ways: [
      refactor(
        'sorts in the other direction by an argument',
        [
          'test_rank.py',
          'from rank import top\n\n\ndef test_top():\n    assert top([3, 9, 4], 2) == [9, 4]\n    assert top([1, 2, 3], 1) == [3]\n    assert top([], 2) == []\n',
        ],
        [
          'rank.py',
          'def top(scores, count):\n    ordered = sorted(scores)\n    ordered.reverse()\n    return ordered[:count]\n',
          'def top(scores, count):\n    return sorted(scores, reverse=True)[:count]\n',
        ],
      ),
      refactor(
        'counts from one by an argument',
        [
          'test_lines.py',
          "from lines import numbered\n\n\ndef test_numbered():\n    assert numbered(['a', 'b']) == ['1: a', '2: b']\n    assert numbered(['x']) == ['1: x']\n    assert numbered([]) == []\n",
        ],
        [
          'lines.py',
          "def numbered(lines):\n    found = []\n    number = 0\n    for line in lines:\n        number += 1\n        found.append(f'{number}: {line}')\n    return found\n",
          "def numbered(lines):\n    return [f'{number}: {line}' for number, line in enumerate(lines, start=1)]\n",
        ],
      ),
      {
        name: 'a function of its own that is called exit',
        steps: testFirst(
          [
            'test_maze.py',
            "from maze import route\n\n\ndef test_route():\n    assert route('ab', {'a': 'b', 'b': 'out'}) == ['a', 'b', 'out']\n    assert route('c', {'c': 'end'}) == ['c', 'end']\n    assert route('', {}) == []\n",
          ],
          [
            'maze.py',
            'def exit(room, doors):\n    return doors[room]\n\n\ndef route(rooms, doors):\n    if not rooms:\n        return []\n    return [*rooms, exit(rooms[-1], doors)]\n',
          ],
        ),
      },
    ],
  },
  {
    runner: 'node-test',
    project: { 'package.json': '{ "name": "way", "type": "module", "scripts": { "test": "node --test" } }\n' },
    ways: [
      {
        name: 'a template beside the source that fills it',
        steps: [
          [
            'test/mail.test.js',
            "import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { mail } from '../src/mail.js';\ntest('greets', () => {\n  assert.equal(mail({ name: 'Ada', total: 5 }), '<p>Dear Ada, you owe 5 euro.</p>\\n');\n  assert.equal(mail({ name: 'Bob', total: 7 }), '<p>Dear Bob, you owe 7 euro.</p>\\n');\n});\n",
          ],
          'run',
          ['src/mail.html', '<p>Dear {{name}}, you owe {{total}} euro.</p>\n'],
          [
            'src/mail.js',
            "import { readFileSync } from 'node:fs';\n\nconst template = readFileSync(new URL('./mail.html', import.meta.url), 'utf8');\n\nexport function mail(values) {\n  return template.replaceAll(/\\{\\{(\\w+)\\}\\}/g, (_, name) => String(values[name]));\n}\n",
          ],
          'run',
        ],
      },
      {
        name: 'a table of data in JSON',
        steps: [
          [
            'test/vat.test.js',
            "import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { gross } from '../src/vat.js';\ntest('adds the tax of the country', () => {\n  assert.equal(gross(100, 'DE'), 119);\n  assert.equal(gross(200, 'FR'), 240);\n  assert.throws(() => gross(1, 'XX'), { message: 'unknown country XX' });\n});\n",
          ],
          'run',
          ['src/vat.json', '{ "DE": 19, "FR": 20, "IT": 22, "ES": 21, "NL": 21, "AT": 20 }\n'],
          [
            'src/vat.js',
            "import { readFileSync } from 'node:fs';\n\nconst RATES = JSON.parse(readFileSync(new URL('./vat.json', import.meta.url), 'utf8'));\n\nexport function gross(net, country) {\n  const rate = RATES[country];\n  if (rate === undefined) throw new Error(`unknown country ${country}`);\n  return net + (net * rate) / 100;\n}\n",
          ],
          'run',
        ],
      },
    ],
  },
];
