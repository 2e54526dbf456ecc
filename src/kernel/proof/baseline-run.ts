import type { CaseCounts } from '../../contracts/ports/sandboxes.ts';
import type { Baseline } from '../../contracts/session/session-facts.ts';
import { baselineOf } from './baseline.ts';
import type { Session } from '../session/session.ts';
import { attemptSuite } from './run-tests.ts';
import type { Services } from '../services.ts';

/** A run of the suite that was not made says nothing about the project: the next use of the baseline starts again. */
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

/** The baseline of a session: run once for each head that it is based on, kept on disk, begun in the background so that nobody waits for it while the model writes tests. */
export class BaselineRun {
  #onCounts: OnCounts | null = null;
  #pending: { readonly head: string | null; readonly run: Promise<BaselineAttempt> } | null = null;

  begin(services: Services, session: Session, signal: AbortSignal): void {
    const head = headOf(session);
    if (this.#pending?.head === head || session.snapshot.baseline !== null) return;
    const run = runBaseline(services, session, signal, (counts) => this.#onCounts?.(counts));
    this.#pending = { head, run };
    // Whoever awaits it sees the failure. Until then it must not crash the kernel.
    run.catch(() => undefined);
  }

  /** `onCounts`: called while somebody waits for it. */
  async get(services: Services, session: Session, signal: AbortSignal, onCounts?: OnCounts): Promise<Baseline> {
    const known = session.snapshot.baseline;
    if (known !== null) return known;
    this.begin(services, session, signal);
    const pending = this.#pending;
    this.#onCounts = onCounts ?? null;
    const attempt = await pending?.run.finally(() => {
      this.#onCounts = null;
    });
    // An interruption says nothing about the suite: the next run of the session runs it again.
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
