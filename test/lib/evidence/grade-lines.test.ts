import { expect, it } from 'vitest';
import { gradeLines } from '../../../src/lib/evidence/grade-lines.ts';
import { strictFacts } from '../../support/evidence-facts.ts';

const held = (observation: 'removal' | 'plain' | 'old_tests', detail: string) =>
  ({ observation, outcome: 'held', detail }) as const;
const text = (facts: Parameters<typeof gradeLines>[0]): string[] =>
  gradeLines(facts).map(({ label, words }) => `${label}: ${words}`);

it('are the whole grade of a change, in one order', () => {
  const facts = strictFacts({
    kind: 'fix',
    proof: {
      observations: [
        held('removal', 'they fail again'),
        held('plain', 'npm test passes'),
        { observation: 'old_tests', outcome: 'failed', detail: 'a › b' },
        { observation: 'mutation', outcome: 'held', detail: '' },
      ],
      findings: [],
      lines: { changed: 4, executed: 3 },
      mutants: {
        tried: 6,
        noticed: 5,
        survivors: [{ path: 'a.js', line: 1, mutator: 'swap-operator', words: 'no test fails when `>` becomes `>=`' }],
      },
    },
  });
  const { red } = facts;
  const by = { assertion: 1, error: 0, timeout: 0, stand_ins: 0 };
  expect(text({ ...facts, red: red === null ? null : { ...red, by } })).toEqual([
    'grade: not verified: old tests on the new source: failed',
    'kind: bug fix',
    'red: 1 failed before the change (1 by assertion), in 1 frozen file',
    'new tests without the new source: holds: they fail again',
    "the project's own test command: holds: npm test passes",
    'old tests on the new source: does not hold: a › b',
    'changed lines: 3 of 4 executed by the new tests',
    'mutants: 5 of 6 noticed',
    ': no test fails when `>` becomes `>=`',
    'findings: none',
  ]);
});

it('say why no mutant was tried', () => {
  const skipped = { observation: 'mutation', outcome: 'impossible', detail: 'switched off by policy' } as const;
  expect(text({ kind: 'feature', red: null, proof: { observations: [skipped], findings: [] } })).toContain(
    'mutants: none tried: switched off by policy',
  );
});

it('are none of evidence of version 1', () => {
  expect(gradeLines(strictFacts())).toEqual([]);
});

it('says what the tests had beside their sandbox', () => {
  const facts = strictFacts({
    kind: 'feature',
    network: { services: ['redis', 'postgres (postgres:16 sha256:0)'], hosts: ['a.example:443'] },
  });
  expect(gradeLines(facts)).toContainEqual({
    label: 'tests ran with',
    words: 'services redis, postgres (postgres:16 sha256:0); hosts a.example:443',
  });
});
