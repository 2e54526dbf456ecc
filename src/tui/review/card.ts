import type { CardFacts } from '../../contracts/review/review-card.ts';
import type { Diff } from '../diff/read-diff.ts';
import { readDiff } from '../diff/read-diff.ts';
import type { SafeText } from '../store/safe-text.ts';
import { mixedAlphabets } from '../store/mixed-alphabets.ts';
import type { Raw } from '../text/span.ts';

/** A review as it is shown: complete, never shortened. */
export interface Card {
  readonly reviewId: string;
  readonly kind: 'merge' | 'policy' | 'plugin' | 'mode';
  readonly risk: 'low' | 'medium' | 'high';
  readonly reasons: readonly Raw[];
  readonly message: readonly Raw[];
  readonly diff: Diff;
  readonly facts: CardFacts | null;
  /** Words in message and change that look like other words. */
  readonly warnings: readonly SafeText[];
  /** Files whose change the person accepted at an earlier review. */
  readonly accepted: ReadonlySet<string>;
}

export interface CardSource {
  readonly review_id: string;
  readonly kind: Card['kind'];
  readonly risk: Card['risk'];
  readonly reasons: readonly string[];
  readonly message?: string | undefined;
  readonly diff: string;
  readonly facts?: CardFacts | undefined;
}

export function cardOf({ review_id, kind, risk, reasons, message = '', diff, facts }: CardSource): Card {
  return {
    reviewId: review_id,
    kind,
    risk,
    reasons: reasons.map((raw) => ({ raw })),
    message: linesOf(message),
    diff: readDiff(diff),
    facts: facts ?? null,
    warnings: mixedAlphabets(`${message}\n${diff}`),
    accepted: new Set(),
  };
}

function linesOf(text: string): Raw[] {
  const lines = text.replace(/\n$/, '').split('\n');
  return text === '' ? [] : lines.map((raw) => ({ raw }));
}
