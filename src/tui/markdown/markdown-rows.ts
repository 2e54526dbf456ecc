import { lexer } from 'marked';
import type { Token, Tokens } from 'marked';
import { firstText } from '../../lib/text/first-last.ts';
import type { CodeColours } from '../code/code-colours.ts';
import { plainPiece } from '../code/code-colours.ts';
import { exactLine, safeLine } from '../store/safe-text.ts';
import { cutRow } from '../text/cut-row.ts';
import { hangingRows } from '../text/hanging-rows.ts';
import { own } from '../text/span.ts';
import type { RawPiece, Role, Row, Span } from '../text/span.ts';
import { inlineLines } from './inline-spans.ts';
import { markdownParts } from './markdown-parts.ts';
import { tableRows } from './table-rows.ts';

export interface MarkdownLook {
  readonly width: number;
  readonly colours: CodeColours;
  /** The beginning of every row: no text of a model reaches the column in which Fluffy's own rows begin. */
  readonly margin: Row;
}

/** The text of a model as rows. Pure. Links, emphasis, headings, lists, quotes, tables and code are drawn; anything else stays unchanged. */
export function markdownRows(text: string, look: MarkdownLook): Row[] {
  const parts = markdownParts(text).map((part) =>
    part.isPlain ? plainRows(part.text, look) : drawnRows(part.text, look),
  );
  return separated(parts, look);
}

/** The parser recurses and can exceed the stack: then the text stays unchanged. */
function drawnRows(text: string, block: MarkdownLook): Row[] {
  try {
    return blockRows(lexer(text, { gfm: true }), block);
  } catch {
    return plainRows(text, block);
  }
}

function blockRows(tokens: readonly Token[], block: MarkdownLook): Row[] {
  const parts = tokens.filter(({ type }) => type !== 'space' && type !== 'def').map((token) => rowsOf(token, block));
  return separated(parts, block);
}

function separated(parts: readonly Row[][], block: MarkdownLook): Row[] {
  const filled = parts.filter((rows) => rows.length > 0);
  return filled.flatMap((rows, index) => (index === 0 ? rows : [block.margin, ...rows]));
}

function rowsOf(token: Token, block: MarkdownLook): Row[] {
  switch (token.type) {
    case 'heading':
      return lineRows(inlineLines(token.tokens, 'heading'), block);
    case 'paragraph':
    case 'text':
      return lineRows(inlineLines(token.tokens ?? [token]), block);
    case 'list':
      return listRows(token as Tokens.List, block);
    case 'code':
      return codeRows(token as Tokens.Code, block);
    case 'blockquote':
      return blockRows((token as Tokens.Blockquote).tokens, { ...block, margin: [...block.margin, own('▌ ', 'dim')] });
    case 'table':
      // The widths of parts do not always add up to that of the row, because combining marks join the character before them.
      return tableRows(token as Tokens.Table, block).map((row) => cutRow(row, block.width));
    case 'hr':
      return [[...block.margin, own('───', 'dim')]];
    default:
      return plainRows(token.raw, block);
  }
}

function plainRows(text: string, block: MarkdownLook): Row[] {
  return text
    .replace(/\n+$/, '')
    .split('\n')
    .flatMap((line) => prose([{ text: safeLine(line), role: 'plain' }], block));
}

function lineRows(lines: readonly (readonly Span[])[], block: MarkdownLook): Row[] {
  return lines.flatMap((spans) => prose(spans, block));
}

function prose(spans: readonly Span[], { margin, width }: MarkdownLook): Row[] {
  return hangingRows(spans, { first: margin, rest: margin, breakAt: 'blank' }, width);
}

function listRows({ items, ordered, start }: Tokens.List, block: MarkdownLook): Row[] {
  return items.flatMap((item, index) => {
    const bullet = ordered ? `${Number(start === '' ? 1 : start) + index}. ` : '• ';
    const mark = item.task ? `${item.checked === true ? '✓' : '☐'} ` : bullet;
    const rest = [...block.margin, own(' '.repeat(mark.length))];
    // The parts of an item follow each other without empty rows.
    const rows = item.tokens
      .filter(({ type }) => type !== 'space' && type !== 'checkbox')
      .flatMap((token) => rowsOf(token, { ...block, margin: rest }));
    const [first = rest, ...others] = rows;
    return [[...block.margin, own(mark, 'accent'), ...first.slice(rest.length)], ...others];
  });
}

function codeRows({ text, lang }: Tokens.Code, { colours, margin, width }: MarkdownLook): Row[] {
  const language = colours.languageOf(firstText((lang ?? '').split(/\s/)));
  const coloured = language === null ? null : colours.lines(text, language);
  const lines: readonly (readonly RawPiece[])[] = coloured ?? text.split('\n').map(plainPiece);
  const first = [...margin, own('  ')];
  return lines.flatMap((line) => hangingRows(line.map(codeSpan), { first, rest: first, breakAt: 'character' }, width));
}

function codeSpan({ raw, role }: RawPiece): Span {
  const plain: Role = 'plain';
  return { text: exactLine(raw), role: role === 'plain' ? plain : role };
}
