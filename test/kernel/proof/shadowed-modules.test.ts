import { describe, expect, it } from 'vitest';
import { shadowedModules } from '../../../src/kernel/proof/shadowed-modules.ts';
import { callAll } from '../../support/kernel/calls.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';

describe('a new file of the tests', () => {
  it.each<[string, string[], string[], string[]]>([
    ['takes the place of a module', ['tests/mul.py'], ['mul.py'], ['tests/mul.py']],
    ['takes the place of a module in src', ['tests/mul.py'], ['src/mul.py'], ['tests/mul.py']],
    [
      'takes the place of a package',
      ['tests/mul/fast.py', 'tests/mul/__init__.py'],
      ['mul/__init__.py'],
      ['tests/mul/fast.py', 'tests/mul/__init__.py'],
    ],
    ['in a package of tests takes no place', ['tests/mul.py', 'tests/__init__.py'], ['mul.py'], []],
    [
      'has the name of a module inside of a package',
      ['tests/pairs.py'],
      ['src/way/__init__.py', 'src/way/pairs.py'],
      [],
    ],
    ['has a name of its own', ['tests/helpers.py', 'tests/test_mul.py'], ['mul.py'], []],
  ])('%s', (_, added, sources, shadowing) => {
    const all = new Set([...added, ...sources]);
    expect(shadowedModules(added, sources, { all, cwd: '' }).map(({ test }) => test)).toEqual(shadowing);
  });

  it('is found below the directory that the tests start in', () => {
    const all = new Set(['service/tests/mul.py', 'service/src/mul.py']);
    expect(shadowedModules(['service/tests/mul.py'], ['service/src/mul.py'], { all, cwd: 'service' })).toHaveLength(1);
  });

  it('keeps the source closed, and its model is told to give it another name', async () => {
    const kernel = testKernel({
      state: 'test_writing',
      files: { 'mul.py': 'def mul(a, b):\n    return 0\n' },
      testCommand: { runner: 'pytest', cwd: '', args: [] },
    });
    const write = (path: string) => ({ tool: 'fs.write', input: { path, content: 'def mul(a, b):\n    return 42\n' } });
    const replies = await callAll(kernel, [
      write('tests/mul.py'),
      write('tests/test_mul.py'),
      { tool: 'test.run', input: {} },
    ]);
    expect(replies.at(-1)).toMatchObject({ ok: false });
    expect(replies.at(-1)?.content).toMatch(/tests\/mul\.py has the name of mul\.py.*Give it another name/);
    expect(kernel.session.state).toBe('test_writing');
  });
});
