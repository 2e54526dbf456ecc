import { ownValue } from '../../lib/own-value.ts';
import type { KeyAction } from '../keymap/key-action.ts';
import { graphemesOf } from '../../lib/text/graphemes.ts';
import { keyName, typedLine } from './key-name.ts';

/** The position in a pager. */
export interface PagerPosition {
  readonly page: number;
  /** The first row that is shown. */
  readonly top: number;
  /** The search text; empty if there is no search. */
  readonly query: string;
  readonly typing: boolean;
  /** The row of the last match. */
  readonly found: number | null;
}

/** The pager's content, as far as moving needs it. */
export interface PagerContent {
  readonly pageCount: number;
  /** Number of rows of a page. */
  lengthOf(page: number): number;
  /** Text of a row of a page. */
  textOf(page: number, row: number): string;
  /** Rows on the screen. */
  readonly height: number;
}

export function pagerAt(page: number): PagerPosition {
  return { page, top: 0, query: '', typing: false, found: null };
}

type Move = (at: PagerPosition, content: PagerContent) => PagerPosition | null;

const screen = ({ height }: PagerContent): number => Math.max(1, height - 1);
const scroll =
  (rows: number): Move =>
  (at, content) =>
    scrollTo(at, at.top + rows, content);
const scrollScreen =
  (step: -1 | 1): Move =>
  (at, content) =>
    scrollTo(at, at.top + step * screen(content), content);
const toBeginning: Move = (at, content) => scrollTo(at, 0, content);
const toEnd: Move = (at, content) => scrollTo(at, Infinity, content);
const close: Move = () => null;
const turn =
  (step: -1 | 1): Move =>
  (at, { pageCount }) => {
    const page = at.page + step;
    return page < 0 || page >= pageCount ? at : { ...at, page, top: 0, found: null };
  };

/** The effects of keys; the letters are those of `less`. */
const MOVES: Readonly<Record<string, Move>> = {
  up: scroll(-1),
  k: scroll(-1),
  down: scroll(1),
  j: scroll(1),
  submit: scroll(1),
  'page-up': scrollScreen(-1),
  b: scrollScreen(-1),
  'page-down': scrollScreen(1),
  ' ': scrollScreen(1),
  'line-start': toBeginning,
  g: toBeginning,
  'line-end': toEnd,
  G: toEnd,
  left: turn(-1),
  right: turn(1),
  complete: turn(1),
  '/': (at) => ({ ...at, typing: true, query: '', found: null }),
  n: (at, content) => find(at, 1, content),
  N: (at, content) => find(at, -1, content),
  escape: (at) => (at.query === '' ? null : { ...at, query: '', found: null }),
  q: close,
  open: close,
  interrupt: close,
  'end-of-input': close,
};

/** The position after a key, or after letters that came in one piece; null if a key closes the pager. Pure. */
export function movePager(at: PagerPosition, action: KeyAction, content: PagerContent): PagerPosition | null {
  if (action.kind !== 'edit' || action.edit.kind !== 'insert' || action.edit.text.length < 2)
    return moveByKey(at, action, content);
  const keys = graphemesOf(action.edit.text).map(({ text }): KeyAction => ({
    kind: 'edit',
    edit: { kind: 'insert', text },
  }));
  return keys.reduce<PagerPosition | null>((now, key) => (now === null ? null : moveByKey(now, key, content)), at);
}

function moveByKey(at: PagerPosition, action: KeyAction, content: PagerContent): PagerPosition | null {
  const name = keyName(action);
  if (at.typing && name !== 'interrupt' && name !== 'end-of-input') return typeQuery(at, action, content);
  const move = ownValue(MOVES, name);
  return move === undefined ? at : move(at, content);
}

function typeQuery(at: PagerPosition, action: KeyAction, content: PagerContent): PagerPosition {
  if (action.kind === 'submit') return find({ ...at, typing: false }, 1, content);
  if (action.kind === 'escape') return { ...at, typing: false, query: '' };
  return { ...at, query: typedLine(at.query, action) ?? at.query };
}

function scrollTo(at: PagerPosition, top: number, content: PagerContent): PagerPosition {
  const last = Math.max(0, content.lengthOf(at.page) - content.height);
  return { ...at, top: Math.max(0, Math.min(last, top)) };
}

/** The next row with the text, on this page or another, continuing at the beginning after the end. Without a match nothing moves. */
function find(at: PagerPosition, step: -1 | 1, content: PagerContent): PagerPosition {
  const wanted = at.query.toLowerCase();
  if (wanted === '') return at;
  const { pageCount } = content;
  let page = at.page;
  let row = at.found ?? (step === 1 ? at.top - 1 : at.top);
  for (let turned = 0; turned <= pageCount; turned += 1) {
    const length = content.lengthOf(page);
    for (row += step; row >= 0 && row < length; row += step) {
      if (!content.textOf(page, row).toLowerCase().includes(wanted)) continue;
      const shown = { ...at, page, found: row };
      return scrollTo(shown, row - Math.floor(content.height / 3), content);
    }
    page = (page + step + pageCount) % pageCount;
    row = step === 1 ? -1 : content.lengthOf(page);
  }
  return { ...at, found: null };
}
