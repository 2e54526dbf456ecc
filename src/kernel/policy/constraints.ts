import type { AllowConstraints, PolicyDecision, PolicyRequest } from '../../contracts/policy.ts';

/** What is known when constraints are checked. An absent field is not known yet. */
export interface ConstraintFacts {
  /** Size of the resulting file; 0 if no file is written. */
  readonly sizeBytes?: number | undefined;
  /** null: no sandbox is used. */
  readonly template?: PolicyRequest['template'] | null;
  readonly hasToken?: boolean | undefined;
}

/** For an action of the kernel itself that writes no file. */
export const IN_KERNEL: ConstraintFacts = { template: null, hasToken: false, sizeBytes: 0 };

/** `open`: the constraints that the facts do not decide yet; null if all are decided. */
export type HeldConstraints =
  | { readonly kind: 'held'; readonly open: AllowConstraints | null }
  | { readonly kind: 'broken'; readonly reason: string; readonly open: null };

/**
 * Checks constraints against the facts. An allow counts only while its constraints can hold. So adding an allow never
 * forbids anything, and removing one never permits anything, whatever its constraints are.
 */
export function holdConstraints(constraints: AllowConstraints, facts: ConstraintFacts): HeldConstraints {
  const { maxFileSizeBytes, requireSandbox, requireCapabilityToken } = constraints;
  const broken = (reason: string): HeldConstraints => ({ kind: 'broken', reason, open: null });
  let open: AllowConstraints | null = null;

  if (maxFileSizeBytes !== undefined) {
    if (facts.sizeBytes === undefined) open = { maxFileSizeBytes };
    else if (facts.sizeBytes > maxFileSizeBytes) {
      return broken(`the file would have ${facts.sizeBytes} bytes, more than the ${maxFileSizeBytes} that it allows`);
    }
  }
  if (requireSandbox !== undefined) {
    if (facts.template === undefined) open = { ...open, requireSandbox };
    else if (facts.template === null) return broken('it allows this in a sandbox only, and this is done in none');
    else if (requireSandbox !== 'L2' && requireSandbox !== facts.template) {
      return broken(`it allows this in the sandbox ${requireSandbox} only, not in ${facts.template}`);
    }
  }
  if (requireCapabilityToken === true) {
    if (facts.hasToken === undefined) open = { ...open, requireCapabilityToken };
    else if (!facts.hasToken) return broken('it allows this with a capability token only');
  }
  return { kind: 'held', open };
}

/**
 * Checks an allowed operation after its facts are known. Returns an empty list if it meets the constraints of one rule
 * that allowed it, otherwise one sentence for each rule. A missing fact counts as not met.
 */
export function unmetConstraints(alternatives: readonly AllowConstraints[], facts: ConstraintFacts): readonly string[] {
  const reasons: string[] = [];
  for (const constraints of alternatives) {
    const held = holdConstraints(constraints, { ...facts, hasToken: facts.hasToken ?? false });
    if (held.kind === 'held' && held.open === null) return [];
    reasons.push(held.kind === 'broken' ? held.reason : `not known: ${Object.keys(held.open ?? {}).join(', ')}`);
  }
  return reasons;
}

/**
 * The decision with these facts: an allow whose constraints are not met becomes a deny, and a review is then not
 * needed.
 */
export function heldTo(decision: PolicyDecision, facts: ConstraintFacts): PolicyDecision {
  if (decision.decision === 'deny') return decision;
  const reasons = unmetConstraints(decision.constraints, facts);
  return reasons.length === 0 ? decision : { ...decision, decision: 'deny', reasons };
}
