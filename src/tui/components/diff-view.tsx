import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import type { Diff, DiffLineKind } from '../store/diff-lines.ts';
import { plural } from '../store/format-amount.ts';

type Look = { readonly color?: string; readonly bold?: boolean; readonly dimColor?: boolean };

const LOOKS: Readonly<Record<DiffLineKind, Look>> = {
  file: { bold: true },
  hunk: { color: 'cyan' },
  added: { color: 'green' },
  removed: { color: 'red' },
  context: {},
  remark: { dimColor: true },
};

interface DiffViewProps {
  readonly diff: Diff;
  readonly indent: number;
  /** Long lines go on in the next row; otherwise they are cut at the edge. What is approved is never cut. */
  readonly whole: boolean;
}

export function DiffView({ diff, indent, whole }: DiffViewProps): ReactNode {
  return (
    <Box flexDirection="column" paddingLeft={indent}>
      {diff.lines.map(({ kind, text }, index) => (
        <Text key={index} wrap={whole ? 'hard' : 'truncate-end'} {...LOOKS[kind]}>
          {text === '' ? ' ' : text}
        </Text>
      ))}
      {diff.hidden > 0 && (
        <Text dimColor>{`… ${plural(diff.hidden, 'more line')}; /diff shows all that is staged`}</Text>
      )}
    </Box>
  );
}
