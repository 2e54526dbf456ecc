import { providerOf } from '../../contracts/model/model-choice.ts';
import type { Workspace } from '../../contracts/ports/workspace.ts';
import { diskFull } from '../../lib/disk-full.ts';
import { BaselineRun } from '../proof/baseline-run.ts';
import { withCollectedTests } from '../proof/run/collected-tests.ts';
import type { RunEnd } from '../session/run-end.ts';
import { modelInUse } from '../session/model-in-use.ts';
import type { Session } from '../session/session.ts';
import type { Services } from '../services.ts';
import { converse } from './converse.ts';
import { endOf, finish } from './end-run.ts';
import { beginWithChosen } from './model/fall-back.ts';
import { openSession } from './open-session.ts';
import { projectNotes } from './prompt/project-notes.ts';
import { ProviderPool } from './model/provider-pool.ts';
import { RunSpending } from './run-spending.ts';
import { TitleWriter } from './model/title-writer.ts';

/**
 * A run, from a message of the user to its end. For each message of the model it repeats:
 *
 *   model turn -> calls -> (parse -> resolve -> state -> policy -> human -> audit intent -> sandbox -> staging -> audit outcome) -> replies
 *   ... until a review -> decision -> audit intent -> merge and commit -> audit outcome
 *
 * Each run ends with exactly one `session.finished`. `signal` interrupts it between and during steps. Staged changes are kept.
 */
export async function runSession(shared: Services, session: Session, signal: AbortSignal): Promise<void> {
  const services = withCollectedTests(shared, session);
  session.beginRun({ running: true });
  session.updateRow({ status: 'active' });
  session.save();
  const providers = new ProviderPool(services.sandboxes, session.id);
  const spending = new RunSpending(services, session);
  const titles = new TitleWriter(services, session);
  let end: RunEnd;
  try {
    await beginWithChosen({ services, session, providers, signal });
    const workspace = await open(services, session, providers, signal);
    const notes = await projectNotes({ services, session, workspace });
    end = await converse({
      services,
      session,
      workspace,
      providers,
      spending,
      baseline: new BaselineRun(),
      titles,
      notes,
      signal,
    });
  } catch (error) {
    end = endOf(error, signal);
  } finally {
    session.endReading();
    titles.close();
    providers.close();
    // If nobody continues the session, no sandbox stays ready for the next run; otherwise only for a short time.
    services.sandboxes.cool(session.id, session.snapshot.options.interactive ? STANDBY_IDLE_MS : 0);
  }
  // If no limit covers all sessions, the sums are not needed, and a run does not fail because of them.
  await spending.settle().catch(() => undefined);
  await services.anchor();
  finish(services, session, end);
}

/** Each standby takes 60 MiB, so an unattended session has none. */
export const STANDBY_IDLE_MS = 2 * 60_000;

/** Opens workspace and provider in parallel. The first failure counts. Nothing is started on a full disk. */
async function open(
  services: Services,
  session: Session,
  providers: ProviderPool,
  signal: AbortSignal,
): Promise<Workspace> {
  if (await services.isDiskFull()) throw diskFull('the state directory');
  const { model } = modelInUse(session);
  const opening = openSession(services, session, signal);
  services.sandboxes.warm(session.id, providerOf(model));
  try {
    const [workspace] = await Promise.all([opening, providers.of(model)]);
    return workspace;
  } catch (error) {
    // `opening` writes to the session, which may already be in the next run.
    await opening.catch(() => undefined);
    throw error;
  }
}
