import { FluffyError } from '../../contracts/fluffy-error.ts';
import { EXIT } from '../../contracts/exit-codes.ts';
import { diskFull, isDiskFull } from '../../lib/disk-full.ts';
import { messageOf } from '../../lib/text/message-of.ts';
import type { RunEnd } from '../session/run-end.ts';
import type { Session } from '../session/session.ts';
import { deliverQueued } from '../session/user-messages.ts';
import type { Services } from '../services.ts';
import { finishOf } from './finish.ts';

/**
 * Emits the last event of a run. It is on disk with the session's row before anybody sees it. An error is reported
 * first, under its code.
 */
export function finish(services: Services, session: Session, end: RunEnd): void {
  if (!beginsNext(session, end) && deliverQueued(session)) session.emit(NOT_READ);
  if (end.kind === 'failed') {
    const { code, what, why, fix } = end.error;
    session.emit({ type: 'error', level: 'error', what, why, fix, code });
  }
  const { snapshot } = session;
  const { status, exitCode, summary } = finishOf(end, snapshot.refused, snapshot.answer);
  // Only this end shows the question.
  const question = end.kind === 'asked' ? snapshot.question : null;
  session.update({ running: false, gave_up: null, question });
  session.updateRow({ status });
  services.audit.flush();
  session.emit({
    type: 'session.finished',
    status,
    exit_code: exitCode,
    ...(end.kind === 'committed' ? { commit: end.commit } : {}),
    files_changed: snapshot.files_changed,
    summary,
    duration_ms: session.runElapsedMs,
    usage: {
      ...snapshot.usage,
      ...(snapshot.options.price === undefined && snapshot.cost_usd === 0 ? {} : { cost_usd: snapshot.cost_usd }),
    },
    audit_head: services.audit.head().hash,
  });
}

/**
 * Whether the unread messages of the user begin a next run: the change was decided and the model was not asked again. A
 * caller that waits for one run only is informed that the message came too late.
 */
function beginsNext({ snapshot }: Session, { kind }: RunEnd): boolean {
  return snapshot.options.interactive && (kind === 'committed' || kind === 'merge-failed');
}

const NOT_READ = {
  type: 'notice',
  level: 'warn',
  what: 'Your last message came too late for this run',
  why: 'the run ended before the model could read it; it is kept in the conversation',
  fix: 'Nothing; the model reads it with your next message to this session',
  code: 'message_not_read',
} as const;

/** How a run ends after an exception. Rethrows an exception that is no outcome of a run, because it is a bug. */
export function endOf(error: unknown, signal: AbortSignal): RunEnd {
  if (signal.aborted) {
    if (signal.reason === 'unattended') return { kind: 'waiting' };
    return { kind: 'interrupted', signal: signal.reason === 'terminate' ? 'terminate' : 'interrupt' };
  }
  if (error instanceof FluffyError) return { kind: 'failed', error };
  if (isDiskFull(error)) return { kind: 'failed', error: diskFull('the state directory', error) };
  throw error;
}

/** The error for an unforeseen exception. */
export function kernelFailed(cause: unknown): RunEnd {
  const error = new FluffyError({
    code: 'unforeseen',
    what: 'The kernel failed unexpectedly',
    why: messageOf(cause),
    fix: 'Report this as a bug; the session is kept, and your next message continues it',
    exitCode: EXIT.failed,
    cause,
  });
  return { kind: 'failed', error };
}
