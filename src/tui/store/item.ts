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
  /** A command of fluffy, above its answer. */
  | { readonly kind: 'command'; readonly line: SafeText }
  /** A script of the person. */
  | { readonly kind: 'script'; readonly lines: readonly SafeText[] }
  /** The output of the script. */
  | {
      readonly kind: 'printed';
      readonly lines: readonly SafeText[];
      /** Number of lines before them that are left out. */
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
      /** The result of a failed command in a successful call; null for any other call. */
      readonly exit: SafeText | null;
      readonly summary: SafeText;
      /** Who refused the call, and why; null if it was not refused. */
      readonly denial: Denial | null;
      /** From the request to the result; null if it was cut off. */
      readonly durationMs: number | null;
      readonly diff: DiffExcerpt | null;
      readonly tests: TestReport | null;
    }
  /** Consecutive read-only calls. */
  | { readonly kind: 'reads'; readonly names: readonly SafeText[]; readonly durationMs: number }
  /** Ctrl-O shows the thoughts. */
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

/** `rules`: those that decided; empty if no rule allowed it, or if it was not refused by policy. */
export interface Denial {
  readonly rules: readonly SafeText[];
  readonly reason: SafeText;
}

/** `gap`: an empty line comes before it. */
export type Item = ItemBody & { readonly id: number; readonly gap: boolean };

/** Replaces an item after it was printed, so that a long session does not keep what it has shown. */
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

/** Appends with the right distance: lines of work follow each other without gaps, and so do the parts of one block of code. */
export function appendItem(items: readonly Item[], lastKind: ItemBody['kind'] | null, body: ItemBody): Item[] {
  const group = groupOf(body.kind);
  const apart = group === 'alone' || (body.kind === 'text' && !body.block.continues);
  const isAnswer = (body.kind === 'printed' && lastKind === 'script') || lastKind === 'command';
  const gap = lastKind !== null && !isAnswer && (apart || group !== groupOf(lastKind));
  return [...items, { ...body, id: items.length, gap }];
}
