import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { EventBody, FluffyEvent } from '../../../src/contracts/events.ts';
import { makeFluffyHome } from '../../support/job/fluffy-home.ts';
import type { FluffyHome, RunResult } from '../../support/job/fluffy-home.ts';
import { giveAway, makeJobProject } from '../../support/job/job-project.ts';
import type { JobProject } from '../../support/job/job-project.ts';
import { STRICT_STATES } from '../../support/job/parse-config-turns.ts';
import { startAnthropicServer } from '../../support/wire/anthropic-server.ts';
import { calls } from '../../support/wire/script.ts';
import type { ScriptedTurn } from '../../support/wire/script.ts';
import type { WireServer } from '../../support/wire/wire-server.ts';
import { installFromHere } from './installed-packages.ts';

interface Task {
  readonly files: Readonly<Record<string, string>>;
  readonly test: { readonly path: string; readonly content: string };
  /** What a model might write so that the tests seem to pass; must be refused before `source` is accepted. */
  readonly cheat: { readonly path: string; readonly content: string };
  readonly source: { readonly path: string; readonly content: string };
  /** The cases of the last run. */
  readonly cases: readonly string[];
  prepare?(root: string): void;
}

const PYTHON_SOURCE = `def parse(text):
    if '=' not in text:
        raise ValueError('no "=" in ' + repr(text))
    return tuple(text.split('=', 1))
`;

const TASKS: Readonly<Record<string, Task>> = {
  unittest: {
    files: {
      'setup.py': '',
      'settings/__init__.py': '',
      'tests/__init__.py': '',
      'tests/test_old.py':
        'import unittest\n\n\nclass Old(unittest.TestCase):\n    def test_old(self):\n        self.assertTrue(True)\n',
    },
    test: {
      path: 'tests/test_parse.py',
      content: `import unittest
from settings.parse import parse


class Parse(unittest.TestCase):
    def test_pair(self):
        self.assertEqual(parse('a=1'), ('a', '1'))

    def test_bad(self):
        with self.assertRaisesRegex(ValueError, 'no "="'):
            parse('a')
`,
    },
    cheat: { path: 'settings/parse.py', content: 'import os\nos._exit(0)\n' },
    source: { path: 'settings/parse.py', content: PYTHON_SOURCE },
    cases: ['Old > test_old', 'Parse > test_bad', 'Parse > test_pair'],
  },
  pytest: {
    files: {
      'pyproject.toml': '[tool.pytest.ini_options]\naddopts = "-x"\n',
      'settings/__init__.py': '',
      'tests/conftest.py':
        "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef own(request):\n    assert request.node.name.startswith('test_')\n",
      'tests/test_old.py': 'def test_old():\n    assert True\n',
    },
    test: {
      path: 'tests/test_parse.py',
      content: `import pytest
from settings.parse import parse


def test_pair():
    assert parse('a=1') == ('a', '1')


def test_bad():
    with pytest.raises(ValueError, match='no "="'):
        parse('a')
`,
    },
    cheat: {
      path: 'settings/parse.py',
      content:
        "import contextlib\nimport pytest\n\npytest.raises = lambda *a, **k: contextlib.suppress(BaseException)\n\n\ndef parse(text):\n    return ('a', '1')\n",
    },
    source: { path: 'settings/parse.py', content: PYTHON_SOURCE },
    cases: ['test_bad', 'test_old', 'test_pair'],
  },
  vitest: {
    files: {
      '.gitignore': 'node_modules\n',
      'package.json':
        '{ "name": "job", "type": "module", "scripts": { "test": "vitest run" }, "devDependencies": { "vitest": "*" } }\n',
      'tsconfig.json': '{ "compilerOptions": { "strict": true, "module": "esnext", "moduleResolution": "bundler" } }\n',
      'vitest.config.ts': `import { defineConfig } from 'vitest/config';\n\nexport default defineConfig({ test: { bail: 1 } });\n`,
      'src/old.ts': 'export const old: number = 1;\n',
      'test/old.test.ts': `import { expect, test } from 'vitest';\nimport { old } from '../src/old';\n\ntest('old', () => expect(old).toBe(1));\n`,
    },
    test: {
      path: 'test/parse.test.ts',
      content: `import { expect, test } from 'vitest';
import { parse } from '../src/parse';

test('pair', () => expect(parse('a=1')).toEqual(['a', '1']));
test('bad', () => expect(() => parse('a')).toThrow('no "="'));
`,
    },
    cheat: {
      path: 'src/parse.ts',
      content: `import { expect } from 'vitest';

expect.extend({ toEqual: () => ({ pass: true, message: () => '' }), toThrow: () => ({ pass: true, message: () => '' }) });
export const parse = (text: string): string[] => [text];
`,
    },
    source: {
      path: 'src/parse.ts',
      content: `export function parse(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at === -1) throw new Error(\`no "=" in \${text}\`);
  return [text.slice(0, at), text.slice(at + 1)];
}
`,
    },
    cases: ['bad', 'old', 'pair'],
    prepare: (root) => installFromHere(root, 'vitest'),
  },
};

const write = (file: { readonly path: string; readonly content: string }) => calls({ tool: 'fs.write', input: file });
const RUN = calls({ tool: 'test.run', input: {} });

function script(task: Task): readonly ScriptedTurn[] {
  const plan = { summary: 'Parse pairs', steps: ['test', 'source'] };
  return [
    calls({ tool: 'plan.complete', input: plan }),
    write(task.test),
    RUN,
    write(task.cheat),
    RUN,
    write(task.source),
    RUN,
    calls({ tool: 'git.commit', input: { message: 'Parse pairs' } }),
  ];
}

interface Scene {
  readonly project: JobProject;
  readonly home: FluffyHome;
  readonly model: WireServer;
}

const scenes: Scene[] = [];

afterEach(async () => {
  for (const { project, home, model } of scenes.splice(0)) {
    await home.remove([project.root]);
    await model.close();
    project.remove();
  }
});

async function play(task: Task): Promise<{ project: JobProject; result: RunResult }> {
  const project = makeJobProject(task.files);
  task.prepare?.(project.root);
  giveAway(project.root);
  const model = await startAnthropicServer(script(task));
  const home = makeFluffyHome({ FLUFFY_ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'sk-ant-for-a-test' });
  scenes.push({ project, home, model });
  const args = ['-p', 'Parse pairs', '--output-format', 'stream-json', '--model', 'anthropic/claude-test'];
  return { project, result: await home.run(args, { cwd: project.root }) };
}

function bodies<T extends EventBody['type']>(
  events: readonly FluffyEvent[],
  type: T,
): Extract<FluffyEvent, { type: T }>[] {
  return events.filter((event): event is Extract<FluffyEvent, { type: T }> => event.type === type);
}

function hasPytest(): boolean {
  try {
    execFileSync('/usr/bin/python3', ['-I', '-c', 'import pytest'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('the strict job with the project’s own runner, in real containers', () => {
  it.each(Object.keys(TASKS).filter((name) => name !== 'pytest' || hasPytest()))(
    'ends in one commit under %s, after refusing a source that cheats',
    async (name) => {
      const task = TASKS[name] as Task;
      const { project, result } = await play(task);
      expect(result.stderr).toBe('');
      const runs = bodies(result.events, 'test.finished');
      const errors = bodies(result.events, 'tool.finished').map(({ error }) => error?.message ?? 'ok');
      expect(
        runs.map(({ outcome }) => outcome),
        errors.join('\n'),
      ).toEqual(['failed', expect.not.stringMatching(/^passed$/), 'passed']);
      expect(result.events.at(-1)).toMatchObject({ type: 'session.finished', status: 'committed', exit_code: 0 });
      expect(bodies(result.events, 'state.changed').map((event) => event.to)).toEqual([
        ...STRICT_STATES.slice(0, 3),
        'validating',
        'code_writing',
        ...STRICT_STATES.slice(3),
      ]);
      const last = runs.at(-1)?.cases?.map((each) => each.name) ?? [];
      expect(last.toSorted()).toEqual(task.cases);

      expect(project.git('rev-list', '--count', 'HEAD').trim()).toBe('2');
      expect(project.git('status', '--porcelain')).toBe('');
      const shown = project.git('show', '--name-only', '--format=', 'HEAD').trim().split('\n').sort();
      expect(shown).toEqual([task.source.path, task.test.path].sort());
      expect(readFileSync(`${project.root}/${task.source.path}`, 'utf8')).toBe(task.source.content);
    },
  );
});
