import { ownValue } from '../../lib/own-value.ts';
import type { CodeColours } from '../code/code-colours.ts';
import { plainPiece } from '../code/code-colours.ts';
import { cutPieces } from '../text/cut-pieces.ts';
import { hangingRows } from '../text/hanging-rows.ts';
import { own } from '../text/span.ts';
import type { Ground, Raw, RawPiece, Role, Row } from '../text/span.ts';
import { spellOut } from '../text/spell-out.ts';
import { changedWords } from './changed-words.ts';
import { SIGNS } from './line-signs.ts';
import type { DiffFile, DiffLine, Hunk } from './read-diff.ts';
import { isSideBySide, sideBySideRows } from './side-by-side.ts';

export interface DiffLook {
  readonly width: number;
  readonly colours: CodeColours;
  /** The beginning of every row. */
  readonly edge: Row;
}

const CONTINUED = '↪';

/** An ordinary mode is not shown; any other is. */
const PLAIN_REMARKS: Readonly<Record<string, string>> = {
  'new file mode 100644': 'new file',
  'deleted file mode 100644': 'deleted file',
};

/**
 * The changed lines of a file; in a wide terminal the old ones beside the new. Every row has its line's number and sign, and continuation rows are
 * marked.
 */
export function fileRows(file: DiffFile, look: DiffLook): Row[] {
  const digits = numberWidth(file);
  const language = look.colours.languageOf(file.path);
  return [
    ...file.remarks.flatMap(({ raw }) => textRows({ raw: ownValue(PLAIN_REMARKS, raw) ?? raw }, 'dim', digits, look)),
    ...file.hunks.flatMap((hunk, index) =>
      hunkRows(hunk, index === 0, { digits, language, look, isSideBySide: isSideBySide(file, look.width) }),
    ),
  ];
}

/** Lines of an unchanged text, with their numbers. */
export function numberedRows(lines: readonly Raw[], look: DiffLook): Row[] {
  const digits = Math.max(3, String(lines.length).length);
  return lines.flatMap(({ raw }, index) => {
    const first = [...look.edge, own(`${String(index + 1).padStart(digits)}   `, 'dim')];
    const rest = [...look.edge, own(`${CONTINUED.padStart(digits)}   `, 'dim')];
    return hangingRows(spellOut(plainPiece(raw)), { first, rest, breakAt: 'character' }, look.width);
  });
}

export function numberWidth({ hunks }: DiffFile): number {
  const last = hunks.flatMap(({ lines }) => lines.map(({ number, oldNumber = 0 }) => Math.max(number ?? 0, oldNumber)));
  return Math.max(3, String(last.reduce((a, b) => Math.max(a, b), 0)).length);
}

interface HunkLook {
  readonly digits: number;
  readonly language: string | null;
  readonly look: DiffLook;
  readonly isSideBySide: boolean;
}

function hunkRows(hunk: Hunk, isFirst: boolean, hunkLook: HunkLook): Row[] {
  const { digits, language, look } = hunkLook;
  const coloured = colourLines(hunk, language, look.colours);
  const grounded = markWords(hunk.lines, coloured);
  const lines = hunk.lines.map((line, index) => ({ line, pieces: grounded[index] ?? [] }));
  const rows = hunkLook.isSideBySide
    ? sideBySideRows(lines, { ...look, digits })
    : lines.flatMap(({ line, pieces }) => lineRows(line, pieces, digits, look));
  const begins = hunk.startsAt <= 1 && isFirst && hunk.heading.raw === '';
  if (begins) return rows;
  const heading = { raw: `line ${hunk.startsAt}${hunk.heading.raw === '' ? '' : `  ${hunk.heading.raw}`}` };
  return [...textRows(heading, 'accent', digits, look), ...rows];
}

function lineRows(line: DiffLine, pieces: readonly RawPiece[], digits: number, { edge, width }: DiffLook): Row[] {
  if (line.kind === 'remark') return textRows(line, 'dim', digits, { edge, width });
  const { sign, role, ground } = SIGNS[line.kind];
  const margin = (number: string): Row => [
    ...edge,
    { ...own(`${number.padStart(digits)} `, 'dim'), ground },
    { ...own(`${sign} `, role), ground },
  ];
  const first = margin(String(line.number ?? ''));
  return hangingRows(spellOut(pieces), { first, rest: margin(CONTINUED), breakAt: 'character' }, width);
}

function textRows({ raw }: Raw, role: Role, digits: number, { edge, width }: Omit<DiffLook, 'colours'>): Row[] {
  const margin = (mark: string): Row => [...edge, own(`${mark.padStart(digits)}   `, 'dim')];
  return hangingRows(
    spellOut([{ raw, role }]),
    { first: margin('⋯'), rest: margin(CONTINUED), breakAt: 'character' },
    width,
  );
}

/** Each side of a hunk is coloured by itself, because a quoted text may begin in a line that only one side has. */
function colourLines({ lines }: Hunk, language: string | null, colours: CodeColours): (readonly RawPiece[])[] {
  const side = (without: DiffLine['kind']) => {
    const own = [...lines.entries()].filter(([, { kind }]) => kind !== without && kind !== 'remark');
    const text = own.map(([, { raw }]) => raw).join('\n');
    const coloured = language === null || own.length === 0 ? null : colours.lines(text, language);
    return new Map(own.map(([index], at) => [index, coloured?.[at]]));
  };
  const before = side('added');
  const after = side('removed');
  return lines.map((line, index) => {
    const found = line.kind === 'removed' ? before.get(index) : after.get(index);
    return found ?? plainPiece(line.raw);
  });
}

/** The background of each changed line, and of its words that differ from the line it replaces. */
function markWords(lines: readonly DiffLine[], coloured: readonly (readonly RawPiece[])[]): (readonly RawPiece[])[] {
  const grounded = coloured.map((pieces, index) => {
    const ground = SIGNS[lines[index]?.kind ?? 'context'].ground;
    return ground === undefined ? pieces : pieces.map((piece) => ({ ...piece, ground }));
  });
  for (const [old, fresh] of replacedLines(lines)) {
    const words = changedWords(lines[old]?.raw ?? '', lines[fresh]?.raw ?? '');
    if (words === null) continue;
    const mark = (ground: Ground) => (piece: RawPiece) => ({ ...piece, ground });
    grounded[old] = cutPieces(grounded[old] ?? [], words.removed, mark('removed-word'));
    grounded[fresh] = cutPieces(grounded[fresh] ?? [], words.added, mark('added-word'));
  }
  return grounded;
}

/** Pairs of a removed line and the added line that replaces it: the first with the first, if added lines follow removed ones. */
function replacedLines(lines: readonly DiffLine[]): (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = [];
  let index = 0;
  while (index < lines.length) {
    const removed = runOf(lines, index, 'removed');
    const added = runOf(lines, index + removed, 'added');
    for (let at = 0; at < Math.min(removed, added); at += 1) pairs.push([index + at, index + removed + at]);
    index += Math.max(1, removed + added);
  }
  return pairs;
}

function runOf(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): number {
  let end = from;
  while (lines[end]?.kind === kind) end += 1;
  return end - from;
}
