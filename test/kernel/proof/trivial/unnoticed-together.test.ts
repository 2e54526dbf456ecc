import { describe, expect, it } from 'vitest';
import type { Baseline } from '../../../../src/contracts/session/session-facts.ts';
import type { TestRun } from '../../../../src/contracts/sandbox/test-run.ts';
import { caseMentions } from '../../../../src/kernel/proof/trivial/case-mentions.ts';
import { notPinned } from '../../../../src/kernel/proof/trivial/unnoticed-together.ts';
import { caseId } from '../../../../src/kernel/proof/test-case-id.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const FILE = 'test/codec.test.js';
const HEAD = "import { expect, it } from 'vitest';\nimport { decode, encode } from '../src/codec.js';\n";
const ROUND_TRIP = "it('round trips', () => { expect(decode(encode('a'))).toBe('a'); });\n";
const EXAMPLE = "it('encodes', () => { expect(encode('a b')).toBe('a%20b'); });\n";
const REPLACED = ['encode', 'decode'].map((name, index) => ({ name, path: 'src/codec.js', line: index + 1 }));

const run = (cases: Readonly<Record<string, 'passed' | 'failed'>>): TestRun => ({
  outcome: Object.values(cases).includes('failed') ? 'failed' : 'passed',
  cases: Object.entries(cases).map(([name, status]) => ({
    file: FILE,
    name,
    status,
    duration_ms: 1,
    ...(status === 'failed' ? { failure: { kind: 'assertion' as const, message: 'x' } } : {}),
  })),
  files: [FILE],
  requested: [FILE],
  exit: { kind: 'exited', code: 0 },
  output: '',
  duration_ms: 1,
});

async function unnoticed(
  text: string,
  outcomes: Readonly<Record<string, 'passed' | 'failed'>>,
  failedBefore: string[] = [],
) {
  const mentions = await caseMentions(
    [{ path: FILE, role: 'test', before: null, after: HEAD + text }],
    syntaxParser(() => performance.now()),
  );
  const cases = Object.keys(outcomes).map((name) => caseId({ file: FILE, name }));
  const failed = failedBefore.map((name) => caseId({ file: FILE, name }));
  const baseline: Baseline = { kind: 'known', passed: [], failed, broken_files: [] };
  return notPinned(run(outcomes), { cases, baseline }, REPLACED, mentions).map(({ name }) => name);
}

describe('functions that only cases have to do with that pass without their work', () => {
  it('are named', async () => {
    expect(await unnoticed(ROUND_TRIP, { 'round trips': 'passed' })).toEqual(['encode', 'decode']);
  });

  it('but not those of another case that fails', async () => {
    const outcomes = { 'round trips': 'passed', encodes: 'failed' } as const;
    expect(await unnoticed(ROUND_TRIP + EXAMPLE, outcomes)).toEqual(['decode']);
  });

  it('nor what a helper of all cases calls', async () => {
    const helper = 'const there = (text) => decode(encode(text));\n';
    const outcomes = { 'round trips': 'passed', encodes: 'failed' } as const;
    expect(await unnoticed(helper + ROUND_TRIP + EXAMPLE, outcomes)).toEqual([]);
  });

  it('a case that failed before says nothing', async () => {
    const outcomes = { 'round trips': 'passed', encodes: 'failed' } as const;
    expect(await unnoticed(ROUND_TRIP + EXAMPLE, outcomes, ['encodes'])).toEqual(['encode', 'decode']);
  });

  it('and a failed case that cannot be read counts for every function', async () => {
    expect(await unnoticed(ROUND_TRIP, { 'round trips': 'passed', other: 'failed' })).toEqual([]);
  });
});
