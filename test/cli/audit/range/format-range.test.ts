import { expect, it } from 'vitest';
import { formatRange } from '../../../../src/cli/audit/range/format-range.ts';
import type { CommitVerdict, Proof } from '../../../../src/cli/audit/range/commit-verdict.ts';
import type { RangeVerdict } from '../../../../src/cli/audit/range/verify-range.ts';
import type { ObjectId } from '../../../../src/contracts/ids.ts';
import { sha256 } from '../../../support/evidence-facts.ts';

const PROOF: Proof = {
  session: 's_abcdefgh',
  mode: 'strict',
  model: 'replay/x',
  models: ['replay/x'],
  red: { cases: 2, frozen: 1 },
  green: { passed: 7, failed: 0, skipped: 1 },
  exemption: null,
  kind: null,
  grade: [],
  unproven: [],
  observed: null,
  decided: { by: 'policy' },
  host: { key: 'f'.repeat(64), project: 'p', entries: 67, head: sha256('x'), signed_ms: 1_700_000_005_000 },
};

function commit(letter: string, changed: Partial<CommitVerdict>): CommitVerdict {
  const id = letter.repeat(40) as ObjectId;
  return {
    commit: id,
    subject: `Change ${letter}`,
    status: 'unattested',
    evidence: null,
    proof: null,
    problems: [],
    ...changed,
  };
}

function verdict(commits: readonly CommitVerdict[], changed: Partial<RangeVerdict> = {}): RangeVerdict {
  const counts = { verified: 0, unverified: 0, unattested: 0, broken: 0 };
  for (const { status } of commits) counts[status] += 1;
  const range = { from: '1'.repeat(40) as ObjectId, to: '2'.repeat(40) as ObjectId };
  return {
    intact: true,
    unmet: [],
    range,
    require: null,
    counts,
    trusted: { hosts: [], approvers: [] },
    commits,
    ...changed,
  };
}

it('says of each commit what was proven, and of the range what it comes to', () => {
  const commits = [
    commit('a', { status: 'verified', proof: PROOF }),
    commit('b', {
      status: 'unverified',
      proof: {
        ...PROOF,
        mode: 'strict-unverified',
        red: null,
        exemption: 'docs',
        models: ['replay/y', 'replay/x'],
        decided: { by: 'human', key: 'e'.repeat(64) },
      },
    }),
    commit('c', {}),
  ];
  expect(formatRange(verdict(commits))).toBe(
    `aaaaaaaaaa  verified    Change a
            strict: 2 failed before the change, in 1 frozen file; suite green with 7 passed, 1 skipped
            written by replay/x
            approved by policy; signed by host ffffffffff on 2023-11-14T22:13:25.000Z, at record 67
bbbbbbbbbb  unverified  Change b
            strict-unverified: exempted: docs; suite green with 7 passed, 1 skipped
            written by replay/y, replay/x
            approved by a human (key eeeeeeeeee); signed by host ffffffffff on 2023-11-14T22:13:25.000Z, at record 67
cccccccccc  unattested  Change c
            claims no evidence: made without fluffy
3 commits: 1 verified, 1 unverified, 1 unattested, 0 broken.
Intact: all evidence holds; nothing is known about 1 without evidence.`,
  );
});

it('shows what is known of a commit as a table, and what was found', () => {
  const found = { kind: 'no-assertion', path: 'test/a.test.js', line: 3, words: 'the case a asserts nothing' };
  const proof = {
    ...PROOF,
    grade: [
      { label: 'grade', words: 'not verified: 1 finding in changed files' },
      { label: 'red', words: 'said above' },
      { label: 'mutants', words: '1 of 2 noticed' },
      { label: '', words: 'no test fails when `>` becomes `>=` in line 14 of src/a.js' },
    ],
    observed: { observations: [], findings: [found] },
  };
  const lines = formatRange(verdict([commit('b', { status: 'unverified', proof })])).split('\n');
  expect(lines.slice(2, 6)).toEqual([
    '              grade    not verified: 1 finding in changed files',
    '              mutants  1 of 2 noticed',
    '                       no test fails when `>` becomes `>=` in line 14 of src/a.js',
    '              test/a.test.js:3: the case a asserts nothing',
  ]);
});

it('names what is broken, with an end to it, and lets nothing of the commit reach the terminal', () => {
  const problems = Array.from({ length: 12 }, (_, n) => ({ check: 'frozen' as const, reason: `${n}\x1b[2J` }));
  const text = formatRange(
    verdict([commit('a', { status: 'broken', subject: 'x\x1b]0;owned\x07', problems })], { intact: false }),
  );
  expect(text).not.toMatch(/[\x1b\x07]/);
  expect(text).toContain('BROKEN');
  expect(text).toContain('frozen: 9');
  expect(text).toContain('and 2 more');
  expect(text).toMatch(/Broken: the claims of BROKEN commits do not hold\.$/);
});

it('says which commits fall short of what is asked for', () => {
  const commits = [commit('a', {}), commit('b', { status: 'unverified', proof: PROOF })];
  const short = { intact: false, require: 'verified,mutants>=80%', unmet: commits.map((each) => each.commit) };
  expect(formatRange(verdict(commits, short))).toContain(
    'Not enough: every commit has to meet verified,mutants>=80%, and some do not: aaaaaaaaaa, bbbbbbbbbb.',
  );
});

it('says when there is nothing in a range', () => {
  expect(formatRange(verdict([]))).toBe('No commit is in 2222222222 and not in 1111111111.');
});
