import { useContext } from 'react';
import type { ReactNode } from 'react';
import type { Card } from '../review/card.ts';
import { cardRows } from '../review/card-rows.ts';
import { LookContext } from './look.ts';
import { Rows } from './rows.tsx';

/** A waiting review. Nothing is chosen beforehand. */
export function ReviewCard({ card }: { readonly card: Card }): ReactNode {
  const { colours, columns } = useContext(LookContext);
  return <Rows rows={cardRows(card, { width: columns, colours, place: 'session' })} />;
}
