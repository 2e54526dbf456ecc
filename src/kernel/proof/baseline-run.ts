import type { CaseCounts } from '../../contracts/ports/sandboxes.ts';
import type { Baseline } from '../../contracts/session/session-facts.ts';
import { baselineOf } from './baseline.ts';
import type { Session } from '../session/session.ts';
import { attemptSuite } from './run/run-tests.ts';
import type { Services } from '../services.ts';

/**
 * `made` is false if the suite could not be run. The result then says nothing about the project, and the next use of
 * the baseline runs the suite again.
 */
interface BaselineAttempt {
  readonly baseline: Baseline;
  readonly made: boolean;
}

type OnCounts = (counts: CaseCounts) => void;

/** Runs the whole suite on the untouched project. The session's staged work is not visible to it, so it can run at any time. */
async function runBaseline(
  services: Services,
  session: Session,
  signal: AbortSignal,
  onCounts: OnCounts,
): Promise<BaselineAttempt> {
  const command = session.snapshot.options.test_command;
  if (command === null) return { baseline: { kind: 'unknown', why: 'no test command' }, made: true };
  const scratch = await services.workspaces.scratch();
  try {
    const { run, made } = await attemptSuite(services, { ...scratch, session, onCounts }, command, signal);
    return { baseline: baselineOf(run), made };
  } finally {
    await scratch.close();
  }
}

/**
 * The baseline of a session. The suite runs once for each head that the session is based on, and the result is kept on
 * disk. It starts in the background, while the model writes tests, so nobody waits for it.
 */
export class BaselineRun {
  #onCounts: OnCounts | null = null;
  #pending: { readonly head: string | null; readonly run: Promise<BaselineAttempt> } | null = null;

  begin(services: Services, session: Session, signal: AbortSignal): void {
    const head = headOf(session);
    if (this.#pending?.head === head || session.snapshot.baseline !== null) return;
    const run = runBaseline(services, session, signal, (counts) => this.#onCounts?.(counts));
    this.#pending = { head, run };
    // The caller of `get` receives the rejection. Without a handler here, a rejection before that would crash the
    // kernel.
    run.catch(() => undefined);
  }

  /** `onCounts` receives the counts of cases while the caller waits. */
  async get(services: Services, session: Session, signal: AbortSignal, onCounts?: OnCounts): Promise<Baseline> {
    const known = session.snapshot.baseline;
    if (known !== null) return known;
    this.begin(services, session, signal);
    const pending = this.#pending;
    this.#onCounts = onCounts ?? null;
    const attempt = await pending?.run.finally(() => {
      this.#onCounts = null;
    });
    // An interrupted run says nothing about the suite. The next run of the session starts it again.
    signal.throwIfAborted();
    if (attempt?.made !== true) {
      if (this.#pending === pending) this.#pending = null;
      return attempt?.baseline ?? { kind: 'unknown', why: 'not run' };
    }
    session.update({ baseline: attempt.baseline });
    session.save();
    return attempt.baseline;
  }
}

function headOf({ snapshot }: Session): string | null {
  return snapshot.base?.head ?? null;
}
