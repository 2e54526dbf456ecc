const ELLIPSIS = '…';

/** At most `maxLength` UTF-16 units of well-formed text; what was cut is shown as `…`, and no character is cut in half. */
export function capText(text: string, maxLength: number): string {
  const wellFormed = text.toWellFormed();
  if (wellFormed.length <= maxLength) return wellFormed;
  const kept = wellFormed.slice(0, maxLength - ELLIPSIS.length);
  return (kept.isWellFormed() ? kept : kept.slice(0, -1)) + ELLIPSIS;
}
