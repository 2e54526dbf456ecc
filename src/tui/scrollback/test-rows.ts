import { plural } from '../../lib/text/plural.ts';
import type { TestReport } from '../store/item.ts';
import type { SafeText } from '../store/safe-text.ts';
import { own } from '../text/span.ts';
import type { Role, Row, Span } from '../text/span.ts';
import { opens } from './item-look.ts';
import type { ItemLook } from './item-look.ts';
import { saidRows } from './said-rows.ts';

/** Maximum lines of a failure on the screen; the rest is shown with the call. */
const MAX_WHY_ROWS = 6;

/** The counts, and the failures below their files, with expected and actual values; `indent` in cells. Pure. */
export function testRows(tests: TestReport, indent: number, look: Pick<ItemLook, 'width' | 'openKey'>): Row[] {
  const { width } = look;
  const margin = (further = 0) => ' '.repeat(indent + further);
  const files = [...new Set(tests.failures.map(({ file }) => file))];
  const failures = files.flatMap((file) => [
    ...saidRows([file], 'plain', width, own(margin())),
    ...tests.failures
      .filter((each) => each.file === file)
      .flatMap(({ name, why }) => [
        ...saidRows([name], 'bad', width, own(`${margin(2)}✗ `, 'bad')),
        ...why.slice(0, MAX_WHY_ROWS).flatMap((line) => saidRows([line], roleOfReason(line), width, own(margin(4)))),
        ...moreRow(why.length - MAX_WHY_ROWS, margin(4), look),
      ]),
  ]);
  const hidden = tests.hidden > 0 ? [[own(`${margin()}… ${plural(tests.hidden, 'more failure')}`, 'dim')]] : [];
  return [[own(`${margin()}tests `), ...countSpans(tests)], ...failures, ...hidden];
}

function moreRow(more: number, margin: string, look: Pick<ItemLook, 'openKey'>): Row[] {
  return more > 0 ? [[own(`${margin}… ${plural(more, 'more line')}${opens(look, 'all')}`, 'dim')]] : [];
}

function countSpans({ outcome, passed, failed, skipped }: TestReport): Span[] {
  if (outcome !== 'passed' && outcome !== 'failed') return [{ text: outcome, role: 'bad' }];
  return [
    ...(failed > 0 ? [own(`${failed} failed, `, 'bad')] : []),
    own(`${passed} passed`, passed > 0 ? 'good' : 'plain'),
    ...(skipped > 0 ? [own(`, ${skipped} skipped`, 'warn')] : []),
  ];
}

/** Runners mark expected and actual values in two ways: by words, or by signs as in a diff. */
const EXPECTED = /^(\s*[-] |\s*expected\b)/i;
const ACTUAL = /^(\s*[+] |\s*(actual|received|but got)\b)/i;

function roleOfReason(line: SafeText): Role {
  if (EXPECTED.test(line)) return 'good';
  return ACTUAL.test(line) ? 'bad' : 'dim';
}
