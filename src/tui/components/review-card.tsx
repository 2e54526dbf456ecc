import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import { assertNever } from '../../lib/assert-never.ts';
import { plural } from '../store/format-amount.ts';
import type { Card } from '../store/item.ts';
import { DiffView } from './diff-view.tsx';

const RISK = { low: 'green', medium: 'yellow', high: 'red' } as const;

/** A waiting review: what is intended, how risky it is and why, the change in full, and what each choice leads to. Nothing is chosen beforehand. */
export function ReviewCard({ card }: { readonly card: Card }): ReactNode {
  const { diff, message, reasons, risk, warnings } = card;
  const counts = card.kind === 'merge' ? ` · ${plural(diff.files, 'file')}, +${diff.added} -${diff.removed}` : '';
  return (
    <Box flexDirection="column">
      <Text>
        <Text bold>Review</Text>
        <Text>{` ${titleOf(card.kind)} · `}</Text>
        <Text color={RISK[risk]}>{`${risk} risk`}</Text>
        <Text>{counts}</Text>
      </Text>
      <Box flexDirection="column" paddingLeft={2} marginTop={1}>
        {message.map((line, index) => (
          <Text key={index} bold={index === 0}>
            {line === '' ? ' ' : line}
          </Text>
        ))}
      </Box>
      <Box flexDirection="column" paddingLeft={2} marginTop={1}>
        <Text>You are asked because:</Text>
        {reasons.map((reason, index) => (
          <Box key={index}>
            <Box flexShrink={0}>
              <Text>- </Text>
            </Box>
            <Text>{reason}</Text>
          </Box>
        ))}
      </Box>
      {diff.lines.length > 0 && (
        <Box flexDirection="column" marginTop={1}>
          <DiffView diff={diff} indent={0} whole />
        </Box>
      )}
      {warnings.length > 0 && (
        <Box flexDirection="column" paddingLeft={2} marginTop={1}>
          {warnings.map((warning, index) => (
            <Text key={index} color="red" bold>
              {warning}
            </Text>
          ))}
        </Box>
      )}
      <Box flexDirection="column" paddingLeft={2} marginTop={1}>
        {choicesOf(card.kind).map(([command, consequence]) => (
          <Box key={command}>
            <Box width={16} flexShrink={0}>
              <Text bold>{command}</Text>
            </Box>
            <Text>{consequence}</Text>
          </Box>
        ))}
      </Box>
    </Box>
  );
}

function titleOf(kind: Card['kind']): string {
  switch (kind) {
    case 'merge':
      return 'of the commit';
    case 'policy':
      return 'of a call that policy wants you to see';
    case 'plugin':
      return 'of a plugin';
    case 'mode':
      return 'of a change of mode';
    default:
      return assertNever(kind);
  }
}

function choicesOf(kind: Card['kind']): readonly (readonly [string, string])[] {
  switch (kind) {
    case 'merge':
      return [
        ['/approve', 'signs exactly this with your key, merges it into the project and commits it'],
        ['/reject "why"', 'writes nothing; the model gets your reason and goes on'],
      ];
    case 'policy':
      return [
        ['/approve', 'lets this one call run, in its sandbox'],
        ['/reject "why"', 'the call does not run; the model gets your reason'],
      ];
    case 'plugin':
      return [
        ['/approve', 'lets the plugin in as shown'],
        ['/reject "why"', 'the plugin stays out'],
      ];
    case 'mode':
      return [
        ['/approve', 'switches this session to that mode'],
        ['/reject "why"', 'the mode stays as it is'],
      ];
    default:
      return assertNever(kind);
  }
}
