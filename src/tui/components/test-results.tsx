import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import { plural } from '../store/format-amount.ts';
import type { TestReport } from '../store/item.ts';

/** The counts, and each failure by name. */
export function TestResults({ tests, indent }: { readonly tests: TestReport; readonly indent: number }): ReactNode {
  const { outcome, passed, failed, skipped, failures, hidden } = tests;
  const counted = outcome === 'passed' || outcome === 'failed';
  return (
    <Box flexDirection="column" paddingLeft={indent}>
      <Text>
        tests{' '}
        {counted ? (
          <>
            {failed > 0 && <Text color="red">{`${failed} failed, `}</Text>}
            <Text color={passed > 0 ? 'green' : undefined}>{`${passed} passed`}</Text>
            {skipped > 0 && <Text color="yellow">{`, ${skipped} skipped`}</Text>}
          </>
        ) : (
          <Text color="red">{outcome}</Text>
        )}
      </Text>
      {failures.map(({ name, why }, index) => (
        <Box key={index} flexDirection="column">
          <Text color="red">{`✗ ${name}`}</Text>
          {why.map((line, at) => (
            <Box key={at} paddingLeft={2}>
              <Text dimColor>{line}</Text>
            </Box>
          ))}
        </Box>
      ))}
      {hidden > 0 && <Text dimColor>{`… ${plural(hidden, 'more failure')}`}</Text>}
    </Box>
  );
}
