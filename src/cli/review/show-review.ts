import { escapeTerminal } from '../../lib/escape-terminal.ts';

interface Shown {
  readonly session_id: string;
  readonly review_id: string;
  readonly risk: string;
  readonly reasons: readonly string[];
  readonly base: string;
  readonly message: string;
  readonly diff: string;
  readonly sha256: string;
}

/** A waiting review for people, with everything that an approval is a signature over. */
export function showReview(review: Shown): string {
  const safe = (text: string) => escapeTerminal(text, { multiline: true });
  return [
    escapeTerminal(`Review ${review.review_id} of session ${review.session_id} (risk ${review.risk})`),
    ...review.reasons.map((reason) => escapeTerminal(`  - ${reason}`)),
    escapeTerminal(`On commit ${review.base}`),
    '',
    safe(review.message),
    '',
    safe(review.diff),
    escapeTerminal(`sha256 ${review.sha256}`),
    'fluffy review --approve commits exactly this; fluffy review --reject "reason" sends it back.',
    '',
  ].join('\n');
}
