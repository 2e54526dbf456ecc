import type { WaitingReview } from '../../contracts/session/review-requests.ts';
import type { KernelClient } from '../kernel-client/kernel-client.ts';

/** The waiting review of a session (or the newest of all) with its whole diff, page by page if it is too large for one answer. */
export async function wholeReview(
  client: Pick<KernelClient, 'request'>,
  sessionId: string | null,
): Promise<Omit<WaitingReview, 'diff_characters'> | null> {
  const { review } = await client.request('review.get', { session_id: sessionId });
  if (review === null) return null;
  const { diff_characters: length, ...whole } = review;
  if (length === undefined) return whole;
  const { session_id, review_id } = review;
  const pages = [review.diff];
  for (let from = review.diff.length; from < length;) {
    const { text } = await client.request('review.diff', { session_id, review_id, from });
    // A missing part gives another digest, which nobody signs.
    if (text === '') break;
    pages.push(text);
    from += text.length;
  }
  return { ...whole, diff: pages.join('') };
}
