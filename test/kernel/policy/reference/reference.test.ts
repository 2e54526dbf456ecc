import { expect, test } from 'vitest';
import type { PolicyRequest } from '../../../../src/contracts/policy.ts';
import { decide, loadPolicy } from '../../../../src/kernel/policy/index.ts';
import type { CompiledPolicy } from '../../../../src/kernel/policy/index.ts';
import { SeededRandom } from '../seeded-random.ts';
import { randomClasses, randomRequest, randomRules } from './generate-policy.ts';
import { referenceDecision } from './reference-decision.ts';
import type { ReferenceClasses, ReferenceRule } from './reference-decision.ts';

const PAIRS = process.env['FLUFFY_SOAK'] === '1' ? 1_000_000 : 20_000;
const REQUESTS_PER_POLICY = 25;
const SEED = Number(process.env['FLUFFY_SEED'] ?? 4);

function compile(rules: readonly ReferenceRule[], classes: ReferenceClasses = {}): CompiledPolicy {
  const { test = [], docs = [], other = [], source = [], sensitive = [] } = classes;
  const workspace = { test_globs: test, docs_globs: docs, other_globs: other, source_globs: source };
  const document = { capabilities: rules, workspace, review: { sensitive_globs: sensitive } };
  const loaded = loadPolicy(JSON.stringify(document), 'generated.yaml', { builtins: [] });
  if (loaded.kind === 'invalid') throw new Error(`${JSON.stringify(rules)}: ${JSON.stringify(loaded.errors)}`);
  return loaded.policy;
}

const verdict = (policy: CompiledPolicy, request: PolicyRequest) => decide(policy, request, { nowMonotonicMs: 0 });

test(
  `${PAIRS} generated policies and requests: engine and reference agree (seed ${SEED})`,
  { timeout: 3_600_000 },
  () => {
    const random = new SeededRandom(SEED);
    const count = { allow: 0, deny: 0, require_review: 0, byRule: 0 };
    for (let pair = 0; pair < PAIRS; pair += REQUESTS_PER_POLICY) {
      const rules = randomRules(random);
      const classes = randomClasses(random);
      const policy = compile(rules, classes);
      for (let index = 0; index < REQUESTS_PER_POLICY; index += 1) {
        const request = randomRequest(random);
        const expected = referenceDecision(rules, request, classes);
        const actual = verdict(policy, request as PolicyRequest);
        const reasons = expected.reasons.size === 0 ? new Set<string>() : new Set(actual.reasons);
        if (actual.decision !== expected.decision || !sameSet(reasons, expected.reasons)) {
          expect({ rules, classes, request, decision: actual.decision, reasons }).toEqual({
            rules,
            classes,
            request,
            ...expected,
          });
        }
        count[expected.decision] += 1;
        if (expected.reasons.size > 0) count.byRule += 1;
      }
    }
    // Every outcome is common, and most denials have a rule of their own.
    expect(Math.min(count.allow, count.deny, count.require_review)).toBeGreaterThan(PAIRS / 50);
    expect(count.byRule).toBeGreaterThan(PAIRS / 4);
  },
);

const STRICTNESS = { deny: 0, require_review: 1, allow: 2 } as const;

test(`what must hold whatever the rules are (seed ${SEED})`, { timeout: 600_000 }, () => {
  const random = new SeededRandom(SEED + 1);
  for (let round = 0; round < PAIRS / 100; round += 1) {
    const rules = randomRules(random);
    const policy = compile(rules);
    const shuffled = compile(random.shuffle(rules));
    const removed = random.below(Math.max(1, rules.length));
    const without = rules.filter((_, index) => index !== removed);
    const smaller = compile(without);
    const passing = compile([...rules, { ...(rules[removed] ?? deny('p')), name: 'neutral', action: 'pass' }]);
    const stricter = compile([...rules, { ...(rules[removed] ?? deny('d')), name: 'extra', action: 'deny' }]);
    const closed = compile([...rules, deny('closes')]);
    for (let index = 0; index < 10; index += 1) {
      const request = randomRequest(random) as PolicyRequest;
      const before = verdict(policy, request);
      expect(verdict(shuffled, request)).toEqual(before);
      expect(verdict(passing, request).decision).toBe(before.decision);
      expect(STRICTNESS[verdict(stricter, request).decision]).toBeLessThanOrEqual(STRICTNESS[before.decision]);
      if (request.path !== undefined) expect(verdict(closed, request).decision).toBe('deny');
      const after = STRICTNESS[verdict(smaller, request).decision];
      if (rules[removed]?.action === 'allow') expect(after).toBeLessThanOrEqual(STRICTNESS[before.decision]);
      if (rules[removed]?.action === 'pass') expect(after).toBe(STRICTNESS[before.decision]);
    }
  }
});

function sameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((value) => b.has(value));
}

function deny(name: string): ReferenceRule {
  return { name, match: { path_glob: ['**'] }, except: [], action: 'deny', reason: name };
}
