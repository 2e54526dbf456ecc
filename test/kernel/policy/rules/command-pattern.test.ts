import { expect, test } from 'vitest';
import { decide, loadPolicy } from '../../../../src/kernel/policy/index.ts';

function verdict(action: string, pattern: readonly string[], command: readonly string[] | undefined): string {
  const rules = [
    { name: 'pattern', match: { syscall: 'shell.run', command: [pattern] }, action },
    ...(action === 'allow' ? [] : [{ name: 'all', match: { syscall: 'shell.run' }, action: 'allow' }]),
  ];
  const loaded = loadPolicy(JSON.stringify({ capabilities: rules }), 'test.yaml');
  if (loaded.kind === 'invalid') throw new Error(JSON.stringify(loaded.errors));
  const request = { syscall: 'shell.run', state: 'code_writing', mode: 'debug', tags: [], command } as const;
  return decide(loaded.policy, request, { nowMonotonicMs: 0 }).decision;
}

test.each([
  [['npm', 'test'], ['npm', 'test'], true],
  [['npm', 'test'], ['npm', 'test', '--watch'], true],
  [['npm', 'test', '$'], ['npm', 'test', '--watch'], false],
  [['npm', 'test'], ['npm', 'run', 'test'], false],
  [['npm', 'test'], ['npm test'], false],
  [['npm', 'run', 'test:*'], ['npm', 'run', 'test:unit'], true],
  [['npm', 'run', '*'], ['npm', 'run'], false],
  [['npm'], ['/tmp/npm', 'x'], false],
  [['npm'], ['NPM'], false],
  [['./gradlew', '*'], ['./gradlew', 'a b/c'], true],
  [['a\\*'], ['ab'], false],
  [['a\\*'], ['a*'], true],
  [['echo', '\\$'], ['echo', '$', 'x'], true],
  [['*'], undefined, false],
])('an allow of %j for %j: %s', (pattern, command, allowed) => {
  expect(verdict('allow', pattern, command)).toBe(allowed ? 'allow' : 'deny');
});

test.each([
  [['rm'], ['/bin/rm', '-rf', '.']],
  [['rm'], ['./RM']],
  [
    ['git', 'push'],
    ['/usr/bin/git', 'push', '--force'],
  ],
])('a deny of %j is one of %j, wherever the program lies', (pattern, command) => {
  expect(verdict('deny', pattern, command)).toBe('deny');
});

test.each([
  [['rm'], ['/bin/rmdir']],
  [
    ['git', 'push'],
    ['git', 'pull'],
  ],
])('a deny of %j is none of %j', (pattern, command) => {
  expect(verdict('deny', pattern, command)).toBe('allow');
});

test.each([
  [[], 'names no program'],
  [['$'], 'names no program'],
  [['a\\'], 'ends an item in a backslash'],
  [['npm', ''], 'Too small'],
])('the pattern %j is refused', (pattern, why) => {
  const text = JSON.stringify({ capabilities: [{ name: 'a', match: { command: [pattern] }, action: 'deny' }] });
  const loaded = loadPolicy(text, 'test.yaml');
  expect(loaded.kind === 'invalid' ? loaded.errors[0]?.message : '').toContain(why);
});

test('text in the place of a list says what to write', () => {
  const text = 'capabilities: [{ name: a, match: { command: [npm test] }, action: deny }]';
  const loaded = loadPolicy(text, 'test.yaml');
  expect(loaded.kind === 'invalid' ? loaded.errors[0]?.message : '').toContain(
    'must be a list: the program, then arguments',
  );
});
