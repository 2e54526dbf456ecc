import type { CodeColours } from '../code/code-colours.ts';
import { fileRows, numberedRows } from '../diff/diff-rows.ts';
import { plural } from '../../lib/text/plural.ts';
import { hangingRows } from '../text/hanging-rows.ts';
import { own } from '../text/span.ts';
import type { Raw, Role, Row, Span } from '../text/span.ts';
import { spellOut } from '../text/spell-out.ts';
import type { Card } from './card.ts';
import { choicesOf, titleOf } from './card-words.ts';
import type { CardPlace } from './card-words.ts';
import { filesTable, labelledFiles } from './files-table.ts';
import { proofTable } from './proof-table.ts';
import type { SectionLook } from './section-look.ts';

export interface CardLook {
  readonly width: number;
  readonly colours: CodeColours;
  /** Where the review is decided. */
  readonly place: CardPlace;
  /** Further lines about the review from fluffy itself. */
  readonly remarks?: readonly string[];
}

const RISK_ROLES = { low: 'good', medium: 'warn', high: 'bad' } as const satisfies Record<Card['risk'], Role>;

/** A longer change scrolls the reasons away: they are shown again below it. */
const REPEATED_BELOW_ROWS = 12;
const MIN_WIDTH = 24;
/** In a narrower card, the consequence of a choice is in the rows below it. */
const CHOICES_BESIDE = 60;

/**
 * A waiting review: the intention, the risk and its reasons, the proof, the complete change, and the consequence of each choice. Pure.
 *
 * Every row begins with the edge of the card. The card's own words follow immediately; text of a model, a tool or a file is after a margin of blanks,
 * a number or a mark on each of its rows, and a row is never wider than the terminal. So no text can draw a row that looks like one of the card's
 * own.
 */
export function cardRows(card: Card, { width: available, colours, place, remarks = [] }: CardLook): Row[] {
  const width = Math.max(MIN_WIDTH, available);
  const edge = [own('│ ', RISK_ROLES[card.risk])];
  const look = { edge, width, colours };
  const change = changeRows(card, look);
  const reasons = whyRows(card, look);
  const again = change.length > REPEATED_BELOW_ROWS ? [edge, ...headRows(card, look, '│ '), ...reasons] : [];
  return [
    ...headRows(card, look, '╭ '),
    edge,
    ...reasons,
    ...messageRows(card, look),
    ...filesTable(card, look),
    ...proofTable(card, look),
    ...change,
    ...again,
    edge,
    ...remarks.flatMap((remark) => remarkRows(remark, look)),
    ...choiceRows(card, place, look),
  ];
}

/** The review without the change itself. */
export function overviewRows(card: Card, look: SectionLook): Row[] {
  return [
    ...headRows(card, look, '│ '),
    look.edge,
    ...whyRows(card, look),
    ...messageRows(card, look),
    ...filesTable(card, look),
    ...proofTable(card, look),
  ];
}

function headRows(card: Card, { edge, width }: SectionLook, corner: string): Row[] {
  const { diff, facts, kind, risk } = card;
  const verified = facts?.grade.verified === true ? own('verified', 'good') : own('not verified', 'warn');
  const parts: Span[] = [
    own('Review', 'strong'),
    own(` ${titleOf(kind)} · `),
    own(`${risk} risk`, RISK_ROLES[risk]),
    ...(facts === null ? [] : [own(' · '), verified]),
    ...(kind === 'merge' ? [own(` · ${plural(diff.files.length, 'file')}, +${diff.added} -${diff.removed}`)] : []),
  ];
  const first = [own(corner, RISK_ROLES[risk])];
  return hangingRows(parts, { first, rest: edge, breakAt: 'blank' }, width);
}

/** Reasons and warnings, then why the commit cannot be called verified. */
function whyRows({ facts, reasons, warnings }: Card, look: SectionLook): Row[] {
  const unproven = facts === null || facts.grade.verified ? [] : facts.grade.reasons;
  const rawOf = (texts: readonly string[]) => texts.map((raw) => ({ raw }));
  return [
    ...listRows('You are asked because', reasons, 'plain', look),
    ...listRows('Not verified, because', rawOf(unproven), 'plain', look),
    ...listRows('Look twice', rawOf(warnings), 'bad', look),
  ];
}

function listRows(title: string, items: readonly Raw[], role: Role, { edge, width }: SectionLook): Row[] {
  if (items.length === 0) return [];
  const rows = items.flatMap(({ raw }, index) => {
    const first = [...edge, own(`${String(index + 1).padStart(3)}  `, 'dim')];
    return hangingRows(spellOut([{ raw, role }]), { first, rest: continued(edge), breakAt: 'blank' }, width);
  });
  return [[...edge, own(title, 'strong')], ...rows];
}

/** The margin of a continuation row of foreign text. */
function continued(edge: Row): Row {
  return [...edge, own('  ↪  ', 'dim')];
}

function messageRows({ message, kind }: Card, { edge, width }: SectionLook): Row[] {
  if (message.length === 0) return [];
  const first = [...edge, own('  ┊  ', 'dim')];
  const rows = message.flatMap(({ raw }, index) => {
    const text = spellOut([{ raw, role: index === 0 ? 'strong' : 'plain' }]);
    return hangingRows(text, { first, rest: continued(edge), breakAt: 'blank' }, width);
  });
  return [edge, [...edge, own(kind === 'merge' ? 'Message' : 'What', 'strong')], ...rows];
}

/** The files, each below a line with its class, counts and name. */
function changeRows(card: Card, look: SectionLook): Row[] {
  const { edge, width } = look;
  const { loose } = card.diff;
  const files = labelledFiles(card).flatMap(({ file, label }) => {
    const name = spellOut([{ raw: file.path, role: 'strong' }]);
    const margin = { first: [...edge, ...label], rest: continued(edge), breakAt: 'character' } as const;
    return [edge, ...hangingRows(name, margin, width), ...fileRows(file, look)];
  });
  return [...(loose.length === 0 ? [] : [edge, ...numberedRows(loose, look)]), ...files];
}

function choiceRows(card: Card, place: CardLook['place'], { edge, width }: SectionLook): Row[] {
  const { risk } = card;
  const choices = choicesOf(card, place);
  const column = Math.max(...choices.map(([command]) => command.length)) + 2;
  const below = (cells: number) => [...edge, own(' '.repeat(cells))];
  const rows = choices.flatMap(([command, consequence]): Row[] => {
    const name = [...edge, own(command.padEnd(column), 'strong')];
    const text = [own(consequence)];
    if (width >= CHOICES_BESIDE)
      return hangingRows(text, { first: name, rest: below(column), breakAt: 'blank' }, width);
    return [name, ...hangingRows(text, { first: below(2), rest: below(2), breakAt: 'blank' }, width)];
  });
  const last = rows.at(-1)?.slice(edge.length) ?? [];
  return [...rows.slice(0, -1), [own('╰ ', RISK_ROLES[risk]), ...last]];
}

function remarkRows(remark: string, { edge, width }: SectionLook): Row[] {
  const text = spellOut([{ raw: remark, role: 'dim' }]);
  return hangingRows(text, { first: edge, rest: continued(edge), breakAt: 'blank' }, width);
}
