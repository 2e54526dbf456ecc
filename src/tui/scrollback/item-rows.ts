import { assertNever } from '../../lib/assert-never.ts';
import { namedFileRows } from '../diff/named-file-rows.ts';
import { markdownRows } from '../markdown/markdown-rows.ts';
import { cardRows } from '../review/card-rows.ts';
import { formatDuration } from '../store/format-amount.ts';
import { plural } from '../../lib/text/plural.ts';
import type { Item } from '../store/item.ts';
import { safeLine } from '../store/safe-text.ts';
import type { SafeText } from '../store/safe-text.ts';
import { widestCells } from '../text/cells.ts';
import { cutRow } from '../text/cut-row.ts';
import { hangingRows } from '../text/hanging-rows.ts';
import { linkedFiles } from '../text/linked-files.ts';
import { own } from '../text/span.ts';
import type { Row, Span } from '../text/span.ts';
import { opens } from './item-look.ts';
import type { ItemLook } from './item-look.ts';
import { answerRows, INDENT, saidRows } from './said-rows.ts';
import { testRows } from './test-rows.ts';
import { readsRow, toolRows } from './tool-rows.ts';

/**
 * One item of the scrollback, in rows. Pure.
 *
 * The first column belongs to the review card, to what the person typed, and to Fluffy's own words. Text of a model, a tool or a file is after a
 * margin on each of its rows, and no row is wider than the terminal, which would wrap it without the margin. So nothing else can look like a card.
 */
export function itemRows(item: Item, look: ItemLook): Row[] {
  const { files: place, width } = look;
  const rows = rowsOf(item, look);
  if (place === undefined || !LEADING_TO_FILES.includes(item.kind)) return rows;
  return linkedFiles(rows, { place, width, bare: item.kind === 'tool' || item.kind === 'reads' });
}

/** What says where something is. A card leads nowhere. */
const LEADING_TO_FILES: readonly Item['kind'][] = ['text', 'tool', 'reads', 'tests', 'printed', 'answer', 'problem'];

function rowsOf(item: Item, look: ItemLook): Row[] {
  const { width } = look;
  switch (item.kind) {
    case 'header':
      return headerRows(item, width);
    case 'user':
      return saidRows(item.lines, 'strong', width, own('> ', 'dim'));
    case 'command':
      return saidRows([item.line], 'accent', width, own('> ', 'dim'));
    case 'script':
      return saidRows(item.lines, 'strong', width, own('! ', 'accent'));
    case 'printed':
      return printedRows(item, width);
    case 'text':
      return markdownRows(item.block.raw, { ...look, margin: [own(INDENT)] });
    case 'tool':
      return toolRows(item, look);
    case 'reads':
      return [readsRow(item, look)];
    case 'thought':
      return [[own('  ∴ ', 'dim'), own(`thought for ${formatDuration(item.durationMs)}${opens(look, 'it')}`, 'dim')]];
    case 'tests':
      return testRows(item.tests, INDENT.length, look);
    case 'state':
      return hanging([own('  → ', 'dim')], [own(item.to, 'strong'), own('  '), { text: item.why, role: 'dim' }], width);
    case 'proposal':
      return proposalRows(item, width);
    case 'card':
      return cardRows(item.card, { ...look, place: look.lends ? 'screen' : 'lines' });
    case 'decided': {
      const role = item.good ? 'good' : 'warn';
      return saidRows([item.text], role, width, own(item.good ? '  ✓ ' : '  ✗ ', role));
    }
    case 'note':
      return item.level === 'warn'
        ? saidRows([item.text], 'warn', width, own('  ! ', 'warn'))
        : saidRows([item.text], 'dim', width, own('  · ', 'dim'));
    case 'problem':
      return problemRows(item, width);
    case 'answer':
      return answerRows(item.lines, width);
    case 'diff':
      return namedFileRows(item.diff, { ...look, edge: [own(INDENT)] });
    case 'finished':
      return [
        ...saidRows(item.reason, 'plain', width),
        ...hanging([], [{ text: item.line, role: item.good ? 'good' : 'warn' }], width),
      ];
    default:
      return assertNever(item);
  }
}

function hanging(first: Row, text: readonly Span[], width: number): Row[] {
  const cells = first.reduce((sum, span) => sum + span.text.length, 0);
  return hangingRows(text, { first, rest: cells === 0 ? [] : [own(' '.repeat(cells))], breakAt: 'blank' }, width);
}

function printedRows(item: Extract<Item, { kind: 'printed' }>, width: number): Row[] {
  const { lines, hidden, good, end, durationMs } = item;
  const left = hidden === 0 ? [] : [[own(`${INDENT}… ${plural(hidden, 'earlier line')} left out`, 'dim')]];
  const mark = good ? own('  ✓ ', 'good') : own('  ✗ ', 'bad');
  const words = lines.length === 0 && good ? 'printed nothing' : end;
  const last: Row = [mark, { text: safeLine(words), role: good ? 'dim' : 'bad' }];
  const took = own(`  ${formatDuration(durationMs)}; the model reads it with your next message`, 'dim');
  return [...left, ...saidRows(lines, 'plain', width), cutRow([...last, took], width, widestCells)];
}

function headerRows({ version, project, model, mode }: Extract<Item, { kind: 'header' }>, width: number): Row[] {
  const name = [own('fluffy', 'strong'), own(` ${version}  `, 'dim')];
  // While the session is not chosen, its model and mode are not known either.
  const session = model === '' ? [] : [model, `${mode} mode`];
  return [
    ...hanging(name, [{ text: project, role: 'plain' }], width),
    ...inWholeParts([...session, '/ commands', '@ files', '? keys'], width).flatMap((words) =>
      hanging([], [own(words, 'dim')], width),
    ),
  ];
}

/** Parts in rows that end between two of them. */
function inWholeParts(parts: readonly string[], width: number): readonly string[] {
  return parts.reduce<string[]>((rows, part) => {
    const longer = [...rows.slice(-1), part].join(' · ');
    return rows.length > 0 && widestCells(longer) <= width ? [...rows.slice(0, -1), longer] : [...rows, part];
  }, []);
}

function proposalRows({ message, diff }: Extract<Item, { kind: 'proposal' }>, width: number): Row[] {
  const mark = own('Commit  ', 'dim');
  const words = `${plural(diff.files.length, 'file')}, +${diff.added} -${diff.removed}`;
  return [...saidRows(message, 'plain', width, mark), [own(`${' '.repeat(mark.text.length)}${words}`, 'dim')]];
}

function problemRows(
  { what, why, fix }: { readonly what: SafeText; readonly why: SafeText; readonly fix: SafeText },
  width: number,
): Row[] {
  return [
    ...saidRows([what], 'bad', width, own('✗ ', 'bad')),
    ...saidRows([why], 'plain', width, own('  Reason: ')),
    ...saidRows([fix], 'plain', width, own('  Fix: ')),
  ];
}
