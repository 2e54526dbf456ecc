import type { AllowConstraints, PolicyDecision, PolicyRequest } from '../../contracts/policy.ts';

/** What is known when constraints are checked. What is left out is not known yet. */
export interface ConstraintFacts {
  /** Of the file as it would be; 0 where none is written. */
  readonly sizeBytes?: number | undefined;
  /** null: it is done in no sandbox. */
  readonly template?: PolicyRequest['template'] | null;
  readonly hasToken?: boolean | undefined;
}

/** Of what the kernel does by itself, which writes no file. */
export const IN_KERNEL: ConstraintFacts = { template: null, hasToken: false, sizeBytes: 0 };

/** `open` are the constraints that the facts do not settle yet; null if none. */
export type HeldConstraints =
  | { readonly kind: 'held'; readonly open: AllowConstraints | null }
  | { readonly kind: 'broken'; readonly reason: string; readonly open: null };

/**
 * An allow counts only while its constraints can hold: so adding an allow never forbids, and removing one never permits, whatever
 * the constraints on it.
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
 * Whether an allowed operation, now that it is known, keeps to what it was allowed for. Empty: it does. Otherwise why not, one sentence
 * for each rule that allowed it. A fact that is still missing counts against it.
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

/** The decision once this is known of the operation: an allow that it does not keep to is none, and there is nothing to ask about then. */
export function heldTo(decision: PolicyDecision, facts: ConstraintFacts): PolicyDecision {
  if (decision.decision === 'deny') return decision;
  const reasons = unmetConstraints(decision.constraints, facts);
  return reasons.length === 0 ? decision : { ...decision, decision: 'deny', reasons };
}
