import { expect, test } from 'vitest';
import { loadPolicy } from '../../../../src/kernel/policy/index.ts';
import { MAX_PATTERN_WEIGHT } from '../../../../src/kernel/policy/document/policy-cost.ts';

const errorsOf = (text: string) => {
  const loaded = loadPolicy(text, 'p.yaml');
  return loaded.kind === 'invalid' ? loaded.errors.map(({ line, message }) => `${line}: ${message}`) : [];
};

/** Of a weight of two each, a line each. */
const heavy = (count: number) => Array.from({ length: count }, (_, index) => `  - "*${index}*"`).join('\n');

test.each([
  [
    'a match',
    (list: string) =>
      `capabilities:\n- name: r\n  action: deny\n  match:\n   path_glob:\n${list.replaceAll('  -', '    -')}`,
    5,
  ],
  [
    'an exception',
    (list: string) =>
      `capabilities:\n- name: r\n  action: deny\n  match: { syscall: a }\n  except:\n  - path_glob:\n${list.replaceAll('  -', '    -')}`,
    6,
  ],
  ['the tests', (list: string) => `workspace:\n test_globs:\n${list}`, 2],
  ['what is sensitive', (list: string) => `review:\n sensitive_globs:\n${list}`, 2],
  ['an exemption', (list: string) => `tdd_exemptions:\n documentation:\n  path_glob:\n${list}`, 3],
])('the pattern of %s that is one too many is where loading stops', (_, textOf, linesBefore) => {
  const most = MAX_PATTERN_WEIGHT / 2;
  expect(errorsOf(textOf(heavy(most)))).toEqual([]);
  expect(errorsOf(textOf(heavy(most + 1)))).toEqual([
    expect.stringContaining(`${linesBefore + most + 1}: with this pattern, those of the policy together`),
  ]);
});

test('equal patterns count once in match, and each time in exceptions', () => {
  const rules = (count: number, body: string) =>
    `capabilities:\n${Array.from({ length: count }, (_, index) => `- { name: r${index}, action: deny, ${body} }`).join('\n')}`;
  expect(errorsOf(rules(2_000, 'match: { path_glob: "a*b*c" }'))).toEqual([]);
  expect(errorsOf(rules(2_000, 'match: { syscall: fs.read }, except: [{ path_glob: "a*b*c" }]'))).toEqual([
    expect.stringMatching(/^502: /),
  ]);
});

test('a rule with more values than its examples may be checked against is where loading stops', () => {
  const rule = (name: string, length: number) => {
    const globs = Array.from({ length }, (_, index) => `p${index}`).join(', ');
    const examples = Array.from({ length }, (_, index) => `a${index}`).join(', ');
    return `- { name: ${name}, action: deny, match: { path_glob: [${globs}] }, examples: { no_match: [${examples}] } }`;
  };
  expect(errorsOf(`capabilities:\n${rule('small', 300)}`)).toEqual([]);
  expect(errorsOf(`capabilities:\n${rule('small', 300)}\n${rule('large', 3_000)}`)).toEqual([
    expect.stringMatching(/^3: .*rule "large"/),
  ]);
});

test('a rule that names one syscall too many is where loading stops', () => {
  const rule = (name: string) =>
    `- { name: ${name}, action: deny, match: { syscall: [${Array.from({ length: 3_000 }, (_, index) => `${name}.s${index}`).join(', ')}] } }`;
  expect(errorsOf(`capabilities:\n${rule('a')}`)).toEqual([]);
  expect(errorsOf(`capabilities:\n${rule('a')}\n${rule('b')}`)).toEqual([expect.stringMatching(/^3: with rule "b"/)]);
});
