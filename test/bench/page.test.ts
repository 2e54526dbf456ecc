import { describe, expect, it } from 'vitest';
import { isMet } from '../../bin/bench/benchmark.ts';
import type { Benchmark, Verdict } from '../../bin/bench/benchmark.ts';
import { datedSection, number, section, updatePage, writePage } from '../../bin/bench/page.ts';
import type { Outcome } from '../../bin/bench/page.ts';

const MACHINE = {
  date: '2026-01-02',
  commit: 'abcdef0123, with changes',
  processors: 2,
  processorName: 'Example CPU',
  loadAverage: [0.5, 1.25, 2],
  system: 'linux 6.1 x64',
  node: '24.0.0',
  engine: '20.10.24, API 1.41',
};

const benchmark = (name: string): Benchmark => ({
  name,
  what: `What ${name} is.`,
  dominates: `What dominates ${name}.`,
  measure: () => Promise.reject(new Error('not called')),
});

const verdict = (change: Partial<Verdict>): Verdict => ({ what: 'a to b', value: 1, unit: '', aim: null, ...change });

const measured = (name: string, verdicts: readonly Verdict[]): Outcome => ({
  benchmark: benchmark(name),
  kind: 'measured',
  measurement: {
    tables: [
      {
        title: 'one call',
        unit: 'ms',
        rows: [{ name: 'a | b', summary: { samples: 1200, p50: 0.123456, p99: 12_345.6 } }],
      },
    ],
    verdicts,
  },
});

describe('an aim', () => {
  it.each([
    ['at most', 1.1, 1.1, true],
    ['at most', 1.1, 1.11, false],
    ['at least', 0.8, 0.8, true],
    ['at least', 0.8, 0.79, false],
  ] as const)('of %s %d, measured %d: met is %s', (kind, value, found, met) => {
    expect(isMet(verdict({ value: found, aim: { kind, value } }))).toBe(met);
  });

  it('that was never set is neither met nor missed', () => {
    expect(isMet(verdict({}))).toBeNull();
  });
});

it.each([
  [0.123456, '0.123'],
  [1.10049, '1.1'],
  [393, '393'],
  [12_345.6, '12,346'],
  [0.000123456, '0.000123'],
  [0, '0'],
])('%d is written %s', (value, text) => {
  expect(number(value)).toBe(text);
});

describe('the page', () => {
  const outcomes = [
    measured('search', [
      verdict({ what: 'search to rg', value: 1.6, aim: { kind: 'at most', value: 1.1 } }),
      verdict({ what: 'search, p50', value: 12, unit: 'ms' }),
    ]),
    { benchmark: benchmark('frame'), kind: 'failed', why: 'no\nterminal' } as const,
  ];
  const page = writePage(MACHINE, outcomes, 241.7);
  const lines = page.split('\n');

  it('says what ran where, and that a command wrote it', () => {
    expect(lines.slice(0, 3)).toEqual([
      '# Benchmarks',
      '',
      'Written by `npm run bench`, whole, or by `npm run bench -- --update words` in parts: do not edit it, run that again.',
    ]);
    expect(lines).toContain('| commit | abcdef0123, with changes |');
    expect(lines).toContain('| load average at the start | 0.50 1.25 2.00 |');
    expect(lines).toContain('| took | 242 s |');
  });

  it('has each figure at a glance, missed aims and missing figures included', () => {
    const at = lines.indexOf('## At a glance');
    expect(lines.slice(at + 2, at + 7)).toEqual([
      '| figure | measured | aim |  |',
      '| --- | --- | --- | --- |',
      '| search to rg | 1.6 | at most 1.1 | not met |',
      '| search, p50 | 12 ms | none |  |',
      '| frame |  |  | not measured |',
    ]);
  });

  it('has a section for each, whose cells cannot break its table', () => {
    expect(lines).toContain('| one call | p50 ms | p99 ms | samples |');
    expect(lines).toContain('| a \\| b | 0.123 | 12,346 | 1200 |');
    expect(page).toContain('- search to rg: **1.6** (aim: at most 1.1; not met)\n- search, p50: **12 ms**\n');
    expect(page).toContain('What dominates search.');
    expect(section(outcomes[1] as Outcome)).toBe('## frame\n\nWhat frame is.\n\nNot measured: no terminal');
    expect(page.endsWith('\n')).toBe(true);
    expect(page.endsWith('\n\n')).toBe(false);
  });

  it('takes sections in that were measured by themselves, in their order, and leaves the others', () => {
    const again = measured('search', [verdict({ what: 'search to rg', value: 0.5 })]);
    const added = measured('cost', [verdict({ what: 'cost', value: 2, aim: { kind: 'at least', value: 1 } })]);
    const texts = [again, added].map((outcome) => datedSection(outcome, MACHINE));
    const updated = updatePage(page, texts, ['cost', 'search', 'frame']);
    expect(updated).toContain(`## cost

Measured by itself on 2026-01-02, commit abcdef0123, with changes, load average 0.50 1.25 2.00.

What cost is.`);
    expect(updated.match(/^## .*$/gm)).toEqual(['## At a glance', '## cost', '## search', '## frame']);
    expect(updated).toContain(`| --- | --- | --- | --- |
| cost | 2 | at least 1 | met |
| search to rg | 0.5 | none |  |
| frame |  |  | not measured |
`);
    expect(updated).toContain('| took | 242 s |');
    expect(updated).not.toContain('search, p50');
    expect(updatePage(updated, [], ['cost', 'search', 'frame'])).toBe(updated);
  });
});
