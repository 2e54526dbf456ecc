import { Box } from 'ink';
import { useContext } from 'react';
import type { ReactNode } from 'react';
import { itemRows } from '../scrollback/item-rows.ts';
import type { Item } from '../store/item.ts';
import { LookContext } from './look.ts';
import { Rows } from './rows.tsx';

/** One item of the scrollback. */
export function ItemView({ item }: { readonly item: Item }): ReactNode {
  const { colours, columns, lends, openKey, files } = useContext(LookContext);
  return (
    <Box flexDirection="column" marginTop={item.gap ? 1 : 0}>
      <Rows rows={itemRows(item, { width: columns, colours, lends, openKey, files })} />
    </Box>
  );
}
