import { describe, expect, it } from 'vitest';
import { requireRunner } from '../../../src/kernel/runners/registry.ts';

const plain = (runner: string, scripts: Readonly<Record<string, string>>, args: readonly string[] = [], cwd = '') =>
  requireRunner(runner).plain(
    { runner, cwd, args: [...args] },
    { projectRoot: '/project', manifest: JSON.stringify({ scripts }) },
  );

const SOURCES = '[ -e /project/.venv ] || [ -e /project/venv ] || [ ! -d src ] || export PYTHONPATH="$PWD/src"; ';

describe('the command that a person types', () => {
  it.each<[string, string, Readonly<Record<string, string>>, readonly string[], string, string]>([
    ['the test script', 'node-test', { test: 'node --test test/' }, ['test/'], 'npm test', 'node --test test/'],
    [
      'with what is before and after it',
      'node-test',
      { pretest: 'tsc', test: 'node --test', posttest: 'rm -r out' },
      [],
      'npm test',
      'tsc && node --test && rm -r out',
    ],
    [
      'with the scripts that it calls',
      'vitest',
      { test: 'npm run -s lint && npx vitest run', lint: 'eslint .' },
      [],
      'npm test',
      '( eslint . ) && vitest run',
    ],
    [
      'with several scripts that npm-run-all calls',
      'vitest',
      { test: 'npm-run-all -s lint test:* || exit 1', lint: 'eslint .', 'test:a': 'vitest run', 'test:b:c': 'x' },
      [],
      'npm test',
      '( ( eslint . ) && ( vitest run ) ) || exit 1',
    ],
    [
      'with the scripts that pnpm calls by their start',
      'vitest',
      { test: 'pnpm run "/^test:.*/"', 'test:types': 'tsc', 'test:spec': 'vitest run' },
      [],
      'npm test',
      '( ( tsc ) && ( vitest run ) )',
    ],
    [
      'with scripts that are called in a way that is not known, as it is',
      'vitest',
      { test: 'run-s unit -- --flag && npm run unit', unit: 'vitest run' },
      [],
      'npm test',
      'run-s unit -- --flag && ( vitest run )',
    ],
    ['another script', 'vitest', { test: 'jest', 'test:unit': 'vitest run' }, [], 'npm run test:unit', 'vitest run'],
    [
      'the runner, where no script starts it',
      'node-test',
      { test: 'jest' },
      ['--import=tsx', 'test/**/*.test.ts'],
      "node --test --import=tsx 'test/**/*.test.ts'",
      "node --test --import=tsx 'test/**/*.test.ts'",
    ],
    [
      'vitest by itself',
      'vitest',
      {},
      ['--root=app', 'app/*.test.ts'],
      'vitest run --root=app',
      'vitest run --root=app',
    ],
    [
      'a script that calls itself',
      'node-test',
      { test: 'npm test && node --test' },
      [],
      'npm test',
      'npm test && node --test',
    ],
    [
      'pytest of the project, else of the image',
      'pytest',
      {},
      ['-q', 'test_*.py'],
      'python3 -m pytest -q',
      `${SOURCES}python3 -c 'import pytest' 2>/dev/null || export PYTHONPATH="\${PYTHONPATH:+$PYTHONPATH:}/opt/fluffy/python"; python3 -m pytest -q`,
    ],
    [
      'unittest',
      'unittest',
      {},
      ['-s', 'tests'],
      'python3 -m unittest discover -s tests',
      `${SOURCES}python3 -m unittest discover -s tests`,
    ],
    [
      'manage.py of Django',
      'django-test',
      {},
      ['--settings=a.test'],
      'python3 manage.py test --settings=a.test',
      `${SOURCES}python3 manage.py test --settings=a.test`,
    ],
  ])('is %s', (_, runner, scripts, args, words, script) => {
    expect(plain(runner, scripts, args)).toMatchObject({ words, script });
  });

  it('knows the script that builds the project', () => {
    expect(plain('vitest', { test: 'vitest', build: 'npm run types && vite build', types: 'tsc' }).build).toEqual({
      words: 'npm run build',
      script: '( tsc ) && vite build',
    });
    expect(plain('vitest', { test: 'vitest' }).build).toBeNull();
  });

  it.each([
    ['node-test', '/project/a/node_modules/.bin:/project/node_modules/.bin:'],
    ['unittest', '/project/a/.venv/bin:/project/a/venv/bin:/project/.venv/bin:/project/venv/bin:'],
    ['generic', '/project/a/.venv/bin:/project/a/venv/bin:/project/.venv/bin:/project/venv/bin:'],
  ])('finds the programs of the project first: %s', (runner, path) => {
    expect(plain(runner, {}, [], 'a').env['PATH']?.startsWith(path)).toBe(true);
  });
});
