import { Text } from 'ink';
import { useContext } from 'react';
import type { ReactNode } from 'react';
import type { DiffExcerpt } from '../diff/diff-excerpt.ts';
import { fileRows } from '../diff/diff-rows.ts';
import { namedFileRows } from '../diff/named-file-rows.ts';
import type { Diff } from '../diff/read-diff.ts';
import { plural } from '../store/format-amount.ts';
import { own } from '../text/span.ts';
import { LookContext } from './look.ts';
import { Rows } from './rows.tsx';

/** A whole change, file by file. */
export function DiffView({ diff }: { readonly diff: Diff }): ReactNode {
  const { colours, columns } = useContext(LookContext);
  return <Rows rows={namedFileRows(diff, { width: columns, colours, edge: [] })} />;
}

/** The beginning of a change below the call that made it; `indent` in cells. */
export function DiffExcerptView({
  excerpt,
  indent,
}: {
  readonly excerpt: DiffExcerpt;
  readonly indent: number;
}): ReactNode {
  const { colours, columns } = useContext(LookContext);
  const look = { width: columns, colours, edge: [own(' '.repeat(indent))] };
  return (
    <>
      <Rows rows={excerpt.files.flatMap((file) => fileRows(file, look))} />
      {excerpt.hidden > 0 && (
        <Text
          dimColor
        >{`${' '.repeat(indent)}… ${plural(excerpt.hidden, 'more line')}; /diff shows all that is staged`}</Text>
      )}
    </>
  );
}
