import { expect, test } from 'vitest';
import { loadPolicy } from '../../../../src/kernel/policy/index.ts';

const warningsOf = (pattern: string) => {
  const rules = [{ name: 'a', match: { path_glob: [pattern] }, action: 'deny' }];
  const loaded = loadPolicy(JSON.stringify({ capabilities: rules }), 'p.yaml');
  if (loaded.kind === 'invalid') throw new Error(JSON.stringify(loaded.errors));
  return loaded.warnings.map(({ message }) => message);
};

test.each([
  ['^src/.*\\.ts$', '"/src/*.ts"'],
  ['src\\secrets', '"src/secrets"'],
  ['~/.ssh/', '".ssh/"'],
  ['C:/x/', 'another system'],
])('%s can never match, and the right form is named', (pattern, hint) => {
  expect(warningsOf(pattern)).toEqual([expect.stringContaining(hint)]);
});

test.each(['src/*.ts', '.env*', 'vite.config.*', '/.*', 'a\\ b', '\\*.ts', 'costs$/a', '[a-z].ts', 'x/**'])(
  '%s is a pattern',
  (pattern) => {
    expect(warningsOf(pattern)).toEqual([]);
  },
);
