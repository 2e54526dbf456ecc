import { LazyColours } from '../../tui/code/lazy-colours.ts';
import { cardOf } from '../../tui/review/card.ts';
import type { CardSource } from '../../tui/review/card.ts';
import { cardRows } from '../../tui/review/card-rows.ts';
import { createPainter } from '../../tui/text/paint.ts';
import type { Row } from '../../tui/text/span.ts';

export interface ShownCard extends CardSource {
  readonly session_id: string;
  readonly base: string;
  readonly sha256: string;
  readonly obstacle?: string | undefined;
}

/** A waiting review for people, with everything that an approval signs; `columns` null: lines are not wrapped. */
export async function showReview(review: ShownCard, columns: number | null): Promise<Row[]> {
  const colours = new LazyColours();
  await colours.load();
  const { base, review_id, session_id, sha256, obstacle } = review;
  return cardRows(cardOf(review), {
    width: columns ?? Number.MAX_SAFE_INTEGER,
    colours,
    place: 'command-line',
    remarks: [
      ...(obstacle === undefined ? [] : [`Cannot be merged now: ${obstacle}`]),
      `Review ${review_id} of session ${session_id}, on commit ${base}`,
      `sha256 ${sha256}`,
    ],
  });
}

/** Rows without colours, as one text. */
export function plainText(rows: readonly Row[]): string {
  const painter = createPainter('none', 0);
  return rows.map((row) => `${painter.row(row)}\n`).join('');
}
