/** What a human said to a review. */
export type HumanDecision =
  | { readonly kind: 'approve'; readonly sha256: string; readonly signature: string; readonly publicKey: string }
  | { readonly kind: 'reject'; readonly reason: string };

/** What is waited for: the review of one session, and the digest of exactly what it showed. */
export interface AwaitedReview {
  readonly reviewId: string;
  readonly sessionId: string;
  readonly sha256: string;
}

interface Waiting extends AwaitedReview {
  readonly resolve: (decision: HumanDecision) => void;
}

/**
 * Reviews that a run is waiting for. No answer is no decision: the promise stays open until one comes or the run is aborted. An approval counts only for the
 * session and the digest that were shown, whatever it is validly signed over.
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

  /** `not-waiting`: nobody waits for it here. `mismatch`: it approves something else than was shown, and nothing is decided. */
  decide(reviewId: string, sessionId: string, decision: HumanDecision): 'decided' | 'not-waiting' | 'mismatch' {
    const waiting = this.#waiting.get(reviewId);
    if (waiting === undefined) return 'not-waiting';
    if (waiting.sessionId !== sessionId) return 'mismatch';
    if (decision.kind === 'approve' && decision.sha256 !== waiting.sha256) return 'mismatch';
    waiting.resolve(decision);
    return 'decided';
  }
}
