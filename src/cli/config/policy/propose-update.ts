import type { PolicyDiagnostic } from '../../../contracts/policy.ts';

/** The text of the project's policy as it was when the editor was opened; null: there was none. */
export type PolicyBase = { readonly text: string; readonly sha256: string } | null;

/** What came of proposing a new text. Nothing has been written, whatever it is. */
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
 * `now`: the running kernel decides by it. `not-yet`: it runs and did not take it up, and looks again before its next message. `kernel-lost`: it ran and has
 * gone away. `next-start`: none runs.
 */
export type TakenUp = 'now' | 'not-yet' | 'kernel-lost' | 'next-start';

/** A change that a person can now decide about. */
export interface ProposedUpdate {
  readonly warnings: readonly PolicyDiagnostic[];
  readonly replayed: number;
  readonly breaking: number;
  /** One line for each changed result. What they name has come from models and repositories: escape them. */
  readonly changes: readonly string[];
  readonly phrase: string | null;
  /** Where a kernel runs it has recorded the person's yes, with their signature, when this resolves. */
  approve(): Promise<{ readonly kind: 'approved' } | { readonly kind: 'conflict'; readonly why: string }>;
  /** Does not wait for a kernel that does not answer: without an approval nothing changes anyway. Never rejects. */
  reject(reason: string): Promise<void>;
  /** To be called when the text is in place and signed. */
  takeUp(): Promise<TakenUp>;
  /** Resolves when the kernel that proposed it has gone away: it can't be approved any more. */
  readonly gone: Promise<unknown>;
}

/** Whoever decides what a new policy would change: the kernel of the project where one runs, else the command itself. */
export interface PolicyUpdater {
  propose(base: PolicyBase, text: string): Promise<Proposal>;
  close(): void;
}
