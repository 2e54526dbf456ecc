import type { EditedFile } from '../../contracts/session/review-requests.ts';

/** A person's decision about a review. */
export type HumanDecision =
  | { readonly kind: 'approve'; readonly sha256: string; readonly signature: string; readonly publicKey: string }
  | {
      readonly kind: 'reject';
      readonly reason: string;
      /** The person's own version of files of the commit. */
      readonly edits?: readonly EditedFile[] | undefined;
      /** The person requests tests for the change first. */
      readonly tests?: true | undefined;
    };

/** A review that a run waits for: its session, and the digest of exactly what was shown. */
export interface AwaitedReview {
  readonly reviewId: string;
  readonly sessionId: string;
  readonly sha256: string;
}

interface Waiting extends AwaitedReview {
  readonly resolve: (decision: HumanDecision) => void;
}

/**
 * Reviews that runs wait for. Without an answer nothing is decided: the promise stays pending until a decision arrives
 * or the run is aborted. An approval counts only for the session and the digest that were shown, even if it has a valid
 * signature of something else.
 */
export class HumanDecisions {
  readonly #waiting = new Map<string, Waiting>();

  wait(review: AwaitedReview, signal: AbortSignal): Promise<HumanDecision> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#waiting.delete(review.reviewId);
        reject(signal.reason instanceof Error ? signal.reason : new Error('interrupted'));
      };
      if (signal.aborted) {
        abort();
        return;
      }
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.set(review.reviewId, {
        ...review,
        resolve: (decision) => {
          signal.removeEventListener('abort', abort);
          this.#waiting.delete(review.reviewId);
          resolve(decision);
        },
      });
    });
  }

  /**
   * `not-waiting`: no run waits for this review. `mismatch`: the approval is for something other than what was shown;
   * nothing is decided.
   */
  decide(reviewId: string, sessionId: string, decision: HumanDecision): 'decided' | 'not-waiting' | 'mismatch' {
    const waiting = this.#waiting.get(reviewId);
    if (waiting === undefined) return 'not-waiting';
    if (waiting.sessionId !== sessionId) return 'mismatch';
    if (decision.kind === 'approve' && decision.sha256 !== waiting.sha256) return 'mismatch';
    waiting.resolve(decision);
    return 'decided';
  }
}
