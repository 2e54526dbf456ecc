import { describe, expect, it } from 'vitest';
import type { EvidenceFacts } from '../../../src/contracts/review/evidence.ts';
import type { ObjectId } from '../../../src/contracts/ids.ts';
import { decisionProblems, factsProblems } from '../../../src/lib/evidence/facts-problems.ts';
import { policyDecision, sha256, strictFacts } from '../../support/evidence-facts.ts';

const FACTS = strictFacts();
const CASE = { file: 'test/a.test.js', name: 'refuses nothing' };
const OTHER = { file: 'test/b.test.js', name: 'another' };
const red = (change: object): Partial<EvidenceFacts> => ({ red: { ...FACTS.red, ...change } as EvidenceFacts['red'] });
const green = (change: object): Partial<EvidenceFacts> => ({
  green: { ...FACTS.green, ...change } as EvidenceFacts['green'],
});
const file = (content: string) =>
  ({ kind: 'file', sha256: sha256(content), size: content.length, executable: false }) as const;
const changed = (path: string, content: string) =>
  ({ path, before: { kind: 'absent' }, after: file(content) }) as const;
const repeated = { run_id: 't_again', tree: FACTS.tree, passed: 3, failed: [], skipped: 0, at_ms: 1_700_000_002_500 };

describe('facts', () => {
  it.each<[string, Partial<EvidenceFacts>]>([
    ['of a strict commit', {}],
    ['of explore, where nothing had to fail', { mode: 'explore', red: null, green: null }],
    [
      'with failures from before',
      { ...green({ failed: [OTHER] }), pre_existing: { failed: [OTHER], broken_files: [] } },
    ],
    [
      'with a file that never loaded',
      { ...green({ failed: [OTHER] }), pre_existing: { failed: [], broken_files: [OTHER.file] } },
    ],
    ['with the suite repeated on the tree alone', green({ repeated })],
    ['with the frozen test among the changes', { changes: [changed(CASE.file, 'test'), changed('src/a.js', 'x')] }],
  ])('%s hang together', (_, facts) => {
    expect(factsProblems(strictFacts(facts))).toEqual([]);
  });

  it.each<[string, Partial<EvidenceFacts>, RegExp]>([
    ['no test that failed', red({ failed: [] }), /^no test failed/],
    ['no frozen test', red({ test_files: [] }), /froze no test file/],
    ['a test frozen twice', red({ test_files: [1, 2].map(() => FACTS.red?.test_files[0]) }), /frozen twice/],
    ['a frozen test that changes', { changes: [changed(CASE.file, 'weaker')] }, /has changed since it failed/],
    [
      'a frozen test that goes',
      { changes: [{ path: CASE.file, before: file('test'), after: { kind: 'absent' } }] },
      /has changed since it failed/,
    ],
    ['a path twice', { changes: [changed('a', 'x'), changed('a', 'y')] }, /path changes twice/],
    ['no green', { green: null }, /never green/],
    ['no green in strict mode', { red: null, green: null }, /nothing was green/],
    ['one run for both', red({ run_id: 't_green' }), /are one run/],
    ['green before red', red({ at_ms: 1_700_000_002_000 }), /not later/],
    ['nothing that passed', green({ passed: 0 }), /no test passed/],
    ['a test that never turned', green({ turned: [OTHER] }), /never passed/],
    ['a test too many that turned', green({ turned: [CASE, OTHER] }), /not those that failed/],
    [
      'a red test that fails',
      { ...green({ failed: [CASE] }), pre_existing: { failed: [CASE], broken_files: [] } },
      /still fails/,
    ],
    ['a regression', green({ failed: [OTHER] }), /fails, and did not before/],
    [
      'a regression on the tree alone',
      green({ repeated: { ...repeated, failed: [OTHER] } }),
      /fails, and did not before/,
    ],
    [
      'a repetition on another tree',
      green({ repeated: { ...repeated, tree: 'd'.repeat(40) as ObjectId } }),
      /another tree/,
    ],
    ['a repetition before the run', green({ repeated: { ...repeated, at_ms: 1 } }), /not a later run/],
  ])('with %s do not', (_, facts, reason) => {
    const found = factsProblems(strictFacts(facts));
    expect(found.some((each) => reason.test(each))).toBe(true);
  });
});

describe('policy', () => {
  const exemption = { category: 'docs', paths: ['README.md'], reason: 'docs alone' };
  it.each<[string, Partial<EvidenceFacts>, number]>([
    ['may approve what was red', {}, 0],
    ['may approve what an exemption covers', { red: null, exemption, changes: [changed('README.md', 'x')] }, 0],
    ['may not approve beyond the exemption', { red: null, exemption, changes: [changed('src/a.js', 'x')] }, 1],
    ['may not approve what nothing failed for', { red: null }, 1],
    ['may not approve a revised test', { revisions: ['it was wrong'] }, 1],
  ])('%s', (_, facts, problems) => {
    expect(decisionProblems(strictFacts(facts), policyDecision())).toHaveLength(problems);
    const human = { ...policyDecision(), by: 'human', signature: '', public_key: '' } as const;
    expect(decisionProblems(strictFacts(facts), human)).toEqual([]);
  });
});
