import type { PolicyDiagnostic } from '../../../../contracts/policy.ts';
import type { TakenUp } from '../propose-update.ts';
import type { ExitCode } from '../../../../contracts/exit-codes.ts';
import { jsonLine } from '../../../../lib/text/json-line.ts';

/** `changed`: the policy is another one now, and who knows of it. */
export interface EditOutcome {
  readonly exitCode: ExitCode;
  readonly changed: TakenUp | null;
}

/** How an edit ended. Only after `in_force` is anything another than before. */
export type EditResult =
  'in_force' | 'unchanged' | 'invalid' | 'denied' | 'conflict' | 'not_confirmed' | 'interrupted' | 'failed';

/** When a change of policy counts: for a kernel that runs now or from its next message, else for the next one. */
export type TakesEffect = 'now' | 'next_message' | 'next_start';

/** What `config policy edit --json` prints when it ends. */
export interface EditReport {
  readonly outcome: EditResult;
  /** The project's policy, relative to the project. */
  readonly file: string;
  /** Of the text that is in the file now; null: there is none that can be read. */
  readonly sha256: string | null;
  /** Whether that text is signed. */
  readonly signed: boolean;
  readonly takes_effect: TakesEffect | null;
  /** Of the last text that was tried on recorded requests: how many results break, and one line for each that changes. */
  readonly breaking: number;
  readonly changes: readonly string[];
  /** SHA-256 of the text whose signature went with it. */
  readonly taken_back: string | null;
  /** Where the person's text is kept, if it is not in force. */
  readonly draft: string | null;
  /** As in `config policy check --json`, of the text that was written. */
  readonly errors: readonly PolicyDiagnostic[];
  readonly warnings: readonly PolicyDiagnostic[];
}

const TAKES_EFFECT: Readonly<Record<TakenUp, TakesEffect>> = {
  now: 'now',
  'not-yet': 'next_message',
  'kernel-lost': 'next_start',
  'next-start': 'next_start',
};

export function takesEffect(taken: TakenUp): TakesEffect {
  return TAKES_EFFECT[taken];
}

export function renderReport(report: EditReport): string {
  return jsonLine(report);
}
