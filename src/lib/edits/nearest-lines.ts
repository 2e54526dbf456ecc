import { firstText } from '../text/first-last.ts';
/** In longer texts only identical lines are searched: a hint must not cost more than the edit. */
const MAX_COMPARED_LINES = 20_000;
const MAX_SHOWN_LINES = 15;
const MAX_LINE_LENGTH = 200;
/** Below this similarity the nearest place is unrelated. */
const MIN_SIMILARITY = 0.4;

/** Why `wanted` was not found in `text`, and the most similar lines, so that the next attempt can copy them. Both have LF line ends. */
export function describeNearest(text: string, wanted: string): string {
  const lines = text.split('\n');
  const target = trimBlankEnds(wanted.split('\n'));
  if (text === '') return 'The file is empty. Use fs.write to give it content.';
  if (target.length === 0) return 'old_string contains only white space, and it was not found.';

  const best = nearestWindow(lines, target);
  if (best === null) return 'old_string does not occur in the file, and nothing in it is similar. Read the file again.';

  const shown = lines.slice(best.start, best.start + Math.min(target.length, MAX_SHOWN_LINES));
  const numbered = shown.map((line, i) => `${String(best.start + i + 1).padStart(6)}\t${shorten(line)}`);
  const cut = target.length > shown.length ? [`       … ${target.length - shown.length} more lines`] : [];
  const why =
    best.similarity === 1
      ? 'old_string does not occur: it differs from these lines in white space (indentation, trailing spaces or tabs)'
      : 'old_string does not occur. The nearest lines are';
  return [`${why}:`, ...numbered, ...cut, 'Copy the text exactly as the file has it.'].join('\n');
}

/** The window of as many lines as `target` that is most similar to it, by the mean similarity of the lines without white space. */
function nearestWindow(
  lines: readonly string[],
  target: readonly string[],
): { start: number; similarity: number } | null {
  const anchors = new Map(target.map((line, i) => [squeeze(line), i] as const).filter(([line]) => line.length > 2));
  const candidates = new Set<number>();
  lines.forEach((line, i) => {
    const anchor = anchors.get(squeeze(line));
    if (anchor !== undefined) candidates.add(Math.max(0, i - anchor));
  });
  if (candidates.size === 0 && lines.length <= MAX_COMPARED_LINES) {
    const first = bigrams(squeeze(firstText(target)));
    const scored = lines.map((line, i) => ({ i, score: similarity(first, bigrams(squeeze(line))) }));
    scored.sort((a, b) => b.score - a.score || a.i - b.i);
    for (const { i } of scored.slice(0, 5)) candidates.add(i);
  }

  const sample = target.slice(0, MAX_SHOWN_LINES).map((line) => bigrams(squeeze(line)));
  let best: { start: number; similarity: number } | null = null;
  for (const start of [...candidates].slice(0, 200)) {
    const scores = sample.map((line, i) => similarity(line, bigrams(squeeze(lines[start + i] ?? ''))));
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    if (best === null || mean > best.similarity) best = { start, similarity: mean };
  }
  return best !== null && best.similarity >= MIN_SIMILARITY ? best : null;
}

function squeeze(line: string): string {
  return line.slice(0, MAX_LINE_LENGTH).replace(/\s+/g, '');
}

function bigrams(line: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const padded = `^${line}$`;
  for (let i = 0; i + 1 < padded.length; i += 1) {
    const pair = padded.slice(i, i + 2);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return counts;
}

/** Sørensen–Dice coefficient: 1 for equal lines, 0 for lines without a common pair of characters. */
function similarity(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let shared = 0;
  let total = 0;
  for (const [pair, count] of a) {
    shared += Math.min(count, b.get(pair) ?? 0);
    total += count;
  }
  for (const count of b.values()) total += count;
  return (2 * shared) / total;
}

function trimBlankEnds(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return first === -1 ? [] : lines.slice(first, last + 1);
}

function shorten(line: string): string {
  return line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line;
}
