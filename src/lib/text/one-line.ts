import { capText } from './cap-text.ts';

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/** Text of somebody else as one line of bounded length that a terminal shows as it is. */
export function oneLine(text: string, maxCharacters: number): string {
  const line = text
    .slice(0, maxCharacters * 4)
    .replaceAll(UNPRINTABLE, ' ')
    .trim();
  return capText(line, maxCharacters).replace(/\s+(?=…$)/, '');
}
