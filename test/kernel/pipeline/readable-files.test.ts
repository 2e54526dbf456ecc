import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { TestRun } from '../../../src/contracts/test-run.ts';
import { describeRun } from '../../../src/kernel/pipeline/describe-run.ts';
import { readableFiles, whyHidden } from '../../../src/kernel/pipeline/readable-files.ts';
import { loadPolicy } from '../../../src/kernel/policy/index.ts';

const SESSION = { state: 'code_writing', mode: 'strict' } as const;
const shipped = load(readFileSync('policy.yaml', 'utf8'));

function load(text: string) {
  const loaded = loadPolicy(text, 'policy.yaml');
  if (loaded.kind !== 'ok') throw new Error(JSON.stringify(loaded.errors));
  return loaded;
}

const world = (policy = shipped.policy) => ({ policy: () => policy, clock: { monotonicMs: () => 0 } }) as never;

describe('what code of the project may see', () => {
  it.each([
    ['.env', false],
    ['packages/api/.env.test', false],
    ['deploy/tls.pem', false],
    ['node_modules/dep/test/key.pem', false],
    ['.npmrc', false],
    ['.env.example', true],
    ['src/env.ts', true],
    ['node_modules/dep/index.js', true],
  ])('%s: %s', (path, seen) => {
    expect(readableFiles(world(), SESSION).allows(path)).toBe(seen);
  });

  it('is asked anew under another policy, state or mode', () => {
    const other = load('version: 1\ncapabilities: []\n').policy;
    const keys = [
      readableFiles(world(), SESSION),
      readableFiles(world(other), SESSION),
      readableFiles(world(), { ...SESSION, state: 'validating' }),
      readableFiles(world(), { ...SESSION, mode: 'explore' }),
    ].map(({ key }) => key);
    expect(new Set(keys).size).toBe(4);
  });

  it('names the rule that closes a file, and says when none allows it', () => {
    const nothing = load('version: 1\ncapabilities: []\n').policy;
    expect(whyHidden(world(), SESSION, ['.env'])).toEqual([{ path: '.env', rule: 'secrets-are-out-of-reach' }]);
    expect(whyHidden(world(nothing), SESSION, ['a.js'])).toEqual([{ path: 'a.js', rule: 'no rule allows it' }]);
  });
});

describe('a run that could not see files', () => {
  const run = (message: string | null, hidden: readonly string[]): TestRun => ({
    outcome: message === null ? 'passed' : 'failed',
    cases: [
      {
        file: 'test/a.test.js',
        name: 'a',
        status: message === null ? 'passed' : 'failed',
        duration_ms: 1,
        ...(message === null ? {} : { failure: { kind: 'error' as const, message } }),
      },
    ],
    files: ['test/a.test.js'],
    requested: [],
    exit: { kind: 'exited', code: 1 },
    duration_ms: 1,
    output: '',
    hidden: hidden.map((path) => ({ path, rule: 'secrets' })),
  });

  it.each<[string, string | null, string[], string | null]>([
    ['is told of them when it failed', 'no database', ['.env'], '.env (rule secrets)'],
    [
      'is told first of the one that it names',
      'ENOENT: open /p/b.pem',
      ['.env', 'b.pem'],
      'b.pem (rule secrets), .env (rule secrets)',
    ],
    ['is not told of keys in packages', 'no database', ['node_modules/x/k.pem'], null],
    [
      'is told of a key in a package that it names',
      'no k.pem',
      ['node_modules/x/k.pem'],
      'node_modules/x/k.pem (rule secrets)',
    ],
    [
      'is told of a few',
      'x',
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((n) => `${n}0.pem`),
      'e0.pem (rule secrets) and 2 more',
    ],
    ['is told nothing when it passed', null, ['.env'], null],
  ])('%s', (_, message, hidden, told) => {
    const text = describeRun(run(message, hidden));
    if (told === null) expect(text).not.toContain('policy');
    else expect(text).toContain(told);
  });
});
