import { expect, it } from 'vitest';
import { interleave } from '../../bin/bench/interleave.ts';

/** Sides that note their turns and take as long as they are told, on a clock that only they move. */
function scene(tookMs: Readonly<Record<string, number>>) {
  const turns: string[] = [];
  let now = 0;
  const sides = Object.entries(tookMs).map(([name, ms]) => ({
    name,
    once: async () => {
      turns.push(name);
      await Promise.resolve();
      now += ms;
    },
  }));
  return { turns, sides, nowMs: () => now };
}

const ROUNDS = { warmUp: 0, atMost: 4, atLeast: 0, budgetMs: 1_000 };

it('takes turns, the other way round every other time, one after another', async () => {
  const { turns, sides, nowMs } = scene({ a: 1, b: 2, c: 3 });
  await interleave(sides, { ...ROUNDS, atMost: 3 }, nowMs);
  expect(turns.join('')).toBe('abccbaabc');
});

it('gives each side its own times', async () => {
  const { sides, nowMs } = scene({ fast: 1, slow: 20 });
  expect(await interleave(sides, ROUNDS, nowMs)).toEqual([
    { name: 'fast', samples: [1, 1, 1, 1] },
    { name: 'slow', samples: [20, 20, 20, 20] },
  ]);
});

it('takes the time that a side tells instead of its own', async () => {
  const { sides, nowMs } = scene({ around: 5 });
  const told = { name: 'told', once: () => 0.25 };
  expect(await interleave([...sides, told], { ...ROUNDS, atMost: 2 }, nowMs)).toEqual([
    { name: 'around', samples: [5, 5] },
    { name: 'told', samples: [0.25, 0.25] },
  ]);
});

it('warms up without counting, neither samples nor time', async () => {
  const { turns, sides, nowMs } = scene({ a: 100 });
  const [timed] = await interleave(sides, { ...ROUNDS, warmUp: 30, atMost: 2 }, nowMs);
  expect(turns.length).toBe(32);
  expect(timed?.samples).toEqual([100, 100]);
});

it.each([
  ['ends when its time is over', { atMost: 100, atLeast: 0, budgetMs: 25 }, 3],
  ['goes on to the least it needs', { atMost: 100, atLeast: 7, budgetMs: 25 }, 7],
  ['never goes past the most it may do', { atMost: 2, atLeast: 7, budgetMs: 1_000 }, 2],
])('%s', async (_name, rounds, expected) => {
  const { sides, nowMs } = scene({ a: 10 });
  const [timed] = await interleave(sides, { warmUp: 0, ...rounds }, nowMs);
  expect(timed?.samples.length).toBe(expected);
});

it('passes a failure on', async () => {
  const failing = { name: 'x', once: () => Promise.reject(new Error('no engine')) };
  await expect(interleave([failing], ROUNDS)).rejects.toThrow('no engine');
});
