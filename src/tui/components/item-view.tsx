import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import { assertNever } from '../../lib/assert-never.ts';
import { plural } from '../store/format-amount.ts';
import type { Item } from '../store/item.ts';
import type { SafeText } from '../store/safe-text.ts';
import { DiffView } from './diff-view.tsx';
import { Markdown } from './markdown.tsx';
import { ReviewCard } from './review-card.tsx';
import { TestResults } from './test-results.tsx';
import { ReadsLine, ToolLine } from './tool-line.tsx';

/** One item of the scrollback. */
export function ItemView({ item }: { readonly item: Item }): ReactNode {
  return (
    <Box flexDirection="column" marginTop={item.gap ? 1 : 0}>
      <Body item={item} />
    </Box>
  );
}

function Body({ item }: { readonly item: Item }): ReactNode {
  switch (item.kind) {
    case 'header':
      return (
        <>
          <Text>
            <Text bold>fluffy</Text>
            <Text dimColor>{` ${item.version}  `}</Text>
            <Text>{item.project}</Text>
          </Text>
          <Text dimColor>{`${item.model} · ${item.mode} mode · / lists commands, @ names a file, /help`}</Text>
        </>
      );
    case 'user':
      return <Lines lines={item.lines} first="> " rest="  " bold />;
    case 'text':
      return <Markdown text={item.block} />;
    case 'tool':
      return <ToolLine item={item} />;
    case 'reads':
      return <ReadsLine item={item} />;
    case 'tests':
      return <TestResults tests={item.tests} indent={2} />;
    case 'state':
      return (
        <Text dimColor>
          {'  → '}
          <Text bold>{item.to}</Text>
          {`  ${item.why}`}
        </Text>
      );
    case 'proposal':
      return (
        <>
          <Lines lines={item.message} first="Commit  " rest="        " />
          <Text dimColor>
            {`        ${plural(item.diff.files.length, 'file')}, +${item.diff.added} -${item.diff.removed}`}
          </Text>
        </>
      );
    case 'card':
      return <ReviewCard card={item.card} />;
    case 'decided':
      return <Marked mark={item.good ? '✓ ' : '✗ '} text={item.text} color={item.good ? 'green' : 'yellow'} />;
    case 'note':
      return item.level === 'warn' ? (
        <Marked mark="! " text={item.text} color="yellow" />
      ) : (
        <Marked mark="· " text={item.text} />
      );
    case 'problem':
      return (
        <>
          <Text color="red" bold>
            {item.what}
          </Text>
          <Text>{`  Reason: ${item.why}`}</Text>
          <Text>{`  Fix: ${item.fix}`}</Text>
        </>
      );
    case 'answer':
      return <Lines lines={item.lines} first="  " rest="  " />;
    case 'diff':
      return <DiffView diff={item.diff} />;
    case 'finished':
      return (
        <>
          {item.reason.length > 0 && <Lines lines={item.reason} />}
          <Text bold color={item.good ? 'green' : 'yellow'}>
            {item.line}
          </Text>
        </>
      );
    default:
      return assertNever(item);
  }
}

interface LinesProps {
  readonly lines: readonly SafeText[];
  readonly first?: string;
  readonly rest?: string;
  readonly bold?: boolean;
}

function Lines({ lines, first = '', rest = '', bold = false }: LinesProps): ReactNode {
  return lines.map((line, index) => (
    <Box key={index}>
      {(index === 0 ? first : rest) !== '' && (
        <Box flexShrink={0}>
          <Text dimColor>{index === 0 ? first : rest}</Text>
        </Box>
      )}
      <Text bold={bold}>{line === '' ? ' ' : line}</Text>
    </Box>
  ));
}

/** A line of ours with its mark before it; without a colour it stays in the background. */
function Marked({
  mark,
  text,
  color,
}: {
  readonly mark: string;
  readonly text: SafeText;
  readonly color?: string;
}): ReactNode {
  return (
    <Box paddingLeft={2}>
      <Box flexShrink={0}>
        <Text color={color}>{mark}</Text>
      </Box>
      <Text color={color} dimColor={color === undefined}>
        {text}
      </Text>
    </Box>
  );
}
