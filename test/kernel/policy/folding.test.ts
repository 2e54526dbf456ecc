import { expect, test } from 'vitest';
import type { PolicyRequest } from '../../../src/contracts/policy.ts';
import { classifyPath, decide, loadPolicy } from '../../../src/kernel/policy/index.ts';

const REQUEST: PolicyRequest = { syscall: 'fs.read', state: 'idle', mode: 'strict', tags: [] };

function policyOf(rules: object, more: object = {}) {
  const loaded = loadPolicy(JSON.stringify({ capabilities: rules, ...more }), 'test.yaml', { builtins: [] });
  if (loaded.kind === 'invalid') throw new Error(JSON.stringify(loaded.errors));
  return loaded.policy;
}

const ask = (policy: ReturnType<typeof policyOf>, path: string) =>
  decide(policy, { ...REQUEST, path }, { nowMonotonicMs: 0 }).decision;

const ALL = { name: 'all', match: { path_glob: ['**'] }, action: 'allow' };

test.each([
  ['.env', '.ENV'],
  ['*.pem', 'deploy/SERVER.PEM'],
  ['Secrets/', 'secrets/a'],
  ['KEYS', 'keys/a'],
  ['[[:upper:]]x', 'ax'],
  ['[A-C]x', 'bx'],
  ['ÉTÉ', 'été'],
  ['.env', '.env '],
  ['.env', '.ENV::$DATA'],
  ['a/B*d', 'A/bcD'],
])('a deny of %s is one of %s', (path_glob, path) => {
  for (const action of ['deny', 'require_review']) {
    const policy = policyOf([ALL, { name: 'closed', match: { path_glob }, action }]);
    expect(ask(policy, path)).toBe(action);
  }
});

test.each([
  ['.env', '.envx'],
  ['[!a-z]x', 'bx'],
])('a deny of %s is none of %s', (path_glob, path) => {
  expect(ask(policyOf([ALL, { name: 'closed', match: { path_glob }, action: 'deny' }]), path)).toBe('allow');
});

test('an allow is for exactly what it names, and so is an exception', () => {
  expect(ask(policyOf([{ ...ALL, match: { path_glob: ['README.md'] } }]), 'readme.md')).toBe('deny');
  const closed = {
    name: 'closed',
    match: { path_glob: ['.env*'] },
    except: [{ path_glob: ['.env.example'] }],
    action: 'deny',
  };
  const policy = policyOf([ALL, closed]);
  expect(ask(policy, '.env.example')).toBe('allow');
  expect(ask(policy, '.env.EXAMPLE')).toBe('deny');
});

test('what is sensitive, and what is a test, takes no notice of case: a rule for tests and one against them agree', () => {
  const more = {
    workspace: { test_globs: ['tests/'], source_globs: ['**'] },
    review: { sensitive_globs: ['Makefile'] },
  };
  const policy = policyOf([{ name: 'tests', match: { path_class: 'test' }, action: 'allow' }], more);
  expect(classifyPath(policy, 'src/makefile')).toEqual({ kind: 'source', sensitive: true });
  expect(ask(policy, 'Tests/a.swift')).toBe('allow');
  expect(ask(policy, 'src/a.swift')).toBe('deny');
});

test('a list of tests moves the rules that name the class', () => {
  const rules = [{ name: 'tests', match: { path_class: ['test'] }, action: 'allow' }];
  const moved = policyOf(rules, { workspace: { test_globs: ['checks/'], test_except: ['checks/main.ts'] } });
  expect([ask(moved, 'checks/a.ts'), ask(moved, 'checks/main.ts'), ask(moved, 'test/a.ts')]).toEqual([
    'allow',
    'deny',
    'deny',
  ]);
});

test('a rule that names a class meets no request without a path', () => {
  const policy = policyOf([{ name: 'any', match: { path_class: ['other', 'source'] }, action: 'allow' }]);
  expect(decide(policy, REQUEST, { nowMonotonicMs: 0 }).decision).toBe('deny');
  expect(ask(policy, 'a')).toBe('allow');
});
