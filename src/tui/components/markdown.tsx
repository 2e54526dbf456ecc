import { useContext } from 'react';
import type { ReactNode } from 'react';
import { markdownRows } from '../markdown/markdown-rows.ts';
import type { Raw } from '../text/span.ts';
import { LookContext } from './look.ts';
import { Rows } from './rows.tsx';

/** What a model has said. */
export function Markdown({ text }: { readonly text: Raw }): ReactNode {
  const { colours, columns } = useContext(LookContext);
  return <Rows rows={markdownRows(text.raw, { width: columns, colours })} />;
}
