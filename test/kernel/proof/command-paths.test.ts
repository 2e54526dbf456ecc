import { describe, expect, it } from 'vitest';
import { namedByCommand } from '../../../src/kernel/proof/command-paths.ts';

describe('a file that the test command names', () => {
  it.each<[string[], string, boolean]>([
    [['--import=./support/setup.mjs'], 'support/setup.mjs', true],
    [['--import=./support/setup.mjs'], 'support/other.mjs', false],
    [['--import', './support/setup.mjs'], 'support/setup.mjs', true],
    [['--require=./support/setup'], 'support/setup.cjs', true],
    [['--require=./support'], 'support/index.js', true],
    [['--require=./support'], 'support/package.json', true],
    [['--require=./support'], 'support/deep/index.js', false],
    [['--loader=file:///project/hooks/my%20loader.mjs'], 'hooks/my loader.mjs', true],
    [['--import=/project/support/setup.mjs'], 'support/setup.mjs', true],
    [['--import=/elsewhere/setup.mjs'], 'elsewhere/setup.mjs', false],
    [['--env-file=.env.test'], '.env.test', true],
    [['-c', 'ci/pytest.cfg'], 'ci/pytest.cfg', true],
    [['-p', 'tools.plugin'], 'tools/plugin.py', true],
    [['--config.transform=tools/transform.js'], 'tools/transform.js', true],
    [['--config.setupFiles=support/env'], 'support/env.ts', true],
    [['--config.runner=shop.runner'], 'shop/runner.py', true],
    [['--cov=src'], 'src/index.js', false],
    [['-s', 'tests'], 'tests/test_a.py', false],
    [['test/**/*.test.js'], 'test/a.test.js', false],
    [[], 'src/a.js', false],
  ])('%j names %s: %s', (args, path, named) => {
    expect(namedByCommand({ runner: 'node-test', cwd: '', args }, '/project')(path)).toBe(named);
  });

  it('is looked for where the command runs', () => {
    const named = namedByCommand({ runner: 'node-test', cwd: 'app', args: ['--import=../setup.mjs'] }, '/project');
    expect(named('setup.mjs')).toBe(true);
    expect(named('app/setup.mjs')).toBe(false);
  });

  it('does not exist without a command', () => {
    expect(namedByCommand(null, '/project')('setup.mjs')).toBe(false);
  });
});
