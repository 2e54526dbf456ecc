import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FileState } from '../../../src/contracts/review/change-set.ts';
import type { EvidenceFacts } from '../../../src/contracts/review/evidence.ts';
import type { Sha256 } from '../../../src/contracts/ids.ts';
import { cardFacts } from '../../../src/kernel/review/card-facts.ts';
import { loadPolicy } from '../../../src/kernel/policy/index.ts';

const loaded = loadPolicy(readFileSync('policy.yaml', 'utf8'), 'policy.yaml');
if (loaded.kind !== 'ok') throw new Error('the shipped policy is invalid');
const { policy } = loaded;

const ABSENT: FileState = { kind: 'absent' };
const FILE: FileState = { kind: 'file', sha256: '1'.repeat(64) as Sha256, size: 1, executable: false };
const changed = (...paths: string[]) => paths.map((path) => ({ path, before: FILE, after: FILE }));

const RED = { failed: [{ file: 'test/a.test.ts', name: 'says what is wrong' }] } as unknown as EvidenceFacts['red'];
const GREEN = { passed: 12, failed: [], skipped: 1 } as unknown as EvidenceFacts['green'];
const HELD = { observation: 'removal', outcome: 'held', detail: 'they fail again' } as const;

describe('what a review shows of a change', () => {
  it('names the class of each file, and no directories', () => {
    const changes = [
      ...changed('src/a.ts', 'test/a.test.ts', 'README.md', 'package.json', 'Makefile'),
      { path: 'src', before: ABSENT, after: { kind: 'directory' } as const },
    ];
    const { files } = cardFacts(policy, { changes, evidence: null, namedByTests: (path) => path === 'src/a.ts' });
    expect(files.map(({ path, kind, sensitive }) => [path, kind, sensitive])).toEqual([
      ['src/a.ts', 'source', true],
      ['test/a.test.ts', 'test', false],
      ['README.md', 'docs', false],
      ['package.json', 'other', true],
      ['Makefile', 'source', true],
    ]);
  });

  it.each([
    [{ lines: { covered: 4, total: 5 } }, 'held', '80% (4 of 5 lines) executed by the suite; no baseline yet'],
    [
      { lines: { covered: 4, total: 5 }, baseline: { covered: 3, total: 4 } },
      'held',
      '80% (4 of 5 lines) executed by the suite, 5 points above the baseline',
    ],
    [
      { lines: { covered: 4, total: 5 }, baseline: { covered: 9, total: 10 } },
      'failed',
      '80% (4 of 5 lines) executed by the suite, 10 points below the baseline',
    ],
  ] as const)('shows how much of the whole source the suite executes: %j', (coverage, outcome, detail) => {
    const evidence = { red: RED, green: GREEN, coverage };
    const { proof } = cardFacts(policy, { changes: [], evidence, namedByTests: () => false });
    expect(proof.at(-1)).toEqual({ title: 'Whole source', outcome, detail });
  });

  it('lists red, the suite and every observation, and grades as the verifier of the commit does', () => {
    const evidence = { red: RED, green: GREEN, proof: { observations: [HELD], findings: [] } };
    const { grade, proof } = cardFacts(policy, { changes: [], evidence, namedByTests: () => false });
    expect(grade).toEqual({ verified: true, reasons: [] });
    expect(proof).toEqual([
      {
        title: 'New tests before the change',
        outcome: 'held',
        detail: '1 failure: test/a.test.ts › says what is wrong',
      },
      { title: 'Whole suite', outcome: 'held', detail: '12 passed, 1 skipped' },
      { title: 'New tests without the new source', outcome: 'held', detail: 'they fail again' },
      { title: 'Changed lines', outcome: 'impossible', detail: 'not measured' },
    ]);
  });

  it('says how many changed lines the new tests execute', () => {
    const evidence = {
      red: RED,
      green: GREEN,
      proof: { observations: [HELD], findings: [], lines: { changed: 3, executed: 2 } },
    };
    const { proof } = cardFacts(policy, { changes: [], evidence, namedByTests: () => false });
    expect(proof.at(-1)).toEqual({
      title: 'Changed lines',
      outcome: 'held',
      detail: '2 of 3 executed by the new tests',
    });
  });

  it.each([
    ['nothing is prepared', null],
    ['no test had to fail', { red: null, green: GREEN }],
    [
      'an observation failed',
      { red: RED, green: GREEN, proof: { observations: [{ ...HELD, outcome: 'failed' as const }], findings: [] } },
    ],
  ])('is not verified where %s', (_, evidence) => {
    expect(cardFacts(policy, { changes: [], evidence, namedByTests: () => false }).grade.verified).toBe(false);
  });
});
