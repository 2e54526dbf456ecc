import { EXIT } from '../../contracts/exit-codes.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import type { UserFacingError } from '../../contracts/fluffy-error.ts';
import type { FinishedEvent } from './printer.ts';

/** The `summary` of a run that this error ended. */
export function summaryOf({ what, why }: Pick<UserFacingError, 'what' | 'why'>): string {
  return why === '' ? what : `${what}: ${why}`;
}

/** The last line of a run that never got a session, or that lost its kernel. */
export function finishedWithout(
  exitCode: ExitCode,
  summary: string,
  nowMs: number,
  session: { id: string; seq: number } | null,
): FinishedEvent {
  return {
    type: 'session.finished',
    session_id: session?.id ?? null,
    seq: (session?.seq ?? 0) + 1,
    ts: nowMs,
    status: exitCode === EXIT.interrupted || exitCode === EXIT.terminated ? 'cancelled' : 'failed',
    exit_code: exitCode,
    files_changed: [],
    summary,
    duration_ms: 0,
    usage: { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0 },
    audit_head: null,
  };
}
