import type { SegmentPattern } from './glob.ts';
import type { Token } from './token.ts';
import { Wildcards } from './wildcards.ts';

/** The cheapest matcher for one name; `text` is the source of the tokens. */
export function segmentPattern(text: string, tokens: readonly Token[]): SegmentPattern {
  const literal = literalText(tokens);
  if (literal !== null) return { kind: 'literal', text: literal };
  const star = tokens.findIndex((token) => token.kind === 'star');
  if (star >= 0) {
    const prefix = literalText(tokens.slice(0, star));
    const suffix = literalText(tokens.slice(star + 1));
    if (prefix === '' && suffix === '') return { kind: 'any' };
    if (prefix !== null && suffix !== null) return { kind: 'affix', prefix, suffix };
  }
  return { kind: 'wild', text, name: new Wildcards(tokens) };
}

/** The only text that the tokens match; null if they have a wildcard. */
export function literalText(tokens: readonly Token[]): string | null {
  let text = '';
  for (const token of tokens) {
    if (token.kind !== 'byte') return null;
    text += String.fromCharCode(token.code);
  }
  return text;
}
