import type { TodoItem } from '../../contracts/session/todo.ts';
import { cutText } from '../../lib/text/cut-text.ts';
import { todoLines } from '../../lib/text/todo-words.ts';
import { taggedNote, withoutNoteTags } from './tagged-note.ts';

/** What the kernel records about a session and adds to every summary. */
export interface KernelRecord {
  readonly task: string;
  /** The user's own messages, oldest first. */
  readonly said: readonly { readonly position: number; readonly text: string }[];
  readonly plan: { readonly summary: string; readonly steps: readonly string[] } | null;
  readonly todo: readonly TodoItem[];
  readonly mode: string;
  readonly state: string;
  readonly exemption: { readonly category: string; readonly paths: readonly string[]; readonly reason: string } | null;
  readonly revisions: readonly string[];
  /** Cases that must pass. */
  readonly red: readonly string[];
  readonly refusals: readonly { readonly tool: string; readonly code: string; readonly message: string }[];
  readonly pins: readonly string[];
  readonly staged: { readonly paths: readonly string[]; readonly diff: string };
}

/** The share of each part in the head's characters. A longer part is cut, with a reference to the full text. */
const SHARES = { said: 0.35, diff: 0.3, red: 0.08, refusals: 0.07, pins: 0.2 } as const;
const MAX_MESSAGE = 8_000;
const MAX_SHORT_MESSAGE = 300;

/**
 * The text that replaces the earlier conversation: a model's summary, and the kernel's own record, which no summary can
 * lose. `maxCharacters` limits the record. Pure.
 */
export function headText(summary: string, record: KernelRecord, earlier: number, maxCharacters: number): string {
  const parts = [
    `The first ${earlier} messages of this conversation were replaced by this one to save room. All of it is kept: history.search finds text in it, output.read shows a result by its reference.`,
    taggedNote(
      'summary',
      `Where it differs from the kernel's record below, the record counts.\n${withoutNoteTags(summary)}`,
    ),
    taggedNote('kernel_record', recordText(record, maxCharacters)),
  ];
  return taggedNote('earlier_conversation', parts.join('\n\n'));
}

function recordText(record: KernelRecord, maxCharacters: number): string {
  const room = (share: keyof typeof SHARES): number => Math.floor(maxCharacters * SHARES[share]);
  const { plan, todo, exemption, revisions, red, refusals, pins, staged } = record;
  const sections: readonly (readonly [title: string, text: string])[] = [
    ['The task, in the words of the user', cut(record.task, room('said'))],
    ['Messages of the user, oldest first', saidText(record.said, room('said'))],
    ['Mode and state', `${record.mode}, ${record.state}`],
    [
      'Plan',
      plan === null ? '' : [plan.summary, ...plan.steps.map((step, index) => `${index + 1}. ${step}`)].join('\n'),
    ],
    ['Steps as the user sees them', todoLines(todo).join('\n')],
    [
      'Exemption',
      exemption === null ? '' : `${exemption.category}: ${exemption.paths.join(', ')}. ${exemption.reason}`,
    ],
    ['Tests were revised because', revisions.join('\n')],
    ['Cases that have to pass', list(red, room('red'))],
    [
      'Refused so far, and why',
      list(
        refusals.map(({ tool, message }) => `${tool}: ${message}`),
        room('refusals'),
      ),
    ],
    ['Pinned by the user', cut(pins.join('\n\n'), room('pins'), '; history.search finds them')],
    ['Staged files', list(staged.paths, room('red'))],
    ['Staged changes', staged.diff === '' ? '' : cut(staged.diff, room('diff'))],
  ];
  return sections
    .filter(([, text]) => text.trim() !== '')
    .map(([title, text]) => `## ${title}\n${withoutNoteTags(text)}`)
    .join('\n\n');
}

/**
 * Full messages while there is room, beginning with the newest; then short forms of the older ones. The newest is never
 * left out.
 */
function saidText(said: KernelRecord['said'], maxCharacters: number): string {
  let left = maxCharacters;
  const lines = [...said].reverse().map(({ position, text }) => {
    const shown = cut(
      text,
      left > text.length ? MAX_MESSAGE : MAX_SHORT_MESSAGE,
      `; output.read m${position} has the rest`,
    );
    left -= shown.length;
    return left > -MAX_MESSAGE ? `[m${position}] ${shown}` : '';
  });
  const shown = lines.filter((line) => line !== '').reverse();
  const missing = said.length - shown.length;
  return [...(missing > 0 ? [`(${missing} older ones: history.search finds them)`] : []), ...shown].join('\n');
}

function list(items: readonly string[], maxCharacters: number): string {
  let left = maxCharacters;
  const shown = items.filter((item) => (left -= item.length + 3) >= 0);
  const more = items.length - shown.length;
  return [...shown.map((item) => `- ${item}`), ...(more > 0 ? [`- and ${more} more`] : [])].join('\n');
}

function cut(text: string, maxCharacters: number, note = ''): string {
  return cutText(text, 'ends', maxCharacters, () => note).text;
}
