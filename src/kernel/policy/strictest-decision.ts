import type { PolicyDecision } from '../../contracts/policy.ts';

const STRICTNESS = { deny: 0, require_review: 1, allow: 2 } as const;

/**
 * The decision for a call with several paths: the strictest of theirs, with the reasons of all equally strict ones.
 * Constraints are left out because each belongs to one path; `unmetConstraints` is called for each decision separately.
 */
export function strictestDecision(
  decisions: readonly [PolicyDecision, ...PolicyDecision[]],
): Omit<PolicyDecision, 'constraints'> {
  const strictest = decisions.reduce((one, other) =>
    STRICTNESS[other.decision] < STRICTNESS[one.decision] ? other : one,
  );
  const { decision, rules } = strictest;
  return {
    decision,
    rules,
    byToken: decisions.every((one) => one.byToken),
    reasons: [...new Set(decisions.filter((one) => one.decision === decision).flatMap((one) => one.reasons))],
    warnings: [...new Set(decisions.flatMap((one) => one.warnings))],
  };
}
