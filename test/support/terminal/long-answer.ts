import type { EventBody } from '../../../src/contracts/session/events.ts';
import type { Diff } from '../../../src/tui/diff/read-diff.ts';
import { readDiff } from '../../../src/tui/diff/read-diff.ts';
import { seededRandom } from '../../seeded-random.ts';

/** What is played on a screen: what the kernel reports, or a diff that the person asked to see. */
export type PlayedStep =
  { readonly kind: 'event'; readonly event: EventBody } | { readonly kind: 'diff'; readonly diff: Diff };

export interface LongAnswer {
  readonly steps: readonly PlayedStep[];
  /** What has to be in the scrollback once, in this order. Each line that is printed has one of these words. */
  readonly words: readonly string[];
}

export interface LongAnswerSize {
  readonly seed: number;
  readonly deltas: number;
  readonly calls: number;
  /** Lines of each diff. */
  readonly diffLines: number;
}

/** A word of its own for each line, so that a lost line and a doubled one can be told. */
export const WORD = /\bw\d{6}\b/g;

/** Calls between two diffs that are shown whole. */
const CALLS_PER_DIFF = 50;

/** Paragraphs, lists, tables and code as a model streams them, calls between them, and long diffs. The same for the same seed. */
export function longAnswer({ seed, deltas, calls, diffLines }: LongAnswerSize): LongAnswer {
  const random = seededRandom(seed);
  const upTo = (limit: number) => 1 + Math.floor(random() * limit);
  const words: string[] = [];
  const word = (): string => {
    const next = `w${String(words.length).padStart(6, '0')}`;
    words.push(next);
    return next;
  };
  const steps: PlayedStep[] = [];
  const play = (event: EventBody) => void steps.push({ kind: 'event', event });
  play({ type: 'message.user', text: word() });
  play({ type: 'state.changed', from: 'idle', to: 'planning', trigger: 'user_message' });
  const perCall = Math.ceil(deltas / calls);
  for (let call = 0; call < calls; call += 1) {
    let text = '';
    while (text.length < perCall * 8) text += `${block(word, upTo)}\n\n`;
    for (const delta of cut(text, perCall, upTo)) play({ type: 'text.delta', text: delta });
    play({ type: 'text.done', text });
    const id = `c${call}`;
    play({ type: 'tool.started', call_id: id, tool: 'fs.write', input: { path: 'src/a.js' }, summary: word() });
    play({ type: 'tool.finished', call_id: id, tool: 'fs.write', ok: true, summary: 'Modified', duration_ms: 12 });
    if (call % CALLS_PER_DIFF === 0) steps.push({ kind: 'diff', diff: diffOf(diffLines, word) });
  }
  return { steps, words };
}

type Word = () => string;
type UpTo = (limit: number) => number;

const FILLER = ['the', 'configuration', 'reads', 'each', 'value', '宽字', 'once', '👩‍👩‍👧', 'and', 'again'];

function line(word: Word, upTo: UpTo, atMost = 12): string {
  const filler = Array.from({ length: upTo(atMost) }, () => FILLER[upTo(FILLER.length) - 1] ?? '');
  return [word(), ...filler].join(' ');
}

/** One block of Markdown. */
function block(word: Word, upTo: UpTo): string {
  const lines = (count: number, of: (index: number) => string) =>
    Array.from({ length: count }, (_, at) => of(at)).join('\n');
  switch (upTo(6)) {
    case 1:
      return line(word, upTo, 30);
    case 2:
      return lines(upTo(30), () => `- ${line(word, upTo)}`);
    case 3:
      return lines(upTo(20), (at) => `${at + 1}. ${line(word, upTo, 20)}\n   - ${line(word, upTo)}`);
    case 4:
      return `\`\`\`js\n${lines(upTo(60), () => `const a = '${word()}';`)}\n\`\`\``;
    case 5:
      return `| name | value |\n| --- | --- |\n${lines(upTo(8), () => `| ${word()} | ${upTo(9)} |`)}`;
    default:
      return `## ${line(word, upTo, 4)}`;
  }
}

/** A text in about that many pieces. */
function cut(text: string, count: number, upTo: UpTo): string[] {
  const pieces: string[] = [];
  const longest = Math.max(1, Math.ceil((2 * text.length) / count));
  for (let at = 0; at < text.length;) {
    const length = upTo(longest);
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}

function diffOf(lines: number, word: Word): Diff {
  const body = Array.from({ length: lines }, (_, at) => `${at % 3 === 0 ? '-' : '+'}let a = '${word()}';`);
  const removed = body.filter((each) => each.startsWith('-')).length;
  const head = 'diff --git a/src/a.js b/src/a.js\n--- a/src/a.js\n+++ b/src/a.js\n';
  return readDiff(`${head}@@ -1,${removed} +1,${lines - removed} @@\n${body.join('\n')}\n`);
}
