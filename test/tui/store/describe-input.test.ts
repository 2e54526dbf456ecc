import { describe, expect, it } from 'vitest';
import { describeInput } from '../../../src/tui/store/describe-input.ts';

describe('what a call is about', () => {
  it.each([
    ['fs.read', { path: 'src/a.ts' }, 'src/a.ts'],
    ['fs.read', { path: 'src/a.ts', offset: 40 }, 'src/a.ts from line 40'],
    ['fs.move', { from: 'a', to: 'b' }, 'a → b'],
    ['search.grep', { pattern: 'x y', glob: '**/*.ts' }, '"x y" **/*.ts'],
    ['test.run', {}, 'the whole suite'],
    ['test.run', { paths: ['a.test.ts', 'b.test.ts'] }, 'a.test.ts b.test.ts'],
    ['shell.run', { command: ['ls', '-l'] }, 'ls -l'],
    ['git.commit', { message: 'Subject\n\nBody' }, 'Subject'],
    ['git.status', {}, ''],
    ['nonsense.tool', { a: 1 }, '{"a":1}'],
    ['fs.read', 'not json', 'not json'],
    ['fs.read', null, ''],
    ['fs.read', { path: 42 }, '{"path":42}'],
  ])('%s %j', (tool, input, words) => {
    expect(describeInput(tool, input)).toBe(words);
  });

  it('is never long and never alive', () => {
    expect(describeInput('fs.read', { path: '😀'.repeat(5000) }).length).toBeLessThanOrEqual(160);
    expect(describeInput('fs.read', { path: 'a\u001b[2Jb' })).toBe('a\\x1b[2Jb');
  });
});
