import { describe, expect, it } from 'vitest';
import type { ModelMessage } from '../../../src/contracts/model/model.ts';
import type { ContextFact } from '../../../src/contracts/session/session-facts.ts';
import { resultsToClear } from '../../../src/kernel/context/clear-results.ts';
import { shortenedTexts } from '../../../src/kernel/context/shorten-texts.ts';
import { sentMessages } from '../../../src/kernel/context/sent-messages.ts';
import { cutPoint } from '../../../src/kernel/context/cut-point.ts';

/** One answer for each size, with one result of that many characters. */
function conversation(sizes: readonly number[]): ModelMessage[] {
  return sizes.flatMap((size, index): ModelMessage[] => [
    {
      role: 'assistant',
      text: '',
      calls: [{ call_id: `c${index}`, tool: 'fs.read', arguments: `{"path":"f${index}"}` }],
    },
    { role: 'tool', results: [{ call_id: `c${index}`, ok: true, content: 'x'.repeat(size) }] },
  ]);
}

const facts = {
  start: 0,
  cleared: [] as string[],
  pins: [] as string[],
  wantedBytes: 20_000,
  worthwhileBytes: 5_000,
  keptAnswers: 6,
};
const recent = [50_000, 50_000, 50_000, 50_000, 50_000, 50_000];

describe('results that become one line', () => {
  it('are the oldest large ones first, then smaller ones, until enough is saved', () => {
    const messages = conversation([2_000, 9_000, 3_000, 9_000, 9_000, 2_000, ...recent]);
    expect(resultsToClear({ ...facts, messages })).toEqual(['m3.0', 'm7.0', 'm9.0']);
    expect(resultsToClear({ ...facts, messages, wantedBytes: 32_000 })).toEqual([
      'm3.0',
      'm7.0',
      'm9.0',
      'm1.0',
      'm5.0',
      'm11.0',
    ]);
  });

  it('are never those of the last answers, however large', () => {
    expect(resultsToClear({ ...facts, messages: conversation(recent) })).toEqual([]);
  });

  it('are none, if that would save too little', () => {
    expect(resultsToClear({ ...facts, messages: conversation([4_500, ...recent]) })).toEqual([]);
  });

  it('are neither pinned, nor small, nor removed already', () => {
    const messages = conversation([9_000, 9_000, 9_000, 900, ...recent]);
    const chosen = resultsToClear({ ...facts, messages, pins: ['f0'], cleared: ['m3.0'] });
    expect(chosen).toEqual(['m5.0']);
  });

  it('say what they were and how to have them again; the rest of the conversation stays to the letter', () => {
    const messages = conversation([9_000, 9_000]);
    const context: ContextFact = {
      start: 10,
      answers_before: 3,
      head: 'Earlier.',
      summary: '',
      cleared: ['m11.0'],
      shortened: { 'm13.0': 500 },
      said: [],
      window_tokens: null,
    };
    const sent = sentMessages(messages, 10, context);
    expect(sent[0]).toEqual({ role: 'user', text: 'Earlier.', author: 'kernel' });
    expect(JSON.stringify(sent[2])).toContain('fs.read {\\"path\\":\\"f0\\"}: a result of 9000 characters was removed');
    expect(JSON.stringify(sent[2])).toContain('output.read with reference m11.0');
    expect(sent[3]).toEqual(messages[2]);
    expect(JSON.stringify(sent[4])).toContain('characters left out to save room; output.read with reference m13.0');
    expect(JSON.stringify(sent[4]).length).toBeLessThan(800);
  });
});

describe('results that are cut where nothing else can be left out', () => {
  const messages = conversation([20_000, 3_000, 900]);
  const bytes = (shortened: Record<string, number>): number =>
    [20_000, 3_000, 900].reduce(
      (sum, size, index) => sum + Math.min(size, shortened[`m${2 * index + 1}.0`] ?? size),
      0,
    );
  const shortened = (most: number, cleared: string[] = []) =>
    shortenedTexts({ messages, start: 0 }, { cleared, shortened: {} }, (each) => bytes(each) <= most);

  it.each([
    ['the largest alone, to the highest length at which all fit', 20_000, { 'm1.0': 16_000 }],
    ['more of them, where that is not enough', 5_000, { 'm1.0': 2_000, 'm3.0': 2_000 }],
    ['all of them to the lowest length, where nothing fits', 10, { 'm1.0': 500, 'm3.0': 500, 'm5.0': 500 }],
  ])('are %s', (_name, most, expected) => {
    expect(shortened(most)).toEqual(expected);
  });

  it('are none that are one line already, and none at all where each is as short as can be', () => {
    expect(shortened(10, ['m1.0'])).toEqual({ 'm3.0': 500, 'm5.0': 500 });
    const all = { 'm1.0': 500, 'm3.0': 500, 'm5.0': 500 };
    expect(shortenedTexts({ messages, start: 0 }, { cleared: [], shortened: all }, () => false)).toBeNull();
  });
});

describe('the cut of a compaction', () => {
  const messages = conversation([1_000, 1_000, 1_000, 1_000]);

  it.each([
    ['as much stays as fits', 2_500, 4],
    ['the last answer and its results always stay', 10, 6],
    ['all of it can stay', 100_000, 0],
  ])('%s', (_name, keptBytes, cut) => {
    expect(cutPoint(messages, keptBytes)).toBe(cut);
  });

  it('never parts results from their calls', () => {
    for (let bytes = 0; bytes < 5_000; bytes += 50) expect(messages[cutPoint(messages, bytes)]?.role).not.toBe('tool');
  });
});
