import type { UserDirs } from '../../contracts/host-layout.ts';
import type { RequestResult } from '../../contracts/session/session-protocol.ts';
import type { EditedFile, WaitingReview } from '../../contracts/session/review-requests.ts';
import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { approvalKey, signApproval } from '../../host/signer/index.ts';
import { reviewDigest } from '../../lib/review-digest.ts';
import { wholeReview } from './whole-review.ts';
import type { KernelClient } from '../kernel-client/kernel-client.ts';

export type HumanChoice =
  | { readonly kind: 'approve' }
  | {
      readonly kind: 'reject';
      readonly reason: string;
      readonly edits?: readonly EditedFile[] | undefined;
      readonly tests?: true | undefined;
    };

/**
 * Decides the waiting review of a session with the person's own key. The digest to sign is computed here from what was received and shown, not taken
 * from the kernel. `beforeApproval` gets what would be signed, and prevents it by throwing. Throws FluffyError `nothing_to_review`,
 * `review_mismatch`, `tests_cannot_follow`.
 */
export async function decideReview(
  client: KernelClient,
  user: UserDirs,
  sessionId: string | null,
  choice: HumanChoice,
  beforeApproval: (review: WaitingReview) => Promise<void> = () => Promise.resolve(),
): Promise<RequestResult<'review.decide'>> {
  const review = await wholeReview(client, sessionId);
  if (review === null) throw nothingWaits();
  if (choice.kind === 'approve') await beforeApproval(review);
  else if (choice.tests === true && review.facts?.tests_can_follow !== true) throw testsCannotFollow();
  return decide(client, user, review, choice);
}

/** The review as it was shown on the screen, from `review.requested`. */
export interface ShownReview {
  readonly review_id: string;
  readonly kind: WaitingReview['kind'];
  readonly message: string;
  readonly diff: string;
  readonly sha256: string;
}

/**
 * Decides a review that is on the screen: the digest to sign is computed from exactly the strings that were shown. Only the commit that it is
 * based on is requested from the kernel, and only for a review of a commit. Throws FluffyError `nothing_to_review`, `review_mismatch`.
 */
export async function decideShownReview(
  client: Pick<KernelClient, 'request'>,
  user: UserDirs,
  sessionId: string,
  shown: ShownReview,
  choice: HumanChoice,
): Promise<RequestResult<'review.decide'>> {
  const base = shown.kind === 'merge' ? await baseOf(client, sessionId, shown, choice) : '';
  return decide(client, user, { session_id: sessionId, base, ...shown }, choice);
}

async function baseOf(
  client: Pick<KernelClient, 'request'>,
  sessionId: string,
  shown: ShownReview,
  choice: HumanChoice,
): Promise<string> {
  const { review } = await client.request('review.get', { session_id: sessionId });
  if (review?.review_id !== shown.review_id) throw nothingWaits();
  if (choice.kind === 'approve' && review.diff_characters !== undefined && review.diff_characters > shown.diff.length)
    throw mismatch(shown.review_id, 'Its diff is too large for the screen, which showed only the beginning');
  return review.base;
}

async function decide(
  client: Pick<KernelClient, 'request'>,
  user: UserDirs,
  review: Pick<WaitingReview, 'session_id' | 'review_id' | 'base' | 'message' | 'diff' | 'sha256'>,
  choice: HumanChoice,
): Promise<RequestResult<'review.decide'>> {
  const { session_id, review_id, base, message, diff } = review;
  const sha256 = reviewDigest({ session_id, base, message, diff });
  if (choice.kind === 'approve' && sha256 !== review.sha256) throw mismatch(review_id);
  const decision =
    choice.kind === 'reject'
      ? { kind: 'reject' as const, reason: choice.reason, tests: choice.tests, ...editsOf(choice) }
      : {
          kind: 'approve' as const,
          ...signApproval(
            await approvalKey(user, () => Promise.resolve(process.env['FLUFFY_PASSPHRASE'] ?? null)),
            sha256,
          ),
        };
  return client.request('review.decide', { session_id, review_id, decision });
}

function editsOf({ edits }: Extract<HumanChoice, { kind: 'reject' }>): { edits?: EditedFile[] } {
  return edits === undefined ? {} : { edits: [...edits] };
}

export function nothingWaits(): FluffyError {
  return new FluffyError({
    code: 'nothing_to_review',
    what: 'No review is waiting',
    why: 'No session has a commit that waits for a decision',
    fix: 'fluffy session list shows the sessions; continue staged work with fluffy --resume ID',
    exitCode: EXIT.usage,
  });
}

function testsCannotFollow(): FluffyError {
  return new FluffyError({
    code: 'tests_cannot_follow',
    what: 'No tests can be requested for this review',
    why: 'Only a change of explore or debug mode can get its tests afterwards; in strict mode they came first',
    fix: 'Decide about it with fluffy review --approve, or say what is missing with fluffy review --reject "reason"',
    exitCode: EXIT.usage,
  });
}

export function mismatch(
  id: string,
  why = 'The kernel requests a signature for something other than it shows',
): FluffyError {
  return new FluffyError({
    code: 'review_mismatch',
    what: `Review ${id} was not approved`,
    why,
    fix: 'Look again with fluffy review, and approve only what it shows',
    exitCode: EXIT.decisionNeeded,
  });
}
