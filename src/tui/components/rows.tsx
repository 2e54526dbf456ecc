import { Text } from 'ink';
import { useContext } from 'react';
import type { ReactNode } from 'react';
import type { Row } from '../text/span.ts';
import { LookContext } from './look.ts';

/** Rows that were already cut to the width, so that nothing wraps them again. */
export function Rows({ rows }: { readonly rows: readonly Row[] }): ReactNode {
  const { painter } = useContext(LookContext);
  return rows.map((row, index) => (
    <Text key={index} wrap="truncate-end">
      {painter.row(row) || ' '}
    </Text>
  ));
}
