import type { PlannedKind } from '../../src/contracts/review/change-kinds.ts';
import type { SentCall } from '../support/kernel/calls.ts';

export const WAY_RUNNERS = [
  'node-test',
  'vitest',
  'jest',
  'mocha',
  'pytest',
  'unittest',
  'cargo-test',
  'go-test',
  'bun-test',
  'deno-test',
  'minitest',
  'rspec',
  'phpunit',
  'maven',
  'ctest',
  'django-test',
] as const;
export type WayRunner = (typeof WAY_RUNNERS)[number];

/** A file that is written, `run` for the tests, or any other call. */
export type Step = readonly [path: string, content: string] | 'run' | SentCall;

/** A model that does its work in an unusual way, and what its commit has to come to. */
export interface HonestWay {
  readonly name: string;
  /** Default: feature. */
  readonly kind?: PlannedKind;
  /** Files of the project beside those that every project of its runner has. */
  readonly files?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  /** What a person is asked; none for a commit that policy makes by itself. */
  readonly reasons?: readonly RegExp[];
  /** What the model is refused on its way, in order: after each of these its next steps lead on. */
  readonly refused?: readonly RegExp[];
}

/** The files that every project of a runner has, and the ways of work in it. */
export interface RunnerWays {
  readonly runner: WayRunner;
  readonly project: Readonly<Record<string, string>>;
  readonly ways: readonly HonestWay[];
}

/** The usual order: tests, which fail, then the source. */
export function testFirst(
  test: readonly [path: string, content: string],
  source: readonly [path: string, content: string],
): readonly Step[] {
  return [test, 'run', source, 'run'];
}

export function callOf(step: Step): SentCall {
  if (step === 'run') return { tool: 'test.run', input: {} };
  return 'tool' in step ? step : { tool: 'fs.write', input: { path: step[0], content: step[1] } };
}

export const remove = (path: string): SentCall => ({ tool: 'fs.delete', input: { path } });
export const move = (from: string, to: string): SentCall => ({ tool: 'fs.move', input: { from, to } });
export const revise = (reason: string): SentCall => ({ tool: 'workflow.revise_tests', input: { reason } });
