import type { PolicyDiagnostic } from '../../../../contracts/policy.ts';
import type { TakenUp } from '../propose-update.ts';
import type { ExitCode } from '../../../../contracts/exit-codes.ts';
import { jsonLine } from '../../../../lib/json-line.ts';

/** `changed`: the policy has changed, and whether the kernel uses it. */
export interface EditOutcome {
  readonly exitCode: ExitCode;
  readonly changed: TakenUp | null;
}

/** How an edit ended. Only `in_force` means that something has changed. */
export type EditResult =
  'in_force' | 'unchanged' | 'invalid' | 'denied' | 'conflict' | 'not_confirmed' | 'interrupted' | 'failed';

/** When a change of policy takes effect: for a running kernel now or from its next message, else at the next start. */
export type TakesEffect = 'now' | 'next_message' | 'next_start';

/** The output of `config policy edit --json` at its end. */
export interface EditReport {
  readonly outcome: EditResult;
  /** The project's policy, relative to the project. */
  readonly file: string;
  /** SHA-256 of the present text in the file; null if there is no readable text. */
  readonly sha256: string | null;
  /** Whether that text is signed. */
  readonly signed: boolean;
  readonly takes_effect: TakesEffect | null;
  /** For the last text that was tested on recorded requests: the number of breaking results, and one line for each changed result. */
  readonly breaking: number;
  readonly changes: readonly string[];
  /** SHA-256 of the text whose signature was revoked. */
  readonly taken_back: string | null;
  /** Where the person's text is stored if it is not in force. */
  readonly draft: string | null;
  /** As in `config policy check --json`, for the text that was written. */
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
