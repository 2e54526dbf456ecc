import { capText } from './cap-text.ts';

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/** Untrusted text as one line of limited length that a terminal shows unchanged. */
export function oneLine(text: string, maxCharacters: number): string {
  const line = text
    .slice(0, maxCharacters * 4)
    .replaceAll(UNPRINTABLE, ' ')
    .trim();
  return capText(line, maxCharacters).replace(/\s+(?=…$)/, '');
}
