import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import type { Item } from '../store/item.ts';
import { formatDuration } from '../store/format-amount.ts';
import { DiffView } from './diff-view.tsx';
import { TestResults } from './test-results.tsx';

/** A call that has ended: what, on what, how it went, how long from request to result. Why it failed gets lines of its own. */
export function ToolLine({ item }: { readonly item: Extract<Item, { kind: 'tool' }> }): ReactNode {
  const { tool, target, ok, summary, durationMs, diff, tests } = item;
  return (
    <Box flexDirection="column">
      <Box>
        <Box flexShrink={0}>
          <Text color={ok ? 'green' : 'red'}>{ok ? '  ✓ ' : '  ✗ '}</Text>
          <Text bold>{tool}</Text>
        </Box>
        <Text wrap="truncate-end">
          {target === '' ? '' : ` ${target}`}
          {ok && summary !== '' && <Text dimColor>{`  ${summary}`}</Text>}
        </Text>
        {durationMs !== null && (
          <Box flexShrink={0}>
            <Text dimColor>{`  ${formatDuration(durationMs)}`}</Text>
          </Box>
        )}
      </Box>
      {!ok && summary !== '' && (
        <Box paddingLeft={4}>
          <Text color="yellow">{summary}</Text>
        </Box>
      )}
      {tests !== null && <TestResults tests={tests} indent={4} />}
      {diff !== null && diff.lines.length > 0 && <DiffView diff={diff} indent={4} whole={false} />}
    </Box>
  );
}
