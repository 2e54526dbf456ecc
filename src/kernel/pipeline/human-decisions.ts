/** What a human said to a review. */
export type HumanDecision =
  | { readonly kind: 'approve'; readonly signature: string; readonly publicKey: string }
  | { readonly kind: 'reject'; readonly reason: string };

/** Reviews that a run is waiting for, by id. No answer is no decision: the promise stays open until one comes or the run is aborted. */
export class HumanDecisions {
  readonly #waiting = new Map<string, (decision: HumanDecision) => void>();

  wait(reviewId: string, signal: AbortSignal): Promise<HumanDecision> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#waiting.delete(reviewId);
        reject(signal.reason instanceof Error ? signal.reason : new Error('interrupted'));
      };
      if (signal.aborted) {
        abort();
        return;
      }
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.set(reviewId, (decision) => {
        signal.removeEventListener('abort', abort);
        this.#waiting.delete(reviewId);
        resolve(decision);
      });
    });
  }

  /** Whether somebody was waiting for it. */
  decide(reviewId: string, decision: HumanDecision): boolean {
    const waiting = this.#waiting.get(reviewId);
    waiting?.(decision);
    return waiting !== undefined;
  }
}
