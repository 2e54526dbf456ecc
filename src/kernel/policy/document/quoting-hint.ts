import { quoted } from './excerpt.ts';

/**
 * The hint how to quote a pattern that YAML reads as an alias or a tag; it is appended to the error. '' if the text can
 * be no pattern.
 */
export function quotingHint(written: string): string {
  const sign = written[0];
  if ((sign !== '*' && sign !== '!') || /^!(?:$|[!<])/.test(written)) return '';
  const begins = sign === '*' ? 'an alias' : 'a tag';
  return `; "${sign}" begins ${begins} in YAML, so write text that begins with it in quotes: ${quoted(written)}`;
}

const MAX_WORD_CHARACTERS = 100;

/** The hint for the word at an offset, where the parser stopped. */
export function quotingHintAt(text: string, offset: number): string {
  const before = text.slice(Math.max(0, offset - MAX_WORD_CHARACTERS), offset);
  const begun = /(?:^|[\s,[{])([*!]\S*)$/.exec(before)?.[1];
  if (begun === undefined) return '';
  const rest = /^[^\s:#]*/.exec(text.slice(offset, offset + MAX_WORD_CHARACTERS))?.[0] ?? '';
  return quotingHint((begun + rest).replace(/[\],]+$/, ''));
}
