import type { CardFacts } from '../../contracts/review/review-card.ts';
import type { DiffFile } from '../diff/read-diff.ts';
import { hangingRows } from '../text/hanging-rows.ts';
import { own } from '../text/span.ts';
import type { Role, Row, Span } from '../text/span.ts';
import { spellOut } from '../text/spell-out.ts';
import type { Card } from './card.ts';
import type { SectionLook } from './section-look.ts';

/** A file of the change, with Fluffy's own words before its name. */
export interface LabelledFile {
  readonly file: DiffFile;
  readonly label: readonly Span[];
}

type ClassifiedFile = CardFacts['files'][number];

const CLASS_ROLES = {
  test: 'accent',
  source: 'good',
  docs: 'plain',
  other: 'plain',
} as const satisfies Record<ClassifiedFile['kind'], Role>;
const CLASS_CELLS = 'sensitive '.length;

/** The files in the order of the change, sensitive ones first. */
export function labelledFiles({
  diff,
  facts,
  accepted,
}: Pick<Card, 'diff' | 'facts' | 'accepted'>): readonly LabelledFile[] {
  const known = new Map(facts?.files.map((file) => [file.path, file]));
  const cells = (of: 'added' | 'removed') => Math.max(1, ...diff.files.map((file) => String(file[of]).length)) + 1;
  const [addedCells, removedCells] = [cells('added'), cells('removed')];
  const labelled = diff.files.map((file) => {
    const label = [
      ...(accepted.size === 0 ? [] : [own(accepted.has(file.path) ? '✓ ' : '  ', 'good')]),
      ...(facts === null ? [] : [classSpan(known.get(file.path))]),
      own(`+${file.added}`.padStart(addedCells), 'good'),
      own(` ${`-${file.removed}`.padStart(removedCells)}  `, 'bad'),
    ];
    return { file, label, first: known.get(file.path)?.sensitive === true };
  });
  return [...labelled.filter(({ first }) => first), ...labelled.filter(({ first }) => !first)];
}

function classSpan(known: ClassifiedFile | undefined): Span {
  if (known === undefined) return own('unknown'.padEnd(CLASS_CELLS), 'warn');
  return known.sensitive
    ? own('sensitive'.padEnd(CLASS_CELLS), 'bad')
    : own(known.kind.padEnd(CLASS_CELLS), CLASS_ROLES[known.kind]);
}

/** The changed files, their class in the policy, and the size of the change; empty for a single file, which its own line names. */
export function filesTable(card: Card, { edge, width }: SectionLook): Row[] {
  const files = labelledFiles(card);
  if (files.length < 2) return [];
  const rows = files.flatMap(({ file, label }) => {
    const first = [...edge, own('  '), ...label];
    const rest = [...edge, own('  ↪  ', 'dim')];
    const name = spellOut([{ raw: file.path, role: 'plain' }]);
    return hangingRows(name, { first, rest, breakAt: 'character' }, width);
  });
  const heading = [own('Files', 'strong'), ...(card.accepted.size === 0 ? [] : [own('  ✓ as you accepted it', 'dim')])];
  return [edge, [...edge, ...heading], ...rows];
}
