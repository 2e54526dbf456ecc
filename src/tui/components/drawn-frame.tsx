import { Box, useCursor } from 'ink';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import type { LiveFrame } from '../live/live-frame.ts';
import type { PanelProps } from './panel-props.ts';
import { Rows } from './rows.tsx';

/** A frame with its cursor, reported when it has been drawn. */
export function DrawnFrame({ frame, onFrame }: { readonly frame: LiveFrame } & Pick<PanelProps, 'onFrame'>): ReactNode {
  const { setCursorPosition } = useCursor();
  setCursorPosition({ x: frame.cursor.column, y: frame.cursor.row });
  useEffect(() => onFrame?.(frame));
  return (
    <Box flexDirection="column">
      <Rows rows={frame.rows} />
    </Box>
  );
}
