import { createUnifiedDiff } from '../../../lib/diff/unified-diff.ts';
import { reviewDigest } from '../../../lib/review-digest.ts';
import type { UpdatePlan } from './plan-update.ts';

/** Used in a review in place of a session id: a policy belongs to no session. */
export const POLICY_REVIEW = 'policy.update';

/** A new policy and the one that it would replace. Hashes are SHA-256, 64 hexadecimal digits. */
export interface ProposedText {
  /** The project-relative name of the file. */
  readonly file: string;
  /** null: the project has no policy of its own. */
  readonly before: { readonly text: string; readonly sha256: string } | null;
  readonly after: { readonly text: string; readonly sha256: string };
  /** Hashes of the whole policies, including the shipped part. */
  readonly inForce: { readonly before: string; readonly after: string };
  readonly plan: UpdatePlan;
  readonly replayed: number;
}

export interface PolicyReview {
  readonly session_id: typeof POLICY_REVIEW;
  readonly base: string;
  readonly message: string;
  readonly diff: string;
  readonly sha256: string;
}

/** The value of `base` without a text to replace. */
export const NO_POLICY = 'none';

/**
 * The review that a person decides about. Its digest covers the replaced text, the new text, both policies as a whole,
 * and the results that were shown to change. Pure, so that anyone with both texts can recompute and compare it.
 */
export function policyReview(proposed: ProposedText): PolicyReview {
  const { file, before, after, inForce, plan, replayed } = proposed;
  const base = before?.sha256 ?? NO_POLICY;
  const message = [
    `policy.update ${file}`,
    `text ${base} -> ${after.sha256}`,
    `policy ${inForce.before} -> ${inForce.after}`,
    plan.lines.length === 0
      ? `None of the last ${replayed} requests would be answered otherwise, and nothing is lost.`
      : `What changes, with the last ${replayed} requests and a fixed set of others (${plan.breaking} breaking, ${plan.opened} opened):`,
    ...plan.lines.map((line) => `  ${line}`),
  ].join('\n');
  const diff = createUnifiedDiff(file, before?.text ?? '', after.text);
  const shown = {
    session_id: POLICY_REVIEW,
    base,
    message: message.toWellFormed(),
    diff: diff.toWellFormed(),
  } as const;
  return { ...shown, sha256: reviewDigest(shown) };
}
