const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/** Text of somebody else as one line of bounded length that a terminal shows as it is. */
export function oneLine(text: string, maxCharacters: number): string {
  const line = text
    .slice(0, maxCharacters * 4)
    .replaceAll(UNPRINTABLE, ' ')
    .trim();
  return line.length <= maxCharacters ? line : `${line.slice(0, maxCharacters - 1).trimEnd()}…`;
}
