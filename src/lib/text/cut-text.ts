/** Which part of a text is kept if it is too long. `ends`: beginning and end; `tail`: mostly the end, where a program says why it failed. */
export type CutKind = 'head' | 'tail' | 'ends';

/** Share of the kept characters at the beginning. */
const HEAD_SHARE: Readonly<Record<CutKind, number>> = { head: 1, ends: 0.6, tail: 0.15 };

export interface CutText {
  readonly text: string;
  /** Index of the first omitted character, and the number of omitted characters. */
  readonly from: number;
  readonly omitted: number;
}

/** At most `maxCharacters` of a text and a line about the rest, cut at nearby line ends if possible. `note` says how to get the rest. */
export function cutText(
  text: string,
  kind: CutKind,
  maxCharacters: number,
  note: (from: number) => string = () => '',
): CutText {
  if (text.length <= maxCharacters) return { text, from: text.length, omitted: 0 };
  const headLength = Math.floor(maxCharacters * HEAD_SHARE[kind]);
  const from = lineEndBefore(text, headLength);
  const to = lineStartAfter(text, text.length - (maxCharacters - headLength));
  const end = kind === 'head' ? text.length : to;
  const head = text.slice(0, from).toWellFormed();
  const tail = text.slice(end).toWellFormed();
  const omitted = end - from;
  const gap = `… ${omitted} characters left out${note(from)} …`;
  return { text: [head, gap, tail].filter((part) => part !== '').join('\n'), from, omitted };
}

/** The end of the last line before `at`, unless that is far away. */
function lineEndBefore(text: string, at: number): number {
  const end = text.lastIndexOf('\n', at);
  return end > at * 0.75 ? end : at;
}

function lineStartAfter(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end !== -1 && end - at < (text.length - at) * 0.25 ? end + 1 : at;
}
