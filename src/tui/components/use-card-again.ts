import { useEffect, useRef } from 'react';
import type { ViewStore } from '../store/view-store.ts';
import type { WaitingCard } from '../store/view-state.ts';

/** While a window is being resized, many widths follow each other. */
const SETTLED_AFTER_MS = 400;

/**
 * A terminal that becomes narrower wraps the rows that it shows, and the wrapped part lacks the margin, so a crafted line of a change could look like
 * a line of the card. So a waiting card is redrawn for the new width, and can be decided only then.
 */
export function useCardAgain(store: ViewStore, card: WaitingCard | null, columns: number): void {
  const drawn = useRef<{ readonly reviewId: string; readonly columns: number } | null>(null);
  const reviewId = card?.reviewId ?? null;
  useEffect(() => {
    if (reviewId === null) drawn.current = null;
    else if (drawn.current?.reviewId !== reviewId) drawn.current = { reviewId, columns };
    else if (columns < drawn.current.columns) {
      const timer = setTimeout(() => {
        drawn.current = { reviewId, columns };
        store.dispatch({ kind: 'card-again' });
      }, SETTLED_AFTER_MS);
      return () => clearTimeout(timer);
    }
    return undefined;
  }, [store, reviewId, columns]);
}
