import { expect, it } from 'vitest';
import { slowSteps } from '../../../src/host/images/slow-steps.ts';

it('reports a step after two seconds without a report, and no others', () => {
  const reported: string[] = [];
  let nowMs = 5_000;
  const step = slowSteps(
    (text) => reported.push(text),
    () => nowMs,
  );
  for (const [after, text] of [
    [1_999, 'one'],
    [1, 'two'],
    [1_000, 'three'],
    [999, 'four'],
    [1, 'five'],
  ] as const) {
    nowMs += after;
    step(text);
  }
  expect(reported).toEqual(['two', 'five']);
});
