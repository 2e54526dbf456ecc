import type { PolicyDiagnostic } from '../../../contracts/policy.ts';

/** The text of the project's policy when the editor was opened; null if there was none. */
export type PolicyBase = { readonly text: string; readonly sha256: string } | null;

/** The result of proposing a new text. Nothing has been written in any case. */
export type Proposal =
  | {
      readonly kind: 'invalid';
      readonly errors: readonly PolicyDiagnostic[];
      readonly warnings: readonly PolicyDiagnostic[];
    }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'conflict'; readonly why: string }
  | { readonly kind: 'denied'; readonly reasons: readonly string[] }
  | { readonly kind: 'proposed'; readonly update: ProposedUpdate };

/**
 * `now`: the running kernel uses it. `not-yet`: the kernel runs but did not apply it, and checks again before its next message. `kernel-lost`: the
 * kernel ended meanwhile. `next-start`: no kernel runs.
 */
export type TakenUp = 'now' | 'not-yet' | 'kernel-lost' | 'next-start';

/** A change that a person can decide about. */
export interface ProposedUpdate {
  readonly warnings: readonly PolicyDiagnostic[];
  readonly replayed: number;
  readonly breaking: number;
  /** One line for each changed result. Their names come from models and repositories: escape them. */
  readonly changes: readonly string[];
  readonly phrase: string | null;
  /** If a kernel runs, it has recorded the person's approval, with their signature, when this resolves. */
  approve(): Promise<{ readonly kind: 'approved' } | { readonly kind: 'conflict'; readonly why: string }>;
  /** Does not wait for a kernel that does not answer: without an approval nothing changes anyway. Never rejects. */
  reject(reason: string): Promise<void>;
  /** Must be called when the text is written and signed. */
  takeUp(): Promise<TakenUp>;
  /** Resolves when the kernel of the proposal has ended: then it can't be approved any more. */
  readonly gone: Promise<unknown>;
}

/** Decides what a new policy would change: the project's kernel if one runs, else the command itself. */
export interface PolicyUpdater {
  propose(base: PolicyBase, text: string): Promise<Proposal>;
  close(): void;
}
