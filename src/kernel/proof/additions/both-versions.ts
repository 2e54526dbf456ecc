/** Characters that are shown before and after the difference. */
const AROUND = 24;
const MAX_SHOWN = 100;

/** Pure: describes how two texts differ, with some context: `…(2, 1), 3)` is now `…(2, 1), 2)`. */
export function bothVersions(before: string, after: string): string {
  const [old, now] = [asLine(before), asLine(after)];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const shown = (text: string): string => {
    const from = Math.max(0, start - AROUND);
    const to = Math.min(text.length, text.length - end + AROUND, from + MAX_SHOWN);
    return `\`${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}\``;
  };
  return `${shown(old)} is now ${shown(now)}`;
}

function asLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
