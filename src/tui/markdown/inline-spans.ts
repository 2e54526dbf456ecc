import type { Token, Tokens } from 'marked';
import { safeLine } from '../store/safe-text.ts';
import type { Role, Span } from '../text/span.ts';
import { webAddress } from '../text/web-address.ts';

const LINE_BREAK = { kind: 'line-break' } as const;
type Inline = Span | typeof LINE_BREAK;

/**
 * A paragraph as lines, which end at its hard breaks. Text that is not Markdown stays unchanged; other line breaks and runs of blanks become one
 * blank.
 */
export function inlineLines(tokens: readonly Token[] | undefined, role: Role = 'plain'): Span[][] {
  const lines: Span[][] = [[]];
  for (const part of partsOf(tokens, role)) {
    if (isBreak(part)) lines.push([]);
    else lines.at(-1)?.push(part);
  }
  return lines;
}

/** The same in one line. */
export function inlineSpans(tokens: readonly Token[] | undefined, role: Role = 'plain'): Span[] {
  return partsOf(tokens, role).map((part) => (isBreak(part) ? said(' ', role) : part));
}

function isBreak(part: Inline): part is typeof LINE_BREAK {
  return part === LINE_BREAK;
}

function partsOf(tokens: readonly Token[] | undefined, role: Role): Inline[] {
  return (tokens ?? []).flatMap((token) => inlineOf(token, role));
}

function inlineOf(token: Token, role: Role): Inline[] {
  switch (token.type) {
    case 'strong':
      return partsOf(token.tokens, 'strong');
    case 'em':
      return partsOf(token.tokens, 'emphasis');
    case 'del':
      return partsOf(token.tokens, 'dim');
    case 'codespan':
      return [said((token as Tokens.Codespan).text, 'code')];
    case 'link':
      return linkSpans(token as Tokens.Link);
    case 'br':
      return [LINE_BREAK];
    case 'html':
      return /^<br\s*\/?>$/i.test(token.raw) ? [LINE_BREAK] : [said(token.raw, role)];
    case 'escape':
      return [said((token as Tokens.Escape).text, role)];
    case 'text':
      return token.tokens === undefined ? [said(token.raw, role)] : partsOf(token.tokens, role);
    default:
      return [said(token.raw, role)];
  }
}

/** The address is shown if it differs from the text, because a text can promise another target. */
function linkSpans({ href, text, tokens }: Tokens.Link): Span[] {
  const link = webAddress(href);
  const shown = inlineSpans(tokens, 'link').map((span) => ({ ...span, link }));
  return text === href || `mailto:${text}` === href
    ? shown
    : [...shown, said(' ('), { ...said(href, 'dim'), link }, said(')')];
}

/** Runs of blanks become one: many could fill a row, and so choose the beginning of the next one. */
function said(text: string, role: Role = 'plain'): Span {
  return { text: safeLine(text.replace(/[\p{Zs}\n\t]+/gu, ' ')), role };
}
