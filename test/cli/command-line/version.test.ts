import { afterEach, beforeEach, expect, it } from 'vitest';
import { ErrorBench } from '../errors/bench.ts';

let bench: ErrorBench;
beforeEach(() => void (bench = new ErrorBench()));
afterEach(() => bench.close());

it.each<[readonly string[], { code: number; stdout: string }]>([
  [['--version'], { code: 0, stdout: '0.0.0\n' }],
  [['-v'], { code: 0, stdout: '0.0.0\n' }],
  [['-v', 'doctor'], { code: 2, stdout: '' }],
  [['-x'], { code: 2, stdout: '' }],
])('%j: %j', async (argv, expected) => {
  expect(await bench.cli(argv)).toMatchObject(expected);
});
