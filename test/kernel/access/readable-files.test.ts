import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { TestRun } from '../../../src/contracts/sandbox/test-run.ts';
import { describeRun } from '../../../src/kernel/proof/run/describe-run.ts';
import { readableFiles, whyHidden } from '../../../src/kernel/access/readable-files.ts';
import { loadPolicy } from '../../../src/kernel/policy/index.ts';

const SESSION = { state: 'code_writing', mode: 'strict' } as const;
const shipped = load(readFileSync('policy.yaml', 'utf8'));

function load(text: string) {
  const loaded = loadPolicy(text, 'policy.yaml');
  if (loaded.kind !== 'ok') throw new Error(JSON.stringify(loaded.errors));
  return loaded;
}

const services = (policy = shipped.policy) => ({ policy: () => policy, clock: { monotonicMs: () => 0 } }) as never;

describe('what code of the project may see', () => {
  it.each([
    ['.env', false],
    ['packages/api/.env.test', false],
    ['deploy/tls.pem', false],
    ['node_modules/dep/key.pem', true],
    ['.venv/lib/python3.12/site-packages/certifi/cacert.pem', true],
    ['.venv/key.pem', false],
    ['node_modules/dep/.npmrc', false],
    ['test/fixtures/server.pem', true],
    ['test/fixtures/.env', false],
    ['.npmrc', false],
    ['.env.example', true],
    ['src/env.ts', true],
    ['node_modules/dep/index.js', true],
  ])('%s: %s', (path, seen) => {
    expect(readableFiles(services(), SESSION).allows(path)).toBe(seen);
  });

  const keysOf = (policy: typeof shipped.policy) =>
    [SESSION, { ...SESSION, state: 'validating' as const }, { ...SESSION, mode: 'explore' as const }].map(
      (session) => readableFiles(services(policy), session).key,
    );

  it('is asked again under another policy, and in another state only where a rule about reading asks for it', () => {
    const rule = (match: string) =>
      load(`version: 1\ncapabilities: [{ name: r, match: { ${match} }, action: allow }]\n`).policy;
    expect(new Set(keysOf(shipped.policy)).size).toBe(1);
    expect(new Set([...keysOf(shipped.policy), ...keysOf(rule('syscall: fs.read'))]).size).toBe(2);
    expect(new Set(keysOf(rule('syscall: fs.read, state_machine_state: idle'))).size).toBe(3);
    expect(new Set(keysOf(rule('path_glob: [a], session_mode: strict'))).size).toBe(3);
    expect(new Set(keysOf(rule('syscall: fs.write, state_machine_state: idle'))).size).toBe(1);
  });

  const judged = (match: string) =>
    load(`capabilities: [{ name: reads, match: { syscall: fs.read }, action: allow }]
extensions: [{ name: judge, entry: judge.ts, sha256: "${'a'.repeat(64)}"${match} }]\n`).policy;

  it('is nothing that an extension would have to be asked about', () => {
    const policy = judged(', match: { syscall: fs.read, path_glob: [private/] }');
    const { allows } = readableFiles(services(policy), SESSION);
    expect(['private/a', 'src/a'].map(allows)).toEqual([false, true]);
    expect(whyHidden(services(policy), SESSION, ['private/a'])).toEqual([{ path: 'private/a', rule: 'judge' }]);
    expect(readableFiles(services(judged('')), SESSION).allows('src/a')).toBe(false);
    expect(new Set(keysOf(judged(', match: { syscall: fs.read, session_mode: explore }'))).size).toBe(3);
    expect(new Set(keysOf(judged(', match: { syscall: fs.write, session_mode: explore }'))).size).toBe(1);
    expect(new Set(keysOf(judged(''))).size).toBe(1);
  });

  it('names the rule that closes a file, and says when none allows it', () => {
    const nothing = load('version: 1\ncapabilities: []\n').policy;
    expect(whyHidden(services(), SESSION, ['.env'])).toEqual([{ path: '.env', rule: 'secrets-are-out-of-reach' }]);
    expect(whyHidden(services(nothing), SESSION, ['a.js'])).toEqual([{ path: 'a.js', rule: 'no rule allows it' }]);
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
    ['names them when it failed', 'no database', ['.env'], '.env (rule secrets)'],
    [
      'is told first of the one that it names',
      'ENOENT: open /p/b.pem',
      ['.env', 'b.pem'],
      'b.pem (rule secrets), .env (rule secrets)',
    ],
    ['is not told of keys in packages', 'no database', ['node_modules/x/k.pem'], null],
    [
      'names a key in a package that the model names',
      'no k.pem',
      ['node_modules/x/k.pem'],
      'node_modules/x/k.pem (rule secrets)',
    ],
    [
      'names a few',
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
