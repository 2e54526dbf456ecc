import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FileChange, FileState } from '../../../src/contracts/review/change-set.ts';
import type { Sha256 } from '../../../src/contracts/ids.ts';
import type { Mutants, ObservationName } from '../../../src/contracts/review/proof.ts';
import { reasonsForHuman } from '../../../src/kernel/review/review-facts.ts';
import type { ReviewFacts } from '../../../src/kernel/review/review-facts.ts';
import { loadPolicy } from '../../../src/kernel/policy/index.ts';
import { strictFacts } from '../../support/evidence-facts.ts';

const loaded = loadPolicy(readFileSync('policy.yaml', 'utf8'), 'policy.yaml');
if (loaded.kind !== 'ok') throw new Error('the shipped policy is invalid');
const { policy } = loaded;

const ABSENT: FileState = { kind: 'absent' };
const file = (digit: string): FileState => ({
  kind: 'file',
  sha256: digit.repeat(64) as Sha256,
  size: 1,
  executable: false,
});
const added = (path: string): FileChange => ({ path, before: ABSENT, after: file('1') });
const edited = (path: string): FileChange => ({ path, before: file('1'), after: file('2') });

const held = (observation: ObservationName) => ({ observation, outcome: 'held' as const, detail: '' });
/** The facts of a change that is verified, with these mutants. */
const graded = (mutants?: Mutants): ReviewFacts['observed'] => ({
  kind: 'feature',
  red: strictFacts().red,
  proof: {
    observations: [held('removal'), held('plain'), held('old_tests')],
    findings: [],
    ...(mutants === undefined ? {} : { mutants }),
  },
});
const VERIFIED = graded();
const NOT_RED: ReviewFacts['observed'] = { kind: 'exempt', red: null };

/** A strict session whose new test was seen to fail: nothing in it needs a person. */
const PLAIN: ReviewFacts = {
  changes: [edited('src/parse.ts'), added('test/parse.test.ts')],
  size: { added: 10, removed: 10, bytes: 400, longestLine: 80, oddCharacters: [], binaryFiles: 0 },
  findings: [],
  changedTests: [],
  dirtyAtStart: [],
  revisions: [],
  observed: VERIFIED,
  exemption: null,
  namedByTests: () => false,
  approve: 'auto',
  sentBack: false,
};

describe('a human decides', () => {
  it('nothing about a new test, seen to fail, and its source', () => {
    expect(reasonsForHuman(policy, PLAIN)).toEqual([]);
  });

  it.each([['.fluffy/'], ['.fluffy/config.yaml']])('nothing about %s, which config init has written', (path) => {
    expect(reasonsForHuman(policy, { ...PLAIN, dirtyAtStart: [path] })).toEqual([]);
    expect(reasonsForHuman(policy, { ...PLAIN, dirtyAtStart: [path, '.fluffy/policy.yaml'] })).toEqual([
      'The working tree was not clean at the start: .fluffy/policy.yaml. They are not touched.',
    ]);
  });

  it('about uncommitted work of theirs, by its first paths', () => {
    const dirtyAtStart = Array.from({ length: 7 }, (_, index) => `${index}.bin`);
    expect(reasonsForHuman(policy, { ...PLAIN, dirtyAtStart })).toEqual([
      'The working tree was not clean at the start: 0.bin, 1.bin, 2.bin, 3.bin, 4.bin and 2 more. They are not touched.',
    ]);
  });

  it('about whatever follows a proposal that a person has rejected or edited', () => {
    expect(reasonsForHuman(policy, { ...PLAIN, sentBack: true })).toEqual([
      'You rejected, edited or approved only a part of an earlier version.',
    ]);
  });

  it('about findings, of which the card lists the first twenty and says how many more there are', () => {
    const findings = Array.from({ length: 23 }, (_, index) => `Look at src/a.js:${index}`);
    const reasons = reasonsForHuman(policy, { ...PLAIN, findings });
    expect(reasons).toEqual([...findings.slice(0, 20), '3 more findings like these are not listed here.']);
    expect(reasonsForHuman(policy, { ...PLAIN, findings: findings.slice(0, 20) })).toEqual(findings.slice(0, 20));
  });

  it('about existing tests that are not merely longer', () => {
    const changedTests = [
      { path: 'test/old.test.ts', what: 'deleted' },
      { path: 'test/data.json', what: null },
    ];
    expect(reasonsForHuman(policy, { ...PLAIN, changedTests })).toEqual([
      'Existing tests change: test/old.test.ts (deleted), test/data.json.',
    ]);
  });

  const DIRECTORY: FileState = { kind: 'directory' };
  const gone = (path: string): FileChange => ({ path, before: DIRECTORY, after: ABSENT });
  it.each([
    ['many lines', { added: 300, removed: 201 }, [], 'The diff has 501 changed lines, more than 500.'],
    ['many bytes', { bytes: 65_537 }, [], 'The diff has 65537 changed bytes, more than 65536.'],
    ['a long line', { longestLine: 250_000 }, [], 'A changed line has 250000 characters.'],
    ['a NUL', { oddCharacters: ['NUL'] }, [], 'The changed text holds NUL.'],
    ['a file that is no text', { binaryFiles: 2 }, [], '2 changed files are not shown, since they are not text.'],
    ['a deleted directory', {}, [gone('lib'), gone('lib/deep')], 'Directories are deleted: lib.'],
  ] as const)('about %s', (_what, size, more, reason) => {
    const facts = { ...PLAIN, size: { ...PLAIN.size, ...size }, changes: [...PLAIN.changes, ...more] };
    expect(reasonsForHuman(policy, facts)).toEqual([reason]);
  });

  it('about a file that the test command names', () => {
    const namedByTests = (path: string) => path === 'src/parse.ts';
    expect(reasonsForHuman(policy, { ...PLAIN, namedByTests })).toEqual(['Sensitive files change: src/parse.ts.']);
  });

  const NO_RED = 'No test was seen to fail first; the commit is marked unverified.';
  const NOTES = edited('README.md');
  it.each([
    ['no exemption', [edited('src/a.ts')], null, [NO_RED]],
    [
      'an exemption for all of it',
      [NOTES],
      ['README.md', 'docs/a.md'],
      ['No test was seen to fail first: README.md was exempt.'],
    ],
    ['an exemption for a part of it', [NOTES, edited('src/a.ts')], ['README.md'], [NO_RED]],
  ] as const)('about a change without a failing test under %s', (_, changes, exemption, reasons) => {
    expect(reasonsForHuman(policy, { ...PLAIN, observed: NOT_RED, changes, exemption })).toEqual(reasons);
  });

  it('about no missing red where the kind of the change is proved otherwise', () => {
    const held = (['opening', 'plain', 'old_tests', 'references'] as const).map((observation) => ({
      observation,
      outcome: 'held' as const,
      detail: '',
    }));
    const proof = { observations: held, findings: [] };
    const observed = { kind: 'deletion' as const, red: null, proof };
    const facts = { ...PLAIN, changes: [edited('src/a.ts')], exemption: null };
    expect(reasonsForHuman(policy, { ...facts, observed })).toEqual([]);
    const unproved = { ...observed, proof: { ...proof, observations: held.slice(1) } };
    expect(reasonsForHuman(policy, { ...facts, observed: unproved })).toEqual([
      'Not verified: suite before the change: not observed.',
    ]);
  });

  it('about no exemption where a signed policy lets them merge', () => {
    const lenient = { ...policy, review: { ...policy.review, exemptions: 'auto' as const } };
    const facts = { ...PLAIN, observed: NOT_RED, changes: [NOTES], exemption: ['README.md'] };
    expect(reasonsForHuman(lenient, facts)).toEqual([]);
  });

  const survivor = { path: 'src/a.ts', line: 1, mutator: 'swap-operator', words: 'nobody notices' };
  const mutants = (noticed: number, tried: number): Mutants => ({
    tried,
    noticed,
    survivors: Array.from({ length: tried - noticed }, () => survivor),
  });

  it.each<[string, ReviewFacts['observed'], string[]]>([
    ['two thirds of the mutants', graded(mutants(4, 6)), []],
    ['few mutants, of which one is noticed', graded(mutants(1, 4)), []],
    [
      'few mutants, of which none is noticed',
      graded(mutants(0, 1)),
      ['The tests notice none of 1 mutant of the changed lines.', 'nobody notices'],
    ],
    [
      'mutants of which none is noticed',
      graded(mutants(0, 5)),
      ['The tests notice none of 5 mutants of the changed lines.', ...Array<string>(5).fill('nobody notices')],
    ],
    [
      'fewer than two thirds',
      graded(mutants(3, 5)),
      ['The tests notice 3 of 5 mutants of the changed lines; policy wants 66%.', 'nobody notices', 'nobody notices'],
    ],
    [
      'an observation that is missing',
      { ...VERIFIED, proof: { observations: [held('removal'), held('plain')], findings: [] } },
      ['Not verified: old tests on the new source: not observed.'],
    ],
  ])('about a grade by the shipped policy: %s', (_, observed, reasons) => {
    expect(reasonsForHuman(policy, { ...PLAIN, observed })).toEqual(reasons);
  });

  it.each<[string, typeof policy.review.autoApprove, string[]]>([
    ['never', 'never', ['Policy requires a human for every change (review.auto_approve: never).']],
    [
      'lines that nobody measured',
      [{ kind: 'share', of: 'lines', percent: 50 }],
      ['Which changed lines the new tests execute was not measured.'],
    ],
    ['attested', [{ kind: 'status', status: 'attested' }], []],
  ])('about a grade by a policy of its own: %s', (_, autoApprove, reasons) => {
    expect(reasonsForHuman({ ...policy, review: { ...policy.review, autoApprove } }, PLAIN)).toEqual(reasons);
  });
});
