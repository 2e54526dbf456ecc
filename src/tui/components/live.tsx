import { Box, Text, useAnimation, useCursor } from 'ink';
import type { ReactNode } from 'react';
import { assertNever } from '../../lib/assert-never.ts';
import { formatElapsed } from '../store/format-amount.ts';
import { promptPrefix } from '../store/layout-prompt.ts';
import { liveRegion, statusLine } from '../store/live-rows.ts';
import type { LiveRow, Size } from '../store/live-rows.ts';
import type { SafeText } from '../store/safe-text.ts';
import type { ViewState } from '../store/view-state.ts';
import { Spinner } from './spinner.tsx';

interface LiveProps {
  readonly view: ViewState;
  readonly size: Size;
  readonly nowMs: () => number;
}

/** What moves: calls under way, the text being written, the prompt, the meter. Every row is one row of the terminal. */
export function Live({ view, size, nowMs }: LiveProps): ReactNode {
  const { rows, prompt, showStatus } = liveRegion(view, size);
  const { setCursorPosition } = useCursor();
  setCursorPosition({ x: prompt.cursor.column, y: rows.length + prompt.cursor.row });
  return (
    <Box flexDirection="column">
      {rows.map((row, index) => (
        <Box key={keyOf(row, index)} height={1}>
          <LiveRowView row={row} nowMs={nowMs} />
        </Box>
      ))}
      {prompt.rows.map((row, index) => (
        <PromptRow key={`prompt${index}`} row={row} prefix={promptPrefix(view.mode, view.state)} first={index === 0} />
      ))}
      {showStatus && <Status view={view} nowMs={nowMs} />}
    </Box>
  );
}

/** A call keeps its spinner when others before it end. */
function keyOf(row: LiveRow, index: number): string {
  return row.kind === 'tool' ? `tool ${row.tool.callId}` : `${row.kind} ${index}`;
}

function LiveRowView({ row, nowMs }: { readonly row: LiveRow; readonly nowMs: () => number }): ReactNode {
  switch (row.kind) {
    case 'blank':
      return <Text> </Text>;
    case 'text':
      return <Text wrap="truncate-end">{row.text}</Text>;
    case 'tool':
      return (
        <>
          <Text>{'  '}</Text>
          <Spinner>
            {() => (
              <Text wrap="truncate-end">
                <Text bold>{` ${row.tool.tool}`}</Text>
                <Text dimColor>{`  ${formatElapsed(nowMs() - row.tool.sinceMs)}`}</Text>
                {row.tool.target === '' ? '' : `  ${row.tool.target}`}
              </Text>
            )}
          </Spinner>
        </>
      );
    case 'busy':
      return (
        <>
          <Text>{'  '}</Text>
          <Spinner>{() => <Text wrap="truncate-end">{` ${row.text}`}</Text>}</Spinner>
        </>
      );
    case 'queued':
      return <Text wrap="truncate-end" dimColor>{`  queued: ${row.text}`}</Text>;
    case 'review':
      return (
        <Text wrap="truncate-end" bold>
          {row.text}
        </Text>
      );
    case 'hint':
      return (
        <Text wrap="truncate-end" color="yellow">
          {row.text}
        </Text>
      );
    default:
      return assertNever(row);
  }
}

function PromptRow({
  row,
  prefix,
  first,
}: {
  readonly row: SafeText;
  readonly prefix: string;
  readonly first: boolean;
}): ReactNode {
  const marked = first && row.startsWith(prefix);
  return (
    <Box height={1}>
      <Text wrap="truncate-end">
        {marked && <Text color="cyan">{prefix}</Text>}
        {marked ? row.slice(prefix.length) : row === '' ? ' ' : row}
      </Text>
    </Box>
  );
}

function Status({ view, nowMs }: { readonly view: ViewState; readonly nowMs: () => number }): ReactNode {
  useAnimation({ interval: 1000, isActive: view.run.kind === 'running' && view.card === null });
  return (
    <Box height={1}>
      <Text wrap="truncate-end" dimColor>
        {statusLine(view, nowMs())}
      </Text>
    </Box>
  );
}
