import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { EXIT } from '../../../contracts/exit-codes.ts';
import { FluffyError } from '../../../contracts/fluffy-error.ts';
import { MAX_POLICY_CHARACTERS } from '../../../contracts/session/policy-requests.ts';
import type { RequestResult } from '../../../contracts/session/session-protocol.ts';
import { createUnifiedDiff } from '../../../lib/diff/unified-diff.ts';
import { reviewDigest } from '../../../lib/review-digest.ts';
import { PROJECT_POLICY } from '../../../kernel/policy-source/read-policy-text.ts';
import type { KernelClient } from '../../kernel-client/kernel-client.ts';
import type { PolicyBase, PolicyUpdater, Proposal, ProposedUpdate, TakenUp } from './propose-update.ts';

/** `lost` must resolve as soon as the connection is lost: a proposal belongs to its connection, and a restarted kernel does not know it. */
export type PolicyKernel = Pick<KernelClient, 'request' | 'close' | 'lost'>;

/** How long to wait for the kernel to record a rejection. The proposal ends with the connection in any case. */
const REJECT_WITHIN_MS = 500;

/** Signs a digest with the person's own key; called only after the person has confirmed. */
export type SignDigest = (sha256: string) => Promise<{
  readonly sha256: string;
  readonly signature: string;
  readonly public_key: string;
}>;

type Proposed = Extract<RequestResult<'policy.update'>, { kind: 'proposed' }>;

/** Uses `policy.update` of the running kernel: the kernel checks, replays, records and applies the new policy; the person's side signs and writes. */
export function updaterThroughKernel(kernel: PolicyKernel, sign: SignDigest): PolicyUpdater {
  return {
    propose: async (base, text): Promise<Proposal> => {
      if (text.length > MAX_POLICY_CHARACTERS) return tooLong();
      const result = await kernel.request('policy.update', { base: (base?.sha256 ?? null) as never, text });
      if (result.kind !== 'proposed') return result;
      checkShown(result, base, text);
      return { kind: 'proposed', update: updateOf(kernel, sign, result) };
    },
    close: () => kernel.close(),
  };
}

function updateOf(kernel: PolicyKernel, sign: SignDigest, proposed: Proposed): ProposedUpdate {
  const { review, warnings, replayed, breaking, changes, phrase } = proposed;
  const { review_id } = review;
  return {
    warnings,
    replayed,
    breaking,
    changes,
    phrase,
    approve: async () => {
      const decision = { kind: 'approve' as const, ...(await sign(review.sha256)), phrase };
      const result = await kernel.request('policy.decide', { review_id, decision });
      if (result.kind === 'rejected') throw new Error('an approval that was taken for a no');
      return result;
    },
    reject: async (reason) => {
      const recorded = kernel.request('policy.decide', { review_id, decision: { kind: 'reject', reason } });
      await Promise.race([recorded.catch(() => null), kernel.lost, sleep(REJECT_WITHIN_MS, null, { ref: false })]);
    },
    takeUp: () => reloadThrough(kernel, review_id),
    gone: kernel.lost,
  };
}

/** Makes the kernel read the files. A change that it misses now is found at its next start, or before its next message. */
export async function reloadThrough(
  kernel: Pick<PolicyKernel, 'request' | 'lost'>,
  reviewId: string | null,
): Promise<TakenUp> {
  const lost = kernel.lost.then(() => 'kernel-lost' as const);
  const taken = kernel.request('policy.reload', { review_id: reviewId }).then(
    () => 'now' as const,
    (error: unknown) => (error instanceof FluffyError && error.code === 'kernel_lost' ? 'kernel-lost' : 'not-yet'),
  );
  return Promise.race([taken, lost]);
}

/** The first four lines are fixed; then follows one line for each changed result. */
function changesIn(message: string): readonly string[] {
  return message
    .split('\n')
    .slice(4)
    .map((line) => line.trim());
}

/** A text over the limit of a request would be refused as malformed. */
function tooLong(): Proposal {
  const message = `the text has more than ${MAX_POLICY_CHARACTERS} characters, and a running kernel takes no more`;
  return {
    kind: 'invalid',
    errors: [{ file: PROJECT_POLICY, line: 1, column: 1, message, severity: 'error' }],
    warnings: [],
  };
}

/** The review must be exactly the change from the base text to the text that was written here. */
function checkShown({ review, changes }: Proposed, base: PolicyBase, text: string): void {
  const { session_id, message, diff, sha256 } = review;
  const own = createHash('sha256').update(text, 'utf8').digest('hex');
  const before = base?.sha256 ?? 'none';
  const same =
    review.base === before &&
    message.split('\n')[1] === `text ${before} -> ${own}` &&
    diff === createUnifiedDiff(PROJECT_POLICY, base?.text ?? '', text).toWellFormed() &&
    isDeepStrictEqual(changes, changesIn(message)) &&
    sha256 === reviewDigest({ session_id, base: review.base, message, diff });
  if (same) return;
  throw new FluffyError({
    code: 'review_mismatch',
    what: 'The change of policy was not approved',
    why: 'The kernel requests a signature for something other than it shows',
    fix: 'End the sessions of this project, then edit the policy again',
    exitCode: EXIT.decisionNeeded,
  });
}
