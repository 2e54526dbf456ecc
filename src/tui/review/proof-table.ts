import type { CardFacts } from '../../contracts/review/review-card.ts';
import { hangingRows } from '../text/hanging-rows.ts';
import { own } from '../text/span.ts';
import type { Role, Row } from '../text/span.ts';
import { spellOut } from '../text/spell-out.ts';
import type { Card } from './card.ts';
import type { SectionLook } from './section-look.ts';

const OUTCOMES = {
  held: { mark: '✓', role: 'good' },
  failed: { mark: '✗', role: 'bad' },
  impossible: { mark: '–', role: 'warn' },
} as const satisfies Record<CardFacts['proof'][number]['outcome'], { mark: string; role: Role }>;

/** With less room beside its title, a detail is in the rows below. */
const MIN_DETAIL_CELLS = 24;

/** The observations, one row each, in the kernel's order. */
export function proofTable({ facts }: Card, { edge, width }: SectionLook): Row[] {
  const proof = facts?.proof ?? [];
  if (proof.length === 0) return [];
  const column = Math.max(...proof.map(({ title }) => title.length)) + 2;
  const beside = width - column - 6 >= MIN_DETAIL_CELLS;
  const rest = [...edge, own('  ↪ ', 'dim'), own(' '.repeat(beside ? column : 0))];
  const rows = proof.flatMap(({ title, outcome, detail }) => {
    const { mark, role } = OUTCOMES[outcome];
    const name = [...edge, own(`  ${mark} `, role), own(beside ? title.padEnd(column) : title)];
    const first = beside ? name : [...edge, own('  ┊ ', 'dim')];
    const text = hangingRows(spellOut([{ raw: detail, role: 'dim' }]), { first, rest, breakAt: 'blank' }, width);
    return beside ? text : [name, ...text];
  });
  return [edge, [...edge, own('Proof', 'strong')], ...rows];
}
