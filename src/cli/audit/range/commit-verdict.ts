import type { ChangeKind } from '../../../contracts/review/change-kinds.ts';
import type { EvidenceFacts } from '../../../contracts/review/evidence.ts';
import type { GradeLine } from '../../../lib/evidence/grade-lines.ts';
import type { ObjectId, Sha256 } from '../../../contracts/ids.ts';

/**
 * What became of one commit.
 *   verified    its evidence is whole, and proves that the new tests fail without this change and pass with it
 *   unverified  its evidence is whole, and says that this is not proven: no test had to fail first, an observation did not hold, there are findings
 *   unattested  it claims no evidence: made without fluffy, or its trailers were taken out
 *   broken      it claims evidence that does not hold
 */
export const COMMIT_STATUSES = ['verified', 'unverified', 'unattested', 'broken'] as const;
export type CommitStatus = (typeof COMMIT_STATUSES)[number];

/** The checks of a commit, in this order. */
export const CHECKS = [
  'trailers',
  'evidence',
  'envelope',
  'signature',
  'subject',
  'facts',
  'tree',
  'parent',
  'changes',
  'frozen',
  'outcomes',
  'review',
  'approval',
] as const;
export type Check = (typeof CHECKS)[number];

export interface Problem {
  readonly check: Check;
  readonly reason: string;
}

/** What the complete evidence of a commit proves. */
export interface Proof {
  readonly session: string;
  readonly mode: string;
  /** The model with which the session was started. */
  readonly model: string;
  /** Models that answered in the task, the last one last. */
  readonly models: readonly string[];
  /** Cases that failed before the source was written and pass now, and test files frozen from then on. */
  readonly red: { readonly cases: number; readonly frozen: number } | null;
  readonly green: { readonly passed: number; readonly failed: number; readonly skipped: number } | null;
  readonly exemption: string | null;
  /** null for evidence of version 1. */
  readonly kind: ChangeKind | null;
  /** The same as lines for people. */
  readonly grade: readonly GradeLine[];
  /** Why it is not verified; empty if it is. */
  readonly unproven: readonly string[];
  /** null for evidence of version 1, which contains none. */
  readonly observed: EvidenceFacts['proof'] | null;
  readonly decided: { readonly by: 'policy' } | { readonly by: 'human'; readonly key: string };
  /** Fingerprint of the host's key, the head of the audit log it had signed, and its clock. */
  readonly host: {
    readonly key: string;
    readonly project: string;
    readonly entries: number;
    readonly head: Sha256;
    readonly signed_ms: number;
  };
}

export interface CommitVerdict {
  readonly commit: ObjectId;
  readonly subject: string;
  readonly status: CommitStatus;
  /** Digest that the commit claims; null without one. */
  readonly evidence: Sha256 | null;
  readonly proof: Proof | null;
  readonly problems: readonly Problem[];
}
