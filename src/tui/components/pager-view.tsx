import { useContext, useEffect, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { pageRows, pageTitle } from '../panel/page-rows.ts';
import { pagerFrame, pagerHeight } from '../panel/pager-frame.ts';
import { movePager, pagerAt } from '../panel/pager-position.ts';
import type { Pager } from '../panel/panel.ts';
import type { Row } from '../text/span.ts';
import { DrawnFrame } from './drawn-frame.tsx';
import { LookContext } from './look.ts';
import type { PanelProps } from './panel-props.ts';

/** Pages to read, with a search over all of them. */
export function PagerView({
  pager,
  size,
  waits,
  listen,
  onKey,
  onFrame,
}: PanelProps & { readonly pager: Pager }): ReactNode {
  const { colours } = useContext(LookContext);
  const [at, setAt] = useState(() => pagerAt(pager.first));
  // Several keys may arrive before the next frame.
  const newest = useRef(at);
  const rowsOf = useMemo(() => {
    const known = new Map<number, readonly Row[]>();
    return (page: number): readonly Row[] => {
      const shown = pager.pages[page];
      const rows = known.get(page) ?? (shown === undefined ? [] : pageRows(shown, { width: size.columns, colours }));
      known.set(page, rows);
      return rows;
    };
  }, [pager.pages, size.columns, colours]);
  const page = pager.pages[at.page];
  const needs = page?.kind === 'call' && page.details === 'loading' ? at.page : null;
  useEffect(() => {
    if (needs !== null) onKey({ kind: 'load-page', page: needs });
  }, [needs, onKey]);
  useEffect(() => {
    const content = {
      pageCount: pager.pages.length,
      lengthOf: (index: number) => rowsOf(index).length,
      textOf: (index: number, row: number) => (rowsOf(index)[row] ?? []).map(({ text }) => text).join(''),
      height: pagerHeight(size),
    };
    listen((action) => {
      const next = movePager(newest.current, action, content);
      if (next === null) onKey({ kind: 'close-panel' });
      else {
        newest.current = next;
        setAt(next);
      }
    });
  });
  const title = page === undefined ? [] : pageTitle(page);
  const { noun, pages } = pager;
  const frame = pagerFrame({ title, rows: rowsOf(at.page), noun, pageCount: pages.length, waits }, at, size);
  return <DrawnFrame frame={frame} onFrame={onFrame} />;
}
