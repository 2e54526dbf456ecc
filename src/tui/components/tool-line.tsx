import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import type { Denial, Item } from '../store/item.ts';
import { formatDuration } from '../store/format-amount.ts';
import { readWords } from '../store/read-words.ts';
import { DiffExcerptView } from './diff-view.tsx';
import { TestResults } from './test-results.tsx';

/** A call that has ended: what, on what, how it went, how long from request to result. Why it failed gets lines of its own. */
export function ToolLine({ item }: { readonly item: Extract<Item, { kind: 'tool' }> }): ReactNode {
  const { tool, target, ok, summary, denial, durationMs, diff, tests } = item;
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
      {!ok && (summary !== '' || denial !== null) && (
        <Box paddingLeft={4}>
          <Text>
            <Text color="yellow">{denial === null || denial.reason === '' ? summary : saidNo(denial)}</Text>
            {denial !== null && <Text dimColor>{HINT}</Text>}
          </Text>
        </Box>
      )}
      {tests !== null && <TestResults tests={tests} indent={4} />}
      {diff !== null && <DiffExcerptView excerpt={diff} indent={4} />}
    </Box>
  );
}

/** Calls that only looked, in one line. */
export function ReadsLine({ item }: { readonly item: Extract<Item, { kind: 'reads' }> }): ReactNode {
  return (
    <Box>
      <Text color="green">{'  ✓ '}</Text>
      <Text wrap="truncate-end" dimColor>
        {readWords(item.names)}
      </Text>
      <Box flexShrink={0}>
        <Text dimColor>{`  ${formatDuration(item.durationMs)}`}</Text>
      </Box>
    </Box>
  );
}

const MAX_REASON = 200;

/** With blanks that do not break, so that it goes to the next row as a whole. */
const HINT = '  /why\u00a0tells\u00a0more';

/** Which rules said no, and why: `policy_denied by frozen: The source is frozen today`. */
function saidNo({ rules, reason }: Denial): string {
  const why = reason.length > MAX_REASON ? `${reason.slice(0, MAX_REASON - 1).toWellFormed()}…` : reason;
  if (rules.length === 0) return `policy_denied: ${why}`;
  return `policy_denied by ${rules.join(', ')}: ${why}`;
}
