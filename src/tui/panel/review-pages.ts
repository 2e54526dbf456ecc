import type { Card } from '../review/card.ts';
import { labelledFiles } from '../review/files-table.ts';
import type { Page } from './panel.ts';

/** A review to be read part by part: what it says of the change, then each file. */
export function reviewPages(card: Card): readonly Page[] {
  return [
    { kind: 'overview', card },
    ...labelledFiles(card).map(({ file, label }): Page => ({ kind: 'file', file, label })),
  ];
}
