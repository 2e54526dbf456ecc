import { beforeEach, describe, expect, test } from 'vitest';
import type { PolicyRequest } from '../../../../src/contracts/policy.ts';
import { ExtensionRunner, decide, loadPolicy } from '../../../../src/kernel/policy/index.ts';
import type { CompiledPolicy } from '../../../../src/kernel/policy/index.ts';
import { LINGER_MS } from '../../../../src/kernel/policy/extensions/extension-runner.ts';
import { settle, standingClock } from '../../../support/standing-clock.ts';
import { FakeSandboxes } from './fake-sandboxes.ts';

const DIGEST = { judge: 'a'.repeat(64), clerk: 'b'.repeat(64) };
const request: PolicyRequest = { syscall: 'fs.write', path: 'a', state: 'idle', mode: 'strict', tags: [] };

/** One that allows everything, with these extensions. */
function policyWith(names: readonly (keyof typeof DIGEST)[], more = '', digests = DIGEST): CompiledPolicy {
  const extensions = names.map((name) => `{ name: ${name}, entry: ${name}.ts, sha256: "${digests[name]}"${more} }`);
  const text = `capabilities: [{ name: all, match: { syscall: [fs.write, fs.read] }, action: allow }]\nextensions: [${extensions.join(', ')}]`;
  const loaded = loadPolicy(text, 'policy.yaml');
  if (loaded.kind === 'invalid') throw new Error(JSON.stringify(loaded.errors));
  return loaded.policy;
}

let sandboxes: FakeSandboxes;
let time: ReturnType<typeof standingClock>;
let failures: { what: string; nextTryMs: number }[];
let runner: ExtensionRunner;
const policy = policyWith(['judge']);
beforeEach(() => {
  sandboxes = new FakeSandboxes();
  time = standingClock();
  failures = [];
  runner = new ExtensionRunner({
    sandboxes,
    clock: time.clock,
    onFailure: (what, nextTryMs) => failures.push({ what, nextTryMs }),
  });
});

/** The decision with what the runner says, as the pipeline makes it. */
async function decision(of = policy, asked = request) {
  return decide(of, asked, { nowMonotonicMs: 0, extensionResults: await runner.ask(of, asked) });
}

describe('extensions that answer', () => {
  test.each([
    ['allow', 'allow'],
    ['pass', 'allow'],
    ['require_review', 'require_review'],
    ['deny', 'deny'],
  ] as const)('%s makes an allowed request %s', async (said, verdict) => {
    sandboxes.rules = { judge: () => ({ decision: said, reason: 'so it is' }) };
    runner.follow(policy.extensions);
    const { decision: made, rules } = await decision();
    expect(made).toBe(verdict);
    expect(rules).toContainEqual({ name: 'judge', layer: 'extension', action: said, reason: 'so it is' });
  });

  test('hear of a path in the form in which it is matched, however its name is spelt on disk', async () => {
    runner.follow(policy.extensions);
    await decision(policy, { ...request, path: 'geheim/e\u0301' });
    expect(sandboxes.made[0]?.asked).toMatchObject([{ path: 'geheim/\u00e9' }]);
  });

  test('are loaded once, warmed up, and asked what the request says, with a tenth of a second for it', async () => {
    runner.follow(policy.extensions);
    runner.follow(policyWith(['judge']).extensions);
    await decision();
    await decision();
    expect(sandboxes.made).toHaveLength(1);
    expect(sandboxes.made[0]?.asked).toHaveLength(2);
    expect(sandboxes.made[0]?.asked[0]).toMatchObject({ syscall: 'fs.write', path: 'a', mode: 'strict' });
    expect(sandboxes.made[0]?.limitsMs).toEqual([100, 100]);
    expect(sandboxes.made[0]?.warmUps).toBeGreaterThan(0);
  });

  test('are asked one request after another', async () => {
    const order: string[] = [];
    const first = Promise.withResolvers<void>();
    sandboxes.answer = async (answer) => {
      order.push('asked');
      if (order.length === 1) await first.promise;
      order.push('answered');
      return answer;
    };
    runner.follow(policy.extensions);
    const both = [decision(), decision()];
    await settle();
    expect(order).toEqual(['asked']);
    first.resolve();
    await Promise.all(both);
    expect(order).toEqual(['asked', 'answered', 'asked', 'answered']);
  });

  test('are asked only about what they match', async () => {
    const writes = policyWith(['judge'], ', match: { syscall: fs.write }');
    sandboxes.rules = { judge: () => ({ decision: 'deny' }) };
    runner.follow(writes.extensions);
    expect((await decision(writes, { ...request, syscall: 'fs.read' })).decision).toBe('allow');
    expect((await decision(writes)).decision).toBe('deny');
  });
});

describe('what goes wrong with one denies, names it, and ends its sandbox', () => {
  const cases: readonly [string, () => void, RegExp][] = [
    [
      'it is late',
      () => (sandboxes.rules = { judge: () => ({ failure: 'no answer within 100 ms' }) }),
      /no answer within/,
    ],
    ['it throws', () => (sandboxes.rules = { judge: () => ({ failure: 'it threw Error: boo' }) }), /it threw/],
    [
      'the sandbox breaks',
      () => (sandboxes.answer = () => Promise.reject(new Error('it ran out of memory'))),
      /memory/,
    ],
    ['it is not answered for', () => (sandboxes.answer = () => ({ answers: [] })), /it gave no answer/],
    [
      'it is answered for twice',
      () => (sandboxes.answer = ({ answers }) => ({ answers: [...answers, ...answers] })),
      /it gave no answer/,
    ],
    [
      'another is answered for in its place',
      () =>
        (sandboxes.answer = () => ({ answers: [{ kind: 'answered', name: 'other', answer: { decision: 'allow' } }] })),
      /it gave no answer/,
    ],
  ];

  test.each(cases)('%s', async (_title, breakIt, why) => {
    runner.follow(policy.extensions);
    await runner.settled();
    breakIt();
    const made = await decision();
    expect(made.decision).toBe('deny');
    expect(made.reasons.join()).toMatch(/"judge"/);
    expect(made.reasons.join()).toMatch(why);
    expect(sandboxes.living).toBe(0);
    expect(failures).toMatchObject([{ nextTryMs: 1000 }]);
  });

  test('of two, the other’s deny still counts and the one to blame is named', async () => {
    const both = policyWith(['judge', 'clerk']);
    sandboxes.rules = { clerk: () => ({ decision: 'deny', reason: 'closed on Sundays' }) };
    runner.follow(both.extensions);
    await runner.settled();
    sandboxes.rules = { ...sandboxes.rules, judge: () => ({ failure: 'no answer within 100 ms' }) };
    const { reasons } = await decision(both);
    expect(reasons).toEqual(['the extension "judge" gave no answer: no answer within 100 ms', 'closed on Sundays']);
    expect(failures[0]?.what).toBe('"judge": no answer within 100 ms');
  });

  test.each([
    ['there is no sandbox', () => (sandboxes.refusing = 'the image policy-sandbox has not been built')],
    ['it does not load', () => (sandboxes.misloading = 'refuses')],
    ['loading takes too long', () => (sandboxes.misloading = 'throws')],
    ['something else is loaded', () => (sandboxes.misloading = 'other')],
    [
      'its warm-up fails, and nothing else would',
      () =>
        (sandboxes.rules = {
          judge: ({ syscall }) => (syscall === 'policy.warm_up' ? { failure: 'it threw' } : { decision: 'allow' }),
        }),
    ],
  ])('before the first question: %s', async (_title, breakIt) => {
    breakIt();
    runner.follow(policy.extensions);
    expect((await decision()).decision).toBe('deny');
    expect(sandboxes.living).toBe(0);
  });
});

describe('while they are down', () => {
  beforeEach(async () => {
    runner.follow(policy.extensions);
    await runner.settled();
    sandboxes.made[0]?.die('its program ended');
    await settle();
  });

  test('everything that needs them is denied at once, and nothing is asked', async () => {
    const { decision: made, reasons } = await decision();
    expect(made).toBe('deny');
    expect(reasons.join()).toMatch(/"judge".*being restarted after a failure \(its program ended\)/);
    expect(sandboxes.made).toHaveLength(1);
  });

  test('they come back after a second', async () => {
    await time.advance(999);
    expect(sandboxes.made).toHaveLength(1);
    await time.advance(1);
    expect((await decision()).decision).toBe('allow');
  });

  test('each failure in a row doubles the wait, up to a minute', async () => {
    sandboxes.refusing = 'no engine';
    for (let attempt = 0; attempt < 8; attempt += 1) await time.advance(failures.at(-1)?.nextTryMs ?? 0);
    expect(failures.map(({ nextTryMs }) => nextTryMs / 1000)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  test('a start that is followed by a failure within a minute does not reset the wait; a healthy minute does', async () => {
    await time.advance(1000);
    await runner.settled();
    sandboxes.made[1]?.die('its program ended');
    await settle();
    expect(failures.at(-1)?.nextTryMs).toBe(2000);
    await time.advance(2000);
    await time.advance(60_000);
    sandboxes.made[2]?.die('its program ended');
    await settle();
    expect(failures.at(-1)?.nextTryMs).toBe(1000);
  });

  test('who waits for a turn when it breaks is denied too', async () => {
    await time.advance(1000);
    sandboxes.answer = () => Promise.reject(new Error('no answer within 100 ms'));
    const made = await Promise.all([decision(), decision(), decision()]);
    expect(made.map(({ decision: one }) => one)).toEqual(['deny', 'deny', 'deny']);
    expect(sandboxes.made).toHaveLength(2);
  });
});

describe('another policy', () => {
  const next = policyWith(['clerk']);

  test('brings its own extensions; those of the one before go after a while', async () => {
    runner.follow(policy.extensions);
    await runner.settled();
    runner.follow(next.extensions);
    expect((await decision(next)).decision).toBe('allow');
    await time.advance(LINGER_MS - 1);
    expect(sandboxes.living).toBe(2);
    await time.advance(1);
    expect(sandboxes.made.map(({ closedWith }) => closedWith !== null)).toEqual([true, false]);
  });

  test.each([
    ['other extensions', next],
    ['another text under the same name', policyWith(['judge'], '', { ...DIGEST, judge: 'c'.repeat(64) })],
    ['none', policyWith([])],
  ])('with %s leaves requests under way to the extensions that they began with', async (_title, after) => {
    sandboxes.rules = { judge: () => ({ decision: 'require_review' }) };
    const first = Promise.withResolvers<void>();
    sandboxes.answer = (answer) => first.promise.then(() => answer);
    runner.follow(policy.extensions);
    await runner.settled();
    const underWay = [decision(), decision()];
    await settle();
    sandboxes.rules = { judge: () => ({ decision: 'deny' }) };
    runner.follow(after.extensions);
    await runner.settled();
    const late = decision();
    first.resolve();
    expect((await Promise.all(underWay)).map(({ decision: one }) => one)).toEqual(['require_review', 'deny']);
    expect((await late).decision).toBe('deny');
    expect(sandboxes.made[0]?.asked).toHaveLength(3);
    await time.advance(LINGER_MS);
    expect((await decision()).reasons.join()).toMatch(/"judge".*replaced meanwhile/);
    expect(sandboxes.made[0]?.asked).toHaveLength(3);
  });

  test('ends the extensions of the one before the last at once', async () => {
    for (const one of [policy, next, policyWith(['judge', 'clerk'])]) {
      runner.follow(one.extensions);
      await runner.settled();
    }
    await settle();
    expect(sandboxes.made.map(({ closedWith }) => closedWith !== null)).toEqual([true, false, false]);
  });

  test('does not replace those of the one before when they break', async () => {
    runner.follow(policy.extensions);
    await runner.settled();
    runner.follow(next.extensions);
    await runner.settled();
    sandboxes.made[0]?.die('its program ended');
    await settle();
    expect((await decision()).reasons.join()).toMatch(/"judge".*they have been replaced \(its program ended\)/);
    await time.advance(60_000);
    expect(sandboxes.made).toHaveLength(2);
    expect((await decision(next)).decision).toBe('allow');
    expect(failures).toEqual([]);
  });

  test('leaves nothing of a start that was under way', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    sandboxes.starting = promise;
    runner.follow(policy.extensions);
    await settle();
    runner.follow([]);
    await time.advance(LINGER_MS);
    resolve();
    await settle();
    expect(sandboxes.made).toHaveLength(1);
    expect(sandboxes.living).toBe(0);
  });

  test('a request under a policy whose extensions were never loaded is denied', async () => {
    runner.follow(next.extensions);
    await runner.settled();
    expect((await decision(policy)).reasons.join()).toMatch(/"judge".*replaced meanwhile/);
  });

  test('ends the attempts to start the old one', async () => {
    sandboxes.refusing = 'no engine';
    runner.follow(policy.extensions);
    await runner.settled();
    runner.follow([]);
    await time.advance(60_000);
    expect(failures).toHaveLength(1);
  });
});

test('after the end every question is denied, and nothing is left', async () => {
  runner.follow(policy.extensions);
  await runner.settled();
  runner.follow(policyWith(['clerk']).extensions);
  await runner.settled();
  expect(sandboxes.living).toBe(2);
  await runner.close();
  expect(sandboxes.living).toBe(0);
  expect((await decision()).decision).toBe('deny');
});
