import { describe, expect, it } from 'vitest';
import type { Baseline } from '../../../src/contracts/session/session-facts.ts';
import type { TestRun } from '../../../src/contracts/sandbox/test-run.ts';
import type { Attempt } from '../../../src/kernel/proof/merge-attempts.ts';
import { mergeShards, shardsOf } from '../../../src/kernel/proof/shards.ts';

const FILES = ['a.js', 'b.js', 'c.js', 'd.js', 'e.js'];
const took = (duration_ms: number): Baseline => ({
  kind: 'known',
  passed: FILES.map((file) => `${file}\0works`),
  failed: [],
  broken_files: [],
  duration_ms,
});
const facts = { separates: true, baseline: took(60_000), places: 2 };

describe('the files of a run', () => {
  it.each([
    [
      'are divided where the suite is slow',
      FILES,
      facts,
      [
        ['a.js', 'c.js', 'e.js'],
        ['b.js', 'd.js'],
      ],
    ],
    ['are divided by the places there are', FILES, { ...facts, places: 8 }, FILES.map((file) => [file])],
    ['stay together where files can see each other', FILES, { ...facts, separates: false }, [FILES]],
    ['stay together where the suite is fast', FILES, { ...facts, baseline: took(19_999) }, [FILES]],
    ['stay together where nobody knows how long they take', FILES, { ...facts, baseline: null }, [FILES]],
    ['stay together where there is one place', FILES, { ...facts, places: 1 }, [FILES]],
    ['stay together where they are a small part of it', ['a.js'], facts, [['a.js']]],
    [
      'stay together where their part of the time is short',
      ['a.js', 'b.js'],
      { ...facts, baseline: took(45_000) },
      [['a.js', 'b.js']],
    ],
  ])('%s', (_name, files, given, expected) => {
    expect(shardsOf(files, given)).toEqual(expected);
  });
});

describe('shards as one run', () => {
  const attempt = (files: readonly string[], change: Partial<TestRun> = {}, made = true): Attempt => ({
    made,
    executed: null,
    run: {
      outcome: 'passed',
      cases: files.map((file) => ({ file, name: 'works', status: 'passed' as const, duration_ms: 1 })),
      files: [...files],
      requested: [...files],
      exit: { kind: 'exited', code: 0 },
      duration_ms: 10,
      output: files.join(),
      ...change,
    },
  });

  it('have their cases in the order of the files, and take as long as the longest', () => {
    const { run } = mergeShards(
      [attempt(['a.js', 'c.js']), attempt(['b.js'], { duration_ms: 30 })],
      ['a.js', 'b.js', 'c.js'],
    );
    expect(run.cases.map(({ file }) => file)).toEqual(['a.js', 'b.js', 'c.js']);
    expect(run).toMatchObject({
      outcome: 'passed',
      files: ['a.js', 'b.js', 'c.js'],
      requested: ['a.js', 'b.js', 'c.js'],
      duration_ms: 30,
    });
  });

  it('fail where one fails', () => {
    const failed = attempt(['b.js'], { outcome: 'failed', exit: { kind: 'exited', code: 1 } });
    expect(mergeShards([attempt(['a.js']), failed], ['a.js', 'b.js']).run).toMatchObject({
      outcome: 'failed',
      exit: { code: 1 },
    });
  });

  it.each(['timeout', 'out_of_memory', 'tampered', 'invalid', 'crashed', 'killed'] as const)(
    'are nothing but %s where one of them is',
    (outcome) => {
      const silent = attempt(['b.js'], { outcome, why: 'this one', cases: [] });
      const merged = mergeShards([attempt(['a.js']), silent], ['a.js', 'b.js']);
      expect(merged.run).toEqual({ ...silent.run, requested: ['a.js', 'b.js'] });
    },
  );

  it('are not made where one was not', () => {
    expect(mergeShards([attempt(['a.js']), attempt(['b.js'], {}, false)], ['a.js', 'b.js']).made).toBe(false);
  });

  it('are the run itself where there is one', () => {
    const alone = attempt(['a.js'], { outcome: 'timeout' });
    expect(mergeShards([alone], ['a.js'])).toBe(alone);
  });
});
