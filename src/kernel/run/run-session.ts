import type { ProviderSandbox } from '../../contracts/ports/sandboxes.ts';
import type { Workspace } from '../../contracts/ports/workspace.ts';
import { BaselineRun } from '../proof/baseline-run.ts';
import { withCollectedTests } from '../proof/collected-tests.ts';
import type { RunEnd } from '../session/run-end.ts';
import type { Session } from '../session/session.ts';
import type { Services } from '../services.ts';
import { converse } from './converse.ts';
import { endOf, finish } from './end-run.ts';
import { openSession } from './open-session.ts';
import { projectNotes } from './prompt/project-notes.ts';

/**
 * A run, from a message of the user to its end; once round the loop for each message of the model:
 *
 *   model turn -> calls -> (parse -> resolve -> state -> policy -> human -> audit intent -> sandbox -> staging -> audit outcome) -> replies
 *   ... until a review -> decision -> audit intent -> merge and commit -> audit outcome
 *
 * Each run ends with exactly one `session.finished`. `signal` interrupts it between steps and inside of them; what is staged stays.
 */
export async function runSession(shared: Services, session: Session, signal: AbortSignal): Promise<void> {
  const services = withCollectedTests(shared, session);
  session.update({ running: true, run_started_ms: services.clock.nowMs() });
  session.updateRow({ status: 'active' });
  session.save();
  let provider: ProviderSandbox | null = null;
  let end: RunEnd;
  try {
    const opened = await open(services, session, signal);
    provider = opened.provider;
    const notes = await projectNotes({ services, session, workspace: opened.workspace });
    end = await converse({ services, session, ...opened, baseline: new BaselineRun(), notes, signal });
  } catch (error) {
    end = endOf(error, signal);
  } finally {
    tidyUp(services, session, provider);
  }
  await services.anchor();
  finish(services, session, end);
}

/** Standbys take 60 MiB each: a session that nobody types in has none. */
export const STANDBY_IDLE_MS = 2 * 60_000;

/** Workspace and provider, made at the same time. The first of both that fails decides; a provider that is ready too late is closed. */
async function open(
  services: Services,
  session: Session,
  signal: AbortSignal,
): Promise<{ readonly workspace: Workspace; readonly provider: ProviderSandbox }> {
  const name = session.snapshot.options.model.split('/')[0] ?? '';
  const opening = openSession(services, session, signal);
  services.sandboxes.warm(session.id, name);
  const starting = services.sandboxes.provider(session.id, name);
  try {
    const [workspace, provider] = await Promise.all([opening, starting]);
    return { workspace, provider };
  } catch (error) {
    starting.then(close, () => undefined);
    // It writes to the session, which the next run may have by then.
    await opening.catch(() => undefined);
    throw error;
  }
}

/** In the background: nobody waits for a container to go. A run that nobody continues keeps nothing ready for the next, the others only for a while. */
function tidyUp(services: Services, session: Session, provider: ProviderSandbox | null): void {
  services.sandboxes.cool(session.id, session.snapshot.options.interactive ? STANDBY_IDLE_MS : 0);
  if (provider !== null) close(provider);
}

/** A container that cannot be removed now is collected as an orphan at the next start. */
function close(provider: ProviderSandbox): void {
  provider.close().catch(() => undefined);
}
