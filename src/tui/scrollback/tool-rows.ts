import { fileRows } from '../diff/diff-rows.ts';
import { formatDuration } from '../store/format-amount.ts';
import { plural } from '../../lib/text/plural.ts';
import type { Denial, Item, TestReport } from '../store/item.ts';
import { readWords } from '../store/read-words.ts';
import type { SafeText } from '../store/safe-text.ts';
import { safeLine } from '../store/safe-text.ts';
import { widestCells } from '../text/cells.ts';
import { cutRow, rowCells } from '../text/cut-row.ts';
import { own } from '../text/span.ts';
import type { Row } from '../text/span.ts';
import type { ItemLook } from './item-look.ts';
import { saidRows } from './said-rows.ts';
import { testRows } from './test-rows.ts';

const MARGIN = '    ';
const MAX_REASON = 400;
const HINT = '/why explains it';

/** A finished call: its tool, target, result, and duration from request to result. The reason of a failure has rows of its own. */
export function toolRows(item: Extract<Item, { kind: 'tool' }>, look: ItemLook): Row[] {
  const { tool, target, ok, exit, summary, denial, durationMs, diff, tests } = item;
  const good = ok && exit === null && !isUnexpected(tests, summary);
  const head: Row = [own(good ? '  ✓ ' : '  ✗ ', good ? 'good' : 'bad'), { text: tool, role: 'strong' }];
  const ended = exit === null ? [] : [own('  '), { text: exit, role: 'bad' } as const];
  const about: Row = [
    ...(target === '' ? [] : [own(' '), { text: target, role: 'plain' } as const]),
    ...(ok && exit === null && summary !== '' ? [own('  '), { text: summary, role: 'dim' } as const] : []),
  ];
  return [
    middleCut(head, about, [...ended, ...tookSpans(durationMs)], look.width),
    ...(ok ? [] : failureRows(summary, denial, look.width)),
    ...(tests === null ? [] : testRows(tests, MARGIN.length, look)),
    ...(diff === null ? [] : excerptRows(diff, look)),
  ];
}

/** Read-only calls, in one row. */
export function readsRow({ names, durationMs }: Extract<Item, { kind: 'reads' }>, { width }: ItemLook): Row {
  const about: Row = [{ text: safeLine(readWords(names)), role: 'dim' }];
  return middleCut([own('  ✓ ', 'good')], about, tookSpans(durationMs), width);
}

/** Failures that the gate did not require; those that it required have words of their own. */
function isUnexpected(tests: TestReport | null, summary: SafeText): boolean {
  return tests !== null && tests.failed > 0 && summary === '';
}

/** A shorter duration is not shown. */
const WORTH_SAYING_MS = 1000;

function tookSpans(durationMs: number | null): Row {
  return durationMs === null || durationMs < WORTH_SAYING_MS ? [] : [own(`  ${formatDuration(durationMs)}`, 'dim')];
}

/** One row, whose middle is cut if there is too little room. */
function middleCut(head: Row, middle: Row, end: Row, width: number): Row {
  // The mark of a cut is two cells wide in some fonts.
  const room = Math.max(1, width - widestRow(head) - widestRow(end) - 1);
  return cutRow([...head, ...cutRow(middle, room, widestCells), ...end], width, widestCells);
}

function widestRow(row: Row): number {
  return row.reduce((sum, { text }) => sum + widestCells(text), 0);
}

function failureRows(summary: SafeText, denial: Denial | null, width: number): Row[] {
  if (summary === '' && denial === null) return [];
  const text = denial === null || denial.reason === '' ? summary : saidNo(denial);
  const rows = saidRows([text], 'warn', width, own(MARGIN));
  if (denial === null) return rows;
  const last = rows.at(-1) ?? [];
  const fits = rowCells(last) + HINT.length + 2 <= width;
  return fits ? [...rows.slice(0, -1), [...last, own(`  ${HINT}`, 'dim')]] : [...rows, [own(MARGIN), own(HINT, 'dim')]];
}

/** The rules that denied, and why: `policy_denied by frozen: The source is frozen today`. */
function saidNo({ rules, reason }: Denial): SafeText {
  const why = reason.length > MAX_REASON ? `${reason.slice(0, MAX_REASON - 1).toWellFormed()}…` : reason;
  return safeLine(rules.length === 0 ? `policy_denied: ${why}` : `policy_denied by ${rules.join(', ')}: ${why}`);
}

function excerptRows({ files, hidden }: NonNullable<Extract<Item, { kind: 'tool' }>['diff']>, look: ItemLook): Row[] {
  const rows = files.flatMap((file) => fileRows(file, { ...look, edge: [own(MARGIN)] }));
  const words = `${MARGIN}… ${plural(hidden, 'more line')}; /diff shows all that is staged`;
  return hidden === 0 ? rows : [...rows, [own(words, 'dim')]];
}
