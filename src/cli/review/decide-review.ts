import type { UserDirs } from '../../contracts/host-layout.ts';
import type { RequestResult } from '../../contracts/session-protocol.ts';
import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { approvalKey, signApproval } from '../../host/signer/index.ts';
import { reviewDigest } from '../../lib/review-digest.ts';
import type { KernelClient } from '../kernel-client/kernel-client.ts';

export type HumanChoice = { readonly kind: 'approve' } | { readonly kind: 'reject'; readonly reason: string };

/**
 * Decides the waiting review of a session with the human's own key. The digest that is signed is computed here, over what was received and shown,
 * not taken from the kernel. Throws FluffyError `nothing_to_review`, `review_mismatch`.
 */
export async function decideReview(
  client: KernelClient,
  user: UserDirs,
  sessionId: string | null,
  choice: HumanChoice,
): Promise<RequestResult<'review.decide'>> {
  const { review } = await client.request('review.get', { session_id: sessionId });
  if (review === null) throw nothingWaits();
  const { session_id, review_id, base, message, diff } = review;
  const sha256 = reviewDigest({ session_id, base, message, diff });
  if (sha256 !== review.sha256) throw mismatch(review_id);
  const decision =
    choice.kind === 'reject'
      ? choice
      : {
          kind: 'approve' as const,
          ...signApproval(
            await approvalKey(user, () => Promise.resolve(process.env['FLUFFY_PASSPHRASE'] ?? null)),
            sha256,
          ),
        };
  return client.request('review.decide', { session_id, review_id, decision });
}

export function nothingWaits(): FluffyError {
  return new FluffyError({
    code: 'nothing_to_review',
    what: 'No review waits',
    why: 'Every change has been decided',
    fix: 'Nothing to do; fluffy session list shows what there is',
    exitCode: EXIT.usage,
  });
}

function mismatch(id: string): FluffyError {
  return new FluffyError({
    code: 'review_mismatch',
    what: `Review ${id} was not approved`,
    why: 'What the kernel shows is not what it asks to be signed',
    fix: 'Do not approve it. Run fluffy audit verify and fluffy doctor',
    exitCode: EXIT.decisionNeeded,
  });
}
