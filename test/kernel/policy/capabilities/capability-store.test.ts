import { describe, expect, test } from 'vitest';
import { sandboxIdSchema } from '../../../../src/contracts/ids.ts';
import type { CapabilityBinding, CapabilityScope, PolicyRequest } from '../../../../src/contracts/policy.ts';
import { checkCapability } from '../../../../src/kernel/policy/capabilities/check-capability.ts';
import { CapabilityStore, authorize, exactPathGlob, loadPolicy } from '../../../../src/kernel/policy/index.ts';
import { toSubject } from '../../../../src/kernel/policy/rules/match-condition.ts';

const HOLDER: CapabilityBinding = {
  sandboxId: sandboxIdSchema.parse('x_aaaaaaaa'),
  connectionId: 'c1',
  peerUid: 1000,
  peerPid: 77,
};
const SCOPE: CapabilityScope = {
  syscall: 'fs.write',
  paths: ['src/**'],
  state: 'code_writing',
  maxOps: 3,
  ttlMs: 30_000,
};
const REQUEST: PolicyRequest = {
  syscall: 'fs.write',
  path: 'src/a.ts',
  state: 'code_writing',
  mode: 'strict',
  tags: [],
};

/** Nothing is allowed but by a capability. */
const loaded = loadPolicy('capabilities: []', 'p');
if (loaded.kind === 'invalid') throw new Error('invalid');
const { policy } = loaded;

function setUp(scope: Partial<CapabilityScope> = {}) {
  let ids = 0;
  const store = new CapabilityStore(() => `k${(ids += 1)}`);
  const issued = store.issue({ ...SCOPE, ...scope }, HOLDER, 1_000);
  if (issued.kind === 'refused') throw new Error(issued.reason);
  const { capability } = issued;
  let uses = 0;
  const ask = (
    change: {
      request?: Partial<PolicyRequest>;
      by?: Partial<CapabilityBinding>;
      at?: number;
      use?: number;
      nonce?: number;
    } = {},
  ) =>
    authorize(
      policy,
      store,
      { ...REQUEST, ...change.request },
      {
        nowMonotonicMs: change.at ?? 1_000,
        presented: { id: capability.id, nonce: change.nonce ?? capability.nonce, use: change.use ?? (uses += 1) },
        by: { ...HOLDER, ...change.by },
      },
    );
  return { store, capability, ask };
}

test('a capability allows what it covers, as often as it says and no more', () => {
  const { ask } = setUp();
  expect([ask(), ask(), ask(), ask()].map((decision) => decision.decision)).toEqual([
    'allow',
    'allow',
    'allow',
    'deny',
  ]);
});

describe('it opens nothing', () => {
  test.each([
    ['to another sandbox', { by: { sandboxId: sandboxIdSchema.parse('x_bbbbbbbb') } }, 'wrong_holder'],
    ['on another connection of the same sandbox', { by: { connectionId: 'c2' } }, 'wrong_holder'],
    ['to another user', { by: { peerUid: 1001 } }, 'wrong_holder'],
    ['to a process that has another id', { by: { peerPid: 78 } }, 'wrong_holder'],
    ['to a process whose id is no longer visible', { by: { peerPid: null } }, 'wrong_holder'],
    ['at the instant it expires', { at: 31_000 }, 'expired'],
    ['when the clock is set back before its issue', { at: 999 }, 'expired'],
    ['with a nonce that was made up', { nonce: 99 }, 'wrong_nonce'],
    ['for another syscall', { request: { syscall: 'fs.delete' } }, 'out_of_scope'],
    ['for a path outside of its globs', { request: { path: 'test/a.ts' } }, 'out_of_scope'],
    ['for no path where it names some', { request: { path: undefined } }, 'out_of_scope'],
    ['in another state', { request: { state: 'test_writing' } }, 'wrong_state'],
  ] as const)('%s', (_, change, refusal) => {
    const { ask } = setUp();
    const decision = ask(change);
    expect(decision).toMatchObject({ decision: 'deny', byToken: false });
    expect(decision.warnings).toContainEqual(expect.stringContaining(refusal));
    expect(ask().decision).toBe('allow');
  });
});

test('it still holds one millisecond before it expires', () => {
  expect(setUp().ask({ at: 30_999 }).decision).toBe('allow');
});

test('a use that was seen can not be sent again, nor an earlier one', () => {
  const { ask } = setUp();
  expect(ask({ use: 5 }).decision).toBe('allow');
  expect(ask({ use: 5 }).warnings).toContainEqual(expect.stringContaining('replayed'));
  expect(ask({ use: 4 }).decision).toBe('deny');
  expect(ask({ use: 6 }).decision).toBe('allow');
});

test('what is used up holds neither on record nor off it', () => {
  const { store, capability, ask } = setUp({ maxOps: 2 });
  const presented = { id: capability.id, nonce: capability.nonce, use: 9 };
  const { record } = store.claim(presented, HOLDER);
  if (record === null) throw new Error('there is no record');
  const usedUp = { record: { ...record, usedOps: 2 }, presented, by: HOLDER };
  expect(
    checkCapability(
      usedUp,
      toSubject(REQUEST, () => new Set()),
      1_000,
    ),
  ).toEqual({ kind: 'refused', refusal: 'exhausted' });
  ask();
  expect(store.claim(presented, HOLDER).record).toMatchObject({ usedOps: 1, lastUse: 1 });
  ask();
  expect(store.claim(presented, HOLDER).record).toBeNull();
});

test('a hundred calls at once get no more than maxOps', async () => {
  const { ask } = setUp({ maxOps: 7 });
  const decisions = await Promise.all(Array.from({ length: 100 }, async () => Promise.resolve().then(() => ask())));
  expect(decisions.filter((decision) => decision.decision === 'allow')).toHaveLength(7);
});

test('built-in rules bind the holder of a capability too', () => {
  const { ask } = setUp({ paths: ['**'] });
  expect(ask({ request: { path: '.fluffy/policy.yaml' } }).decision).toBe('deny');
  expect(ask({ request: { path: '.git/hooks/pre-commit' } }).decision).toBe('deny');
  expect(ask({ request: { path: '../outside' } }).decision).toBe('deny');
});

test('a use that a built-in rule denied is not counted', () => {
  const { ask } = setUp({ paths: ['**'], maxOps: 1 });
  expect(ask({ request: { path: '.fluffy/x' } }).decision).toBe('deny');
  expect(ask().decision).toBe('allow');
});

test('a human is asked although a capability holds, and that use is not counted', () => {
  const { ask } = setUp({ syscall: 'policy.update', paths: [], maxOps: 1 });
  const request = { syscall: 'policy.update', path: undefined };
  expect([ask({ request }), ask({ request })]).toMatchObject([
    { decision: 'require_review', byToken: false, warnings: [] },
    { decision: 'require_review', byToken: false, warnings: [] },
  ]);
});

test('a capability without paths covers calls without a path, and no others', () => {
  const { ask } = setUp({ syscall: 'test.run', paths: [] });
  expect(ask({ request: { syscall: 'test.run', path: 'a' } }).decision).toBe('deny');
  expect(ask({ request: { syscall: 'test.run', path: undefined } }).decision).toBe('allow');
});

test('what is revoked or used up is gone, what is left stays, and no nonce comes twice', () => {
  const { store, capability, ask } = setUp();
  const other = store.issue(SCOPE, HOLDER, 1_000);
  if (other.kind === 'refused') throw new Error(other.reason);
  expect(store.revoke(capability.id)).toEqual(capability);
  expect(store.revoke(capability.id)).toBeNull();
  expect(ask().warnings).toContainEqual(expect.stringContaining('unknown'));
  const { id, nonce } = other.capability;
  expect(store.claim({ id, nonce, use: 1 }, HOLDER).record).not.toBeNull();
  expect(nonce).toBeGreaterThan(capability.nonce);
});

test.each([
  ['no operation', { maxOps: 0 }],
  ['a fraction of one', { maxOps: 1.5 }],
  ['any number of them', { maxOps: Infinity }],
  ['no time', { ttlMs: 0 }],
  ['a time that is no number', { ttlMs: Number.NaN }],
  ['a day', { ttlMs: 86_400_000 }],
  ['a pattern that is refused', { paths: ['src/{a,b}'] }],
])('a capability for %s is not issued', (_, change) => {
  const store = new CapabilityStore(() => 'k');
  expect(store.issue({ ...SCOPE, ...change }, HOLDER, 0).kind).toBe('refused');
});

test('a scope holds the longest path that there is', () => {
  const path = `${'(a'.repeat(2_000)}/x`;
  const store = new CapabilityStore(() => 'k');
  const scope = { ...SCOPE, paths: [exactPathGlob(path)] };
  expect(store.issue(scope, HOLDER, 0)).toMatchObject({ kind: 'ok' });
});

test('an id that comes up twice is not issued again: it would stand for two capabilities', () => {
  const store = new CapabilityStore(() => 'k');
  expect(store.issue(SCOPE, HOLDER, 0)).toMatchObject({ kind: 'ok' });
  expect(() => store.issue(SCOPE, HOLDER, 0)).toThrow('a capability id came up twice');
});
