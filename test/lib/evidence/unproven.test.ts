import { describe, expect, it } from 'vitest';
import { evidenceStatementSchema } from '../../../src/contracts/review/evidence.ts';
import type { EvidenceFacts } from '../../../src/contracts/review/evidence.ts';
import type { ObjectId, Sha256 } from '../../../src/contracts/ids.ts';
import type { Observation, ObservationName } from '../../../src/contracts/review/proof.ts';
import { encodeStatement } from '../../../src/lib/evidence/statement.ts';
import { modeTrailer, unprovenReasons } from '../../../src/lib/evidence/unproven.ts';
import { decisionProblems } from '../../../src/lib/evidence/facts-problems.ts';
import { policyDecision, strictFacts } from '../../support/evidence-facts.ts';

const saw = (observation: ObservationName, outcome: Observation['outcome'] = 'held') => ({
  observation,
  outcome,
  detail: '',
});
const finding = { kind: 'no-assertion', path: 'test/a.test.js', line: 1, words: 'the case a asserts nothing' };
const proof = (
  observations: NonNullable<EvidenceFacts['proof']>['observations'],
  findings: NonNullable<EvidenceFacts['proof']>['findings'] = [],
): Partial<EvidenceFacts> => ({ proof: { observations, findings } });
const HELD_ALL = { observations: [saw('removal')], findings: [] };
const ALL = proof([saw('removal'), saw('plain'), saw('old_tests')]);
const REFACTORED = ['opening', 'plain', 'old_tests', 'mutation_before', 'mutation'].map((name) =>
  saw(name as ObservationName),
);
const LOADED = { file: 'test/a.test.js', name: '(load)' };
const notLoaded = (facts: Partial<EvidenceFacts>): Partial<EvidenceFacts> => {
  const { red, green } = strictFacts();
  return {
    ...facts,
    red: red === null ? null : { ...red, failed: [LOADED] },
    green: green === null ? null : { ...green, turned: [LOADED] },
  };
};

describe('a commit', () => {
  it.each<[string, Partial<EvidenceFacts>, number]>([
    ['is proven by version 1 where a test was red', {}, 0],
    ['is proven where removal held', proof([saw('removal')]), 0],
    ['is proven with services', { ...proof([saw('removal')]), network: { services: ['redis'], hosts: [] } }, 0],
    [
      'is not proven with hosts outside',
      { ...proof([saw('removal')]), network: { services: [], hosts: ['a.example:443'] } },
      1,
    ],
    ['is proven where all held', proof([saw('removal'), saw('findings'), saw('plain')]), 0],
    ['is not without red', { red: null, green: null }, 1],
    ['is not without removal', proof([]), 1],
    ['is not where removal was impossible', proof([saw('removal', 'impossible')]), 1],
    ['is not where another observation failed', proof([saw('removal'), saw('plain', 'failed')]), 1],
    ['is not with a finding', proof([saw('removal'), saw('findings', 'failed')], [finding]), 1],
    ['is not where tests did not load and were not run on stand-ins', notLoaded(proof([saw('removal')])), 1],
    ['is proven as a feature where all held', { kind: 'feature', ...ALL }, 0],
    ['is not as a feature by removal alone', { kind: 'feature', ...proof([saw('removal')]) }, 2],
    ['is not as a feature without red', { kind: 'feature', red: null, ...proof([saw('removal')]) }, 1],
    ['is not where nothing was observed', { kind: 'fix' }, 1],
    ['needs no red as a refactoring, but mutants', { kind: 'refactor', red: null, ...proof(REFACTORED) }, 0],
    [
      'is not as a refactoring whose mutants go unnoticed',
      { kind: 'refactor', red: null, ...proof([...REFACTORED.slice(0, -1), saw('mutation', 'failed')]) },
      1,
    ],
    ['is graded by its mutants where it was red', proof([saw('removal'), saw('mutation', 'failed')]), 0],
    ['is not where no changed line is executed', { proof: { ...HELD_ALL, lines: { changed: 2, executed: 0 } } }, 1],
    ['is where one is', { proof: { ...HELD_ALL, lines: { changed: 2, executed: 1 } } }, 0],
    ['is where none holds code', { proof: { ...HELD_ALL, lines: { changed: 0, executed: 0 } } }, 0],
    [
      'is not where no mutant is noticed',
      { proof: { ...HELD_ALL, mutants: { tried: 2, noticed: 0, survivors: [] } } },
      1,
    ],
    ['is where one mutant is noticed', { proof: { ...HELD_ALL, mutants: { tried: 2, noticed: 1, survivors: [] } } }, 0],
    ['is never where it was exempt', { kind: 'exempt', red: null }, 1],
    ['is where they failed on stand-ins', notLoaded(proof([saw('removal'), saw('stand_ins')])), 0],
  ])('%s', (_, facts, reasons) => {
    expect(unprovenReasons(strictFacts(facts))).toHaveLength(reasons);
  });

  it('that is not proven is not approved by policy alone', () => {
    const facts = strictFacts(proof([saw('removal')], [finding]));
    expect(decisionProblems(facts, policyDecision())).toEqual([
      'policy alone approved a change that is not proved (1 finding in changed files)',
    ]);
    const human = { ...policyDecision(), by: 'human', signature: '', public_key: '' } as const;
    expect(decisionProblems(facts, human)).toEqual([]);
  });
});

describe('the statement about a commit', () => {
  const anchored = { project: 'p', entries: 1, head: '0'.repeat(64) as Sha256, signed_ms: 1 };
  const statement = (facts: EvidenceFacts): { predicateType: string } => {
    const bytes = encodeStatement('c'.repeat(40) as ObjectId, { facts, decision: policyDecision(), anchored });
    return JSON.parse(bytes.toString()) as { predicateType: string };
  };

  it.each([
    ['urn:fluffy:commit:v1', {}],
    ['urn:fluffy:commit:v2', proof([saw('removal')])],
    ['urn:fluffy:commit:v2', { kind: 'explore' as const }],
  ])('is %s', (type, facts) => {
    const made = statement(strictFacts(facts));
    expect(made.predicateType).toBe(type);
    expect(evidenceStatementSchema.safeParse(made).success).toBe(true);
  });

  it.each([
    ['version 1 with a proof', 'urn:fluffy:commit:v1', proof([saw('removal')])],
    ['version 2 without one', 'urn:fluffy:commit:v2', {}],
    ['version 3', 'urn:fluffy:commit:v3', {}],
  ])('is refused as %s', (_, predicateType, facts) => {
    expect(evidenceStatementSchema.safeParse({ ...statement(strictFacts(facts)), predicateType }).success).toBe(false);
  });
});

describe('a change without red', () => {
  const refactor = (observations: typeof REFACTORED): EvidenceFacts =>
    strictFacts({ kind: 'refactor', red: null, ...proof(observations) });

  it('of a kind that is proved otherwise may be approved by policy, and is called unverified only where that proof fails', () => {
    expect(decisionProblems(refactor(REFACTORED), policyDecision())).toEqual([]);
    expect(modeTrailer(refactor(REFACTORED))).toBe('strict');
    const unnoticed = refactor([...REFACTORED.slice(0, -1), saw('mutation', 'failed')]);
    expect(decisionProblems(unnoticed, policyDecision())).toEqual([
      'policy alone approved a change that is not proved (mutation: failed)',
    ]);
    expect(modeTrailer(unnoticed)).toBe('strict-unverified');
  });

  it('of such a kind of which nothing was observed is approved by a person alone', () => {
    const bare = strictFacts({ kind: 'deletion', red: null });
    expect(decisionProblems(bare, policyDecision())).toEqual([
      'policy alone approved a change that is not proved (nothing was observed of it)',
    ]);
  });

  it.each([
    ['feature', 'strict-unverified'],
    ['exempt', 'strict-unverified'],
    ['explore', 'strict-unverified'],
  ] as const)('of kind %s is unverified', (kind, mode) => {
    expect(modeTrailer(strictFacts({ kind, red: null, ...proof(REFACTORED) }))).toBe(mode);
  });
});
