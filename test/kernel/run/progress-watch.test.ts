import { describe, expect, it } from 'vitest';
import { ProgressWatch } from '../../../src/kernel/run/progress-watch.ts';

type Sent = readonly [call: string, result: string, standing?: string];

/** The numbers of the messages after which something was noticed, and for whom. */
function noticed(turns: readonly Sent[]): string[] {
  const watch = new ProgressWatch();
  return turns.flatMap(([call, result, standing = 'start'], index) => {
    const warning = watch.after({ calls: [call], results: [result], standing });
    return warning === null ? [] : [`${index + 1} ${warning.kind}`];
  });
}

const times = (count: number, make: (index: number) => Sent): Sent[] =>
  Array.from({ length: count }, (_, at) => make(at));

describe('a model is noticed', () => {
  it.each<[string, readonly Sent[], readonly string[]]>([
    ['that repeats a call', times(11, () => ['fs.read a', 'ok 1']), ['3 model', '7 user', '11 end']],
    ['that alternates', times(4, (at) => [at % 2 === 0 ? 'fs.read a' : 'fs.read b', 'ok 1']), ['4 model']],
    [
      'that gets the same failure again, whatever it reads between and however long it took',
      times(5, (at) => (at % 2 === 0 ? ['test.run', `failed 1 failed in ${at} ms`] : [`fs.read ${at}`, 'ok'])),
      ['5 model'],
    ],
    [
      'that changes a file to and fro',
      times(12, (at) => ['test.run', 'failed 1 failed', `staged ${at % 2}`]),
      ['4 model', '8 user', '12 end'],
    ],
    ['that reads for ever', times(120, (at) => [`fs.read ${at}`, `ok ${at}`]), ['40 model', '80 user', '120 end']],
  ])('%s', (_, turns, expected) => {
    expect(noticed(turns)).toEqual(expected);
  });

  it.each<[string, readonly Sent[]]>([
    ['that reads one file after the other', times(30, (at) => [`fs.read ${at}`, 'ok same'])],
    ['whose other calls fail with the same words', times(10, (at) => [`deps.add ${at}`, 'failed no registry'])],
    ['whose repeated call has another result each time', times(10, (at) => ['test.run', `ok ${at} passed`])],
    [
      'that changes something between the same failures',
      times(12, (at) => ['test.run', 'failed 1 failed', `staged ${at}`]),
    ],
  ])('not, %s', (_, turns) => {
    expect(noticed(turns)).toEqual([]);
  });

  it('again after it has made progress', () => {
    const circle = times(3, () => ['fs.read a', 'ok 1'] as const);
    expect(
      noticed([...circle, ['fs.write a', 'ok', 'staged'], ...circle.map(([a, b]) => [a, b, 'staged'] as const)]),
    ).toEqual(['3 model', '7 model']);
  });

  it('again after the user has said something', () => {
    const watch = new ProgressWatch();
    const again = () => watch.after({ calls: ['fs.read a'], results: ['ok 1'], standing: 'start' })?.kind ?? null;
    expect([again(), again(), again()]).toEqual([null, null, 'model']);
    watch.reset();
    expect([again(), again(), again(), again()]).toEqual([null, null, 'model', null]);
  });
});
