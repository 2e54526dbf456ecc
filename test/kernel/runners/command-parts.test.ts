import { describe, expect, it, vi } from 'vitest';
import { explainNotCollected } from '../../../src/kernel/runners/collected-name.ts';
import { collectedBy, collectsInProject, filesByPart, partFor } from '../../../src/kernel/runners/command-parts.ts';
import { describeCommand } from '../../../src/kernel/runners/describe-command.ts';
import { loadedFirst } from '../../../src/kernel/runners/loaded-first.ts';
import { requireRunner } from '../../../src/kernel/runners/registry.ts';

const COMMAND = {
  runner: 'pytest',
  cwd: '',
  args: [],
  timeout_ms: 7,
  others: [
    { runner: 'vitest', cwd: 'web', args: [] },
    { runner: 'go-test', cwd: 'web/api', args: [] },
  ],
};

describe('a command of several parts', () => {
  it.each([
    ['web/a.test.ts', 'vitest', true],
    ['web/api/a_test.go', 'go-test', true],
    ['web/api/a.test.ts', 'vitest', true],
    ['web/test_tools.py', 'pytest', true],
    ['web/api/main.go', 'go-test', false],
    ['website/a.test.ts', 'pytest', false],
  ])('%s belongs to %s: the nearest that collects it, else the nearest', (path, runner, isCollected) => {
    expect(partFor(COMMAND, path)?.runner).toBe(runner);
    expect(collectsInProject(COMMAND, path)).toBe(isCollected);
  });

  it('asks each runner around a file once whether it collects it', () => {
    const collects = vi.spyOn(requireRunner('cargo-test'), 'collects');
    const how = collectedBy({ runner: 'cargo-test', cwd: '', args: [] });
    expect(['tests/a.rs', 'src/lib.rs', 'README.md'].map(how)).toEqual(['file', 'inside', null]);
    expect(collects).toHaveBeenCalledTimes(3);
    collects.mockRestore();
  });

  it('runs each file with its own runner, under the limits of the user', () => {
    const groups = filesByPart(COMMAND, ['web/a.test.ts', 'test_a.py', 'web/b.test.ts']);
    expect(groups).toEqual([
      { part: { runner: 'pytest', cwd: '', args: [], timeout_ms: 7 }, files: ['test_a.py'] },
      { part: { runner: 'vitest', cwd: 'web', args: [], timeout_ms: 7 }, files: ['web/a.test.ts', 'web/b.test.ts'] },
    ]);
  });

  it('has the names of each in what the model reads', () => {
    expect(describeCommand(COMMAND)).toBe(
      'pytest, which collects test_*.py, *_test.py; vitest in web, which collects *.test.ts, *.spec.ts (also .js, .mjs, .cjs, .mts, .cts, .jsx, .tsx); go-test in web/api, which collects *_test.go',
    );
    expect(explainNotCollected(COMMAND, ['web/api/testmul.go'])).toBe(
      'go-test collects *_test.go below web/api: web/api/testmul_test.go in place of web/api/testmul.go.',
    );
  });

  it('is decided by what any of its runners loads first', () => {
    const isLoadedFirst = loadedFirst(COMMAND);
    expect(['conftest.py', 'web/vite.config.ts', 'web/api/go.mod'].every(isLoadedFirst)).toBe(true);
  });
});
