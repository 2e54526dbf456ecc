import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import { plural } from '../store/format-amount.ts';
import type { TestReport } from '../store/item.ts';
import type { SafeText } from '../store/safe-text.ts';

/** Lines of a failure that stay on the screen; the rest is with the call. */
const MAX_WHY_ROWS = 6;

/** The counts, and the failures below the files they are in, with what was expected and what came. */
export function TestResults({ tests, indent }: { readonly tests: TestReport; readonly indent: number }): ReactNode {
  const { outcome, passed, failed, skipped, failures, hidden } = tests;
  const counted = outcome === 'passed' || outcome === 'failed';
  const files = [...new Set(failures.map(({ file }) => file))];
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
      {files.map((file) => (
        <Box key={file} flexDirection="column">
          <Text>{file}</Text>
          {failures
            .filter((each) => each.file === file)
            .map(({ name, why }, index) => (
              <Failure key={index} name={name} why={why} />
            ))}
        </Box>
      ))}
      {hidden > 0 && <Text dimColor>{`… ${plural(hidden, 'more failure')}`}</Text>}
    </Box>
  );
}

function Failure({ name, why }: { readonly name: SafeText; readonly why: readonly SafeText[] }): ReactNode {
  const more = why.length - MAX_WHY_ROWS;
  return (
    <Box flexDirection="column" paddingLeft={2}>
      <Text color="red">{`✗ ${name}`}</Text>
      {why.slice(0, MAX_WHY_ROWS).map((line, at) => (
        <Box key={at} paddingLeft={2}>
          <WhyLine line={line} />
        </Box>
      ))}
      {more > 0 && <Text dimColor>{`  … ${plural(more, 'more line')}; ctrl-o shows all`}</Text>}
    </Box>
  );
}

/** Runners mark what they expected and what came in two ways: by words, or by signs as in a diff. */
const EXPECTED = /^(\s*[-] |\s*expected\b)/i;
const ACTUAL = /^(\s*[+] |\s*(actual|received|but got)\b)/i;

function WhyLine({ line }: { readonly line: SafeText }): ReactNode {
  if (EXPECTED.test(line)) return <Text color="green">{line}</Text>;
  return ACTUAL.test(line) ? <Text color="red">{line}</Text> : <Text dimColor>{line}</Text>;
}
