import { describe, expect, it } from 'vitest';
import { collectedBy } from '../../../../src/kernel/proof/run/collected-tests.ts';
import { callTool } from '../../../support/kernel/calls.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';

const command = (runner: string, ...args: string[]) => ({ runner, cwd: '', args });

describe('a file is a test where its runner collects it', () => {
  it.each([
    ['node-test', [], 'test-mul.js', true],
    ['node-test', [], 'src/mul.js', false],
    ['mocha', ['spec/**/*.js'], 'spec/mul.js', true],
    ['mocha', ['spec/**/*.js'], 'src/mul.js', false],
    ['unittest', [], 'testmul.py', true],
    ['vitest', ['src/**/*.check.ts'], 'src/mul.check.ts', true],
    ['vitest', ['src/**/*.check.ts'], 'src/mul.ts', false],
  ])('%s %j: %s', (runner, args, path, expected) => {
    expect(collectedBy(command(runner, ...args))?.(path)).toBe(expected);
  });

  it('in each package by its own runner', () => {
    const several = { ...command('node-test'), others: [{ runner: 'unittest', cwd: 'tools', args: [] }] };
    const collected = ['test-mul.js', 'tools/testmul.py', 'testmul.py'].map((path) => collectedBy(several)?.(path));
    expect(collected).toEqual([true, true, false]);
  });

  it.each([
    ['beside tests in their directory', ['spec/**/*.spec.js'], 'spec/support/data.json', true],
    ['beside sources', ['src/**/*.spec.js'], 'src/mul.js', false],
    ['where the runner collects everything', ['**/*.js'], 'src/mul.js', false],
  ])('and what is %s: %j, %s', (_, args, path, expected) => {
    expect(collectedBy(command('mocha', ...args))?.(path)).toBe(expected);
  });

  it.each(['test-mul.js', 'spec/mul.js', 'spec/support/data.json'])(
    'so it is closed with the tests: %s',
    async (path) => {
      const testCommand = path.startsWith('spec') ? command('mocha', 'spec/**/*.js') : command('node-test');
      const written = async (state: 'test_writing' | 'code_writing') => {
        const kernel = testKernel({ state, testCommand });
        return (await callTool(kernel, 'fs.write', { path, content: '{}' })).ok;
      };
      expect(await written('test_writing')).toBe(true);
      expect(await written('code_writing')).toBe(false);
    },
  );
});
