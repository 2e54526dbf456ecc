import type { Token, Tokens } from 'marked';
import { safeLine } from '../store/safe-text.ts';
import type { Role, Span } from '../text/span.ts';
import { webAddress } from '../text/web-address.ts';

/** The parts of a paragraph with their styles. What is no Markdown stays as it was written; line breaks become blanks. */
export function inlineSpans(tokens: readonly Token[] | undefined, role: Role = 'plain'): Span[] {
  return (tokens ?? []).flatMap((token) => spansOf(token, role));
}

function spansOf(token: Token, role: Role): Span[] {
  switch (token.type) {
    case 'strong':
      return inlineSpans(token.tokens, 'strong');
    case 'em':
      return inlineSpans(token.tokens, 'emphasis');
    case 'del':
      return inlineSpans(token.tokens, 'dim');
    case 'codespan':
      return [said((token as Tokens.Codespan).text, 'code')];
    case 'link':
      return linkSpans(token as Tokens.Link);
    case 'br':
      return [said(' ', role)];
    case 'escape':
      return [said((token as Tokens.Escape).text, role)];
    case 'text':
      return token.tokens === undefined ? [said(token.raw, role)] : inlineSpans(token.tokens, role);
    default:
      return [said(token.raw, role)];
  }
}

/** The address is shown wherever the text is another one: a text can promise what it does not lead to. */
function linkSpans({ href, text, tokens }: Tokens.Link): Span[] {
  const link = webAddress(href);
  const shown = inlineSpans(tokens, 'link').map((span) => ({ ...span, link }));
  return text === href || `mailto:${text}` === href
    ? shown
    : [...shown, said(' ('), { ...said(href, 'dim'), link }, said(')')];
}

function said(text: string, role: Role = 'plain'): Span {
  return { text: safeLine(text.replace(/\n/g, ' ')), role };
}
