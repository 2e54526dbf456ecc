import { lexer } from 'marked';
import type { Token, Tokens } from 'marked';
import type { CodeColours } from '../code/code-colours.ts';
import { plainPiece } from '../code/code-colours.ts';
import { safeLine } from '../store/safe-text.ts';
import { hangingRows } from '../text/hanging-rows.ts';
import { own } from '../text/span.ts';
import type { RawPiece, Role, Row, Span } from '../text/span.ts';
import { inlineSpans } from './inline-spans.ts';
import { markdownParts } from './markdown-parts.ts';
import { tableRows } from './table-rows.ts';

export interface MarkdownLook {
  readonly width: number;
  readonly colours: CodeColours;
}

interface Block extends MarkdownLook {
  /** What every row begins with. */
  readonly margin: Row;
}

/** The text of a model as rows. Pure. Links, emphasis, headings, lists, quotes, tables and code are drawn; anything else stays as it was written. */
export function markdownRows(text: string, look: MarkdownLook): Row[] {
  const block: Block = { ...look, margin: [] };
  const parts = markdownParts(text).map((part) =>
    part.isPlain ? plainRows(part.text, block) : drawnRows(part.text, block),
  );
  return separated(parts, block);
}

/** The parser recurses and can run out of stack: then the text stays as it was written. */
function drawnRows(text: string, block: Block): Row[] {
  try {
    return blockRows(lexer(text, { gfm: true }), block);
  } catch {
    return plainRows(text, block);
  }
}

function blockRows(tokens: readonly Token[], block: Block): Row[] {
  const parts = tokens.filter(({ type }) => type !== 'space' && type !== 'def').map((token) => rowsOf(token, block));
  return separated(parts, block);
}

function separated(parts: readonly Row[][], block: Block): Row[] {
  const filled = parts.filter((rows) => rows.length > 0);
  return filled.flatMap((rows, index) => (index === 0 ? rows : [block.margin, ...rows]));
}

function rowsOf(token: Token, block: Block): Row[] {
  switch (token.type) {
    case 'heading':
      return prose(inlineSpans(token.tokens, 'heading'), block);
    case 'paragraph':
    case 'text':
      return prose(inlineSpans(token.tokens ?? [token]), block);
    case 'list':
      return listRows(token as Tokens.List, block);
    case 'code':
      return codeRows(token as Tokens.Code, block);
    case 'blockquote':
      return blockRows((token as Tokens.Blockquote).tokens, { ...block, margin: [...block.margin, own('▌ ', 'dim')] });
    case 'table':
      return tableRows(token as Tokens.Table, block);
    case 'hr':
      return [[...block.margin, own('───', 'dim')]];
    default:
      return plainRows(token.raw, block);
  }
}

function plainRows(text: string, block: Block): Row[] {
  return text
    .replace(/\n+$/, '')
    .split('\n')
    .flatMap((line) => prose([{ text: safeLine(line), role: 'plain' }], block));
}

function prose(spans: readonly Span[], { margin, width }: Block): Row[] {
  return hangingRows(spans, { first: margin, rest: margin, breakAt: 'blank' }, width);
}

function listRows({ items, ordered, start }: Tokens.List, block: Block): Row[] {
  return items.flatMap((item, index) => {
    const bullet = ordered ? `${Number(start === '' ? 1 : start) + index}. ` : '• ';
    const mark = item.task ? `${item.checked === true ? '✓' : '☐'} ` : bullet;
    const rest = [...block.margin, own(' '.repeat(mark.length))];
    // The parts of an item stand together, without the empty rows between blocks.
    const rows = item.tokens
      .filter(({ type }) => type !== 'space' && type !== 'checkbox')
      .flatMap((token) => rowsOf(token, { ...block, margin: rest }));
    const [first = rest, ...others] = rows;
    return [[...block.margin, own(mark, 'accent'), ...first.slice(rest.length)], ...others];
  });
}

function codeRows({ text, lang }: Tokens.Code, { colours, margin, width }: Block): Row[] {
  const language = colours.languageOf((lang ?? '').split(/\s/)[0] ?? '');
  const coloured = language === null ? null : colours.lines(text, language);
  const lines: readonly (readonly RawPiece[])[] = coloured ?? text.split('\n').map(plainPiece);
  const first = [...margin, own('  ')];
  return lines.flatMap((line) => hangingRows(line.map(codeSpan), { first, rest: first, breakAt: 'character' }, width));
}

function codeSpan({ raw, role }: RawPiece): Span {
  const plain: Role = 'plain';
  return { text: safeLine(raw), role: role === 'plain' ? plain : role };
}
