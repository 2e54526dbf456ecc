import { Buffer } from 'node:buffer';
import { expect, test } from 'vitest';
import type { CapabilityBinding } from '../../../src/contracts/policy.ts';
import { sandboxIdSchema } from '../../../src/contracts/ids.ts';
import { explainBatch } from '../../../src/cli/config/policy/explain/explain-batch.ts';
import type { explainQuery } from '../../../src/cli/config/policy/explain/explain-query.ts';
import { CapabilityStore, decide, loadPolicy, needsExtensions } from '../../../src/kernel/policy/index.ts';
import type { CompiledPolicy, DecisionContext } from '../../../src/kernel/policy/index.ts';
import { SEED_CASES } from '../../policy-cases/seed.ts';
import type { RuleText, SeedCase } from '../../policy-cases/seed.ts';

const ISSUED_AT_MS = 1_000;
const TTL_MS = 30_000;
const HOLDER: CapabilityBinding = {
  sandboxId: sandboxIdSchema.parse('x_aaaaaaaa'),
  connectionId: 'c1',
  peerUid: 1000,
  peerPid: 0,
};

test('every number from 1 to 26 is there', () => {
  const numbers = new Set(SEED_CASES.map((seed) => seed.number));
  expect([...numbers].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 26 }, (_, index) => index + 1));
});

test.each(SEED_CASES)('case $number: $title', (seed) => {
  const { policy, warnings } = load(seed);
  const request = { state: 'idle', mode: 'strict', tags: [], ...seed.request } as const;
  const context = contextOf(seed);
  const decision = decide(policy, request, { ...context, extensionResults: seed.extensions });

  expect(decision.decision).toBe(seed.expect.decision);
  if (seed.expect.byToken !== undefined) expect(decision.byToken).toBe(seed.expect.byToken);
  if (seed.expect.reasons !== undefined) expect(decision.reasons).toEqual(seed.expect.reasons);
  if (seed.expect.warning !== undefined) expect(warnings.join('\n')).toContain(seed.expect.warning);
  const said = Object.fromEntries(decision.rules.map((rule) => [rule.name, rule.action]));
  expect(said).toMatchObject(seed.expect.took_part ?? {});
  for (const name of seed.expect.not_asked ?? []) expect(said).not.toHaveProperty(name);

  const asked = (seed.extensions ?? []).some((extension) => extension.name in said);
  expect(needsExtensions(policy, request, context)).toBe(asked);
});

/** What a line can say: built-in rules are what they are, nobody presents a token, and no extension is run (it counts as abstaining). */
const expressible = SEED_CASES.filter(
  ({ builtins, token, extensions = [], expect: { not_asked = [] } }) =>
    !builtins &&
    !token &&
    extensions.every((one) => (one.kind === 'answered' && one.action === 'pass') || not_asked.includes(one.name)),
);

test('explain --batch is asked each case that a line of it can express', () => {
  const numbers = expressible.map((seed) => seed.number);
  expect(numbers).toEqual([1, 2, 3, 4, 6, 11, 12, 13, 14, 15, 16, 19, 24, 25, 26]);
});

test.each(expressible)('case $number through explain --batch: $title', async (seed) => {
  const { policy } = load(seed);
  const line = Buffer.from(`${JSON.stringify(seed.request)}\n`);
  const answers: ReturnType<typeof explainQuery>[] = [];
  for await (const text of explainBatch(policy, chunks(line), null)) {
    answers.push(JSON.parse(text) as ReturnType<typeof explainQuery>);
  }
  const [answer] = answers;
  if (answer === undefined || answers.length !== 1) throw new Error(`${answers.length} answers to one line`);
  const { decision, reasons, took_part = {}, not_asked = [] } = seed.expect;
  expect(answer).not.toHaveProperty('error');
  expect(answer.decision).toBe(decision);
  if (reasons !== undefined) expect(answer.reasons).toEqual(reasons);
  const said = Object.fromEntries(answer.rules.map((rule) => [rule.name, rule.action]));
  expect(said).toMatchObject(took_part);
  for (const name of not_asked) expect(said).not.toHaveProperty(name);
});

async function* chunks(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

function load(seed: SeedCase): { policy: CompiledPolicy; warnings: string[] } {
  const extensions = (seed.extensions ?? []).map(({ name }) => ({ name, entry: 'rule.ts', sha256: '0'.repeat(64) }));
  const text = seed.rules === null ? '' : JSON.stringify({ capabilities: seed.rules, extensions });
  const builtins = seed.builtins === undefined ? {} : { builtins: builtinsOf(seed.builtins) };
  const loaded = loadPolicy(text, 'case.yaml', builtins);
  if (loaded.kind === 'invalid') throw new Error(loaded.errors.map((error) => error.message).join('\n'));
  return { policy: loaded.policy, warnings: loaded.warnings.map((warning) => warning.message) };
}

function builtinsOf(rules: readonly RuleText[]) {
  const loaded = loadPolicy(JSON.stringify({ capabilities: rules }), 'builtin.yaml', { builtins: [] });
  if (loaded.kind === 'invalid') throw new Error(loaded.errors.map((error) => error.message).join('\n'));
  return loaded.policy.yaml.rules.map((rule) => ({ ...rule, layer: 'builtin' as const }));
}

function contextOf(seed: SeedCase): DecisionContext {
  const { token } = seed;
  if (token === undefined) return { nowMonotonicMs: ISSUED_AT_MS };
  const store = new CapabilityStore(() => 'k1');
  const scope = { syscall: 'fs.write', paths: ['src/**'], state: 'idle', maxOps: 1, ttlMs: TTL_MS } as const;
  const issued = store.issue(scope, HOLDER, ISSUED_AT_MS);
  if (issued.kind === 'refused') throw new Error(issued.reason);
  const presented = { id: issued.capability.id, nonce: issued.capability.nonce, use: 1 };
  if (token === 'exhausted') store.use(presented);
  const otherSandbox = { ...HOLDER, sandboxId: sandboxIdSchema.parse('x_bbbbbbbb') };
  const nowMonotonicMs = {
    valid: ISSUED_AT_MS,
    exhausted: ISSUED_AT_MS,
    wrong_holder: ISSUED_AT_MS,
    expired: ISSUED_AT_MS + TTL_MS + 1,
    at_expiry: ISSUED_AT_MS + TTL_MS,
    just_before_expiry: ISSUED_AT_MS + TTL_MS - 1,
  }[token];
  return { nowMonotonicMs, token: store.claim(presented, token === 'wrong_holder' ? otherSandbox : HOLDER) };
}
