import { expect, test } from 'vitest';
import { loadPolicy } from '../../../../src/kernel/policy/index.ts';
import { MAX_COMPARED_VALUES } from '../../../../src/kernel/policy/document/shadowed-rules.ts';

/** As many denials as allows; none covers another, but the last of each are about the same. */
function policyOf(pairs: number, glob: string, tags = 1): string {
  const many = (name: string) => Array.from({ length: tags }, (_, tag) => `${name}-${tag}`);
  const rules = Array.from({ length: pairs }, (_, pair) => [
    { name: `d${pair}`, match: { path_glob: glob, caller_tag: many(`d${pair}`) }, action: 'deny' },
    { name: `a${pair}`, match: { path_glob: glob, caller_tag: many(`a${pair}`) }, action: 'allow' },
  ]);
  const last = { path_glob: glob, caller_tag: 'same' };
  return JSON.stringify({
    capabilities: [
      ...rules.flat(),
      { name: 'd', match: last, action: 'deny' },
      { name: 'a', match: last, action: 'allow' },
    ],
  });
}

const warningsOf = (text: string) => {
  const loaded = loadPolicy(text, 'p.yaml');
  return loaded.kind === 'ok' ? loaded.warnings.map(({ message }) => message) : loaded.errors;
};

test.each(['**', 'src/'])('a rule that a denial covers is found among many on %s', (glob) => {
  expect(warningsOf(policyOf(100, glob))).toEqual([expect.stringContaining('rule "d" denies everything it matches')]);
});

test.each(['**', 'src/'])('no policy is compared with itself forever on %s', (glob) => {
  const pairs = Math.ceil(Math.sqrt(MAX_COMPARED_VALUES / 3)) + 1;
  expect(warningsOf(policyOf(pairs, glob))).toEqual([]);
});

test('what is compared counts by its values, not by its rules', () => {
  const tags = 500;
  const pairs = Math.ceil(Math.sqrt(MAX_COMPARED_VALUES / tags)) + 1;
  expect(warningsOf(policyOf(pairs, 'src/', tags))).toEqual([]);
});

const ask = '{ name: r, match: { syscall: [fs.read, fs.write], path_glob: src/ }, action: require_review }';

test.each([
  ['a directory', 'path_glob: src/a.ts', 'path_glob: src/', true],
  ['all beneath a directory', 'path_glob: src/a.ts', 'path_glob: "src/**"', true],
  ['a name anywhere', 'path_glob: "packages/a/dist/*.js"', 'path_glob: dist', true],
  ['all but the directory itself', 'path_glob: src/', 'path_glob: "src/**"', false],
  ['another directory', 'path_glob: "**/src/a.ts"', 'path_glob: /src/', false],
  ['a path for a rule that names none', 'session_mode: strict', 'path_glob: "**"', false],
  ['the same, in another state', 'path_glob: src/', 'path_glob: src/, state_machine_state: idle', false],
])('by a denial of %s', (_, narrow, wide, expected) => {
  const warnings = warningsOf(`capabilities:
  - { name: a, match: { ${narrow} }, action: allow }
  - { name: d, match: { ${wide} }, action: deny }`);
  expect(warnings).toEqual(expected ? ['rule "a" can have no effect: rule "d" denies everything it matches'] : []);
});

test('an allow never allows where a human is asked about all of it', () => {
  const rule = (action: string) => `{ name: a, match: { syscall: fs.write, path_glob: src/a.ts }, action: ${action} }`;
  expect(warningsOf(`capabilities: [${rule('allow')}, ${ask}]`)).toEqual([
    'rule "a" never allows: rule "r" asks a human about everything it matches',
  ]);
  expect(warningsOf(`capabilities: [${rule('require_review')}, ${ask}]`)).toEqual([]);
  const excepted = ask.replace('action', 'except: [{ caller_tag: trusted_write }], action');
  expect(warningsOf(`capabilities: [${rule('allow')}, ${excepted}]`)).toEqual([]);
});

test.each([
  ['{ syscall: fs.write, path_glob: .fluffy/ }', 'can have no effect: the built-in rule "protect-policy" denies'],
  ['{ syscall: [fs.edit, fs.write], path_glob: [.git/hooks/, .git/config] }', 'the built-in rule "protect-git" denies'],
  ['{ path_glob: .config/fluffy/keys }', null],
  ['{ syscall: fs.read, path_glob: .git/config }', null],
  ['{ path_glob: .git/config }', null],
  ['{ syscall: fs.write, path_glob: [.git/config, src/] }', null],
  ['{ syscall: policy.update }', 'never allows: the built-in rule "review-policy-update" asks a human'],
])('an allow for %s: what a built-in rule says stands', (match, says) => {
  const warnings = warningsOf(`capabilities: [{ name: a, match: ${match}, action: allow }]`);
  expect(warnings).toEqual(says === null ? [] : [expect.stringContaining(says)]);
});
