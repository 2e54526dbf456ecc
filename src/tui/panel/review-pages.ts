import type { Card } from '../review/card.ts';
import { labelledFiles } from '../review/files-table.ts';
import type { Page } from './panel.ts';

/** A review as pages: the overview, then each file. */
export function reviewPages(card: Card): readonly Page[] {
  return [
    { kind: 'overview', card },
    ...labelledFiles(card).map(({ file, label }): Page => ({ kind: 'file', file, label })),
  ];
}
