import type { SessionMode, SessionState } from '../../contracts/session/workflow-states.ts';
import type { DiffExcerpt } from '../diff/diff-excerpt.ts';
import type { Diff } from '../diff/read-diff.ts';
import type { Card } from '../review/card.ts';
import type { SafeText } from './safe-text.ts';
import type { MarkdownBlock } from './text-stream.ts';

export interface TestReport {
  readonly outcome: SafeText;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly { readonly file: SafeText; readonly name: SafeText; readonly why: readonly SafeText[] }[];
  /** Failures that are not named. */
  readonly hidden: number;
}

/** One thing that is written to the scrollback once and never again. */
export type ItemBody =
  | {
      readonly kind: 'header';
      readonly version: string;
      readonly project: SafeText;
      readonly model: SafeText;
      readonly mode: SessionMode;
      readonly state: SessionState;
    }
  | { readonly kind: 'user'; readonly lines: readonly SafeText[] }
  /** A command of fluffy, above what it answers. */
  | { readonly kind: 'command'; readonly line: SafeText }
  /** A script of the person. */
  | { readonly kind: 'script'; readonly lines: readonly SafeText[] }
  /** What it printed. */
  | {
      readonly kind: 'printed';
      readonly lines: readonly SafeText[];
      /** Lines before them that are left out. */
      readonly hidden: number;
      readonly good: boolean;
      readonly end: SafeText;
      readonly durationMs: number;
    }
  | { readonly kind: 'text'; readonly block: MarkdownBlock }
  | {
      readonly kind: 'tool';
      readonly tool: SafeText;
      readonly target: SafeText;
      readonly ok: boolean;
      /** The call is in order, the command that it ran is not: how that ended; null of any other. */
      readonly exit: SafeText | null;
      readonly summary: SafeText;
      /** Who said no, and why; null unless somebody did. */
      readonly denial: Denial | null;
      /** From the request to the result; null when it was cut off. */
      readonly durationMs: number | null;
      readonly diff: DiffExcerpt | null;
      readonly tests: TestReport | null;
    }
  /** Calls that only looked, one after the other. */
  | { readonly kind: 'reads'; readonly names: readonly SafeText[]; readonly durationMs: number }
  /** What was thought is behind Ctrl-O. */
  | { readonly kind: 'thought'; readonly durationMs: number }
  | { readonly kind: 'tests'; readonly tests: TestReport }
  | { readonly kind: 'state'; readonly to: SessionState; readonly why: SafeText }
  | { readonly kind: 'proposal'; readonly message: readonly SafeText[]; readonly diff: Diff }
  | { readonly kind: 'card'; readonly card: Card }
  | { readonly kind: 'decided'; readonly good: boolean; readonly text: SafeText }
  | { readonly kind: 'note'; readonly level: 'info' | 'warn'; readonly text: SafeText }
  | { readonly kind: 'problem'; readonly what: SafeText; readonly why: SafeText; readonly fix: SafeText }
  | { readonly kind: 'answer'; readonly lines: readonly SafeText[] }
  | { readonly kind: 'diff'; readonly diff: Diff }
  | {
      readonly kind: 'finished';
      readonly good: boolean;
      readonly line: SafeText;
      readonly reason: readonly SafeText[];
    };

/** Rules are those that decided; none where no rule allowed it, or where it was not policy that said no. */
export interface Denial {
  readonly rules: readonly SafeText[];
  readonly reason: SafeText;
}

/** `gap` asks for an empty line before it. */
export type Item = ItemBody & { readonly id: number; readonly gap: boolean };

/** What of an item is left once it is in the scrollback, so that a long session does not keep what it has shown. */
export const PRINTED: Item = { kind: 'text', block: { raw: '', continues: false }, id: -1, gap: false };

type Group = 'talk' | 'work' | 'alone';

function groupOf(kind: ItemBody['kind']): Group {
  switch (kind) {
    case 'text':
      return 'talk';
    case 'tool':
    case 'reads':
    case 'thought':
    case 'tests':
    case 'state':
    case 'note':
    case 'decided':
    case 'printed':
      return 'work';
    case 'header':
    case 'user':
    case 'command':
    case 'script':
    case 'proposal':
    case 'card':
    case 'problem':
    case 'answer':
    case 'diff':
    case 'finished':
      return 'alone';
  }
}

/** Appends with the right distance: lines of work stand together, as do the parts of one block of code. */
export function appendItem(items: readonly Item[], lastKind: ItemBody['kind'] | null, body: ItemBody): Item[] {
  const group = groupOf(body.kind);
  const apart = group === 'alone' || (body.kind === 'text' && !body.block.continues);
  const isAnswer = (body.kind === 'printed' && lastKind === 'script') || lastKind === 'command';
  const gap = lastKind !== null && !isAnswer && (apart || group !== groupOf(lastKind));
  return [...items, { ...body, id: items.length, gap }];
}
