import type { SafeText } from '../store/safe-text.ts';
import { widestCells } from './cells.ts';
import { fileAddress } from './file-address.ts';
import type { FileAddress, FilePlace } from './file-address.ts';
import type { Row, Span } from './span.ts';

/** Kinds of files that a click opens in an editor. None of them is one that a desktop runs or shows as a page. */
const EXTENSIONS = [
  ...['js', 'mjs', 'cjs', 'jsx', 'ts', 'mts', 'cts', 'tsx', 'vue', 'svelte', 'css', 'scss', 'less'],
  ...[
    'py',
    'pyi',
    'go',
    'rs',
    'java',
    'kt',
    'scala',
    'swift',
    'cs',
    'rb',
    'php',
    'c',
    'h',
    'cc',
    'cpp',
    'cxx',
    'hh',
    'hpp',
  ],
  ...['json', 'jsonc', 'yaml', 'yml', 'toml', 'ini', 'md', 'mdx', 'txt', 'sql', 'proto', 'graphql'],
].join('|');
const NAME = '[\\p{L}\\p{N}_@+-][\\p{L}\\p{N}_@.+-]*';
/** A path whose name ends as that of a text, with its line perhaps. What is around it must not be a part of it. */
const PATH = new RegExp(
  `(?<![\\p{L}\\p{N}_@.+~%/:\\\\-])(\\.?/)?((?:${NAME}/)*)(${NAME}?\\.(?:${EXTENSIONS}))(?::(\\d{1,7})(?::\\d{1,7})?)?(?![\\p{L}\\p{N}_/\\\\-])`,
  'gu',
);

export interface Linking {
  readonly place: FilePlace;
  /** Of the terminal, in cells. */
  readonly width: number;
  /** A name alone is a file too, as in the line of a call; elsewhere it needs a folder or a line. */
  readonly bare: boolean;
}

/** Rows in which files of the project lead to them. The text stays as it is. What a row has only a part of gets no link. */
export function linkedFiles(rows: readonly Row[], linking: Linking): Row[] {
  return rows.map((row, index) => {
    const goesOn = index > 0 && isFull(rows[index - 1] ?? [], linking.width);
    const isCut = isFull(row, linking.width);
    return row.flatMap((span, at) =>
      span.link === undefined && (span.ground === undefined || span.text.trim() !== '')
        ? linkedSpan(span, linking, { goesOn: goesOn && isFirstText(row, at), isCut: isCut && at === row.length - 1 })
        : [span],
    );
  });
}

function isFull(row: Row, width: number): boolean {
  return row.reduce((sum, { text }) => sum + widestCells(text), 0) >= width - 1;
}

function isFirstText(row: Row, at: number): boolean {
  return row.slice(0, at).every(({ text }) => /^[\s│┊↪]*$/.test(text));
}

interface Edges {
  /** The span continues a word of the row above. */
  readonly goesOn: boolean;
  /** Its last word may go on in the row below. */
  readonly isCut: boolean;
}

function linkedSpan(span: Span, { place, bare }: Linking, { goesOn, isCut }: Edges): Span[] {
  const spans: Span[] = [];
  let from = 0;
  const add = (to: number, link?: FileAddress): void => {
    const text = span.text.slice(from, to) as SafeText;
    if (text !== '') spans.push(link === undefined ? { ...span, text } : { ...span, text, link });
    from = to;
  };
  for (const { 0: found, 1: start = '', 2: folder = '', 3: name = '', 4: line, index } of span.text.matchAll(PATH)) {
    const isWhole =
      !(goesOn && span.text.slice(0, index).trim() === '') && !(isCut && index + found.length === span.text.length);
    const isNamed = bare || folder !== '' || start !== '' || line !== undefined;
    const link = isWhole && isNamed ? fileAddress(place, `${start}${folder}${name}`, line) : undefined;
    if (link === undefined) continue;
    add(index);
    add(index + found.length, link);
  }
  add(span.text.length);
  return spans;
}
