import { plannedKind } from '../../../contracts/review/change-kinds.ts';
import type { Baseline } from '../../../contracts/session/session-facts.ts';
import type { TestRun } from '../../../contracts/sandbox/test-run.ts';
import type { SessionContext } from '../../services.ts';
import type { Session } from '../../session/session.ts';
import { isSource } from '../changed-files.ts';
import type { GreenOutcome } from '../green.ts';
import { judgeStaged } from '../green-run.ts';
import { sourceHashes, stagedWork, testHashes } from '../in-source/staged-work.ts';
import { keptAdvice } from './kept-advice.ts';
import { whyNotKept } from './kept-behaviour.ts';
import { sourceTexts } from './source-texts.ts';

/** Whether the present change needs no failing test first. */
export function keepsBehaviour({ mode, snapshot }: Session): boolean {
  const { exemption, opened, kind } = snapshot;
  return mode === 'strict' && exemption === null && (opened !== null || kind === 'tests');
}

/**
 * Judges a run of the whole suite after such a change: the suite must pass, and the change must match the planned kind.
 */
export async function judgeKept(context: SessionContext, run: TestRun, baseline: Baseline): Promise<GreenOutcome> {
  const { services, session } = context;
  const work = await stagedWork(context);
  const outcome = judgeStaged(services, work, { run, baseline, red: null });
  const { opened } = session.snapshot;
  const kind = plannedKind(session.snapshot.kind);
  if (outcome.kind === 'not-green') return { ...outcome, why: `${outcome.why}${keptAdvice(kind, 'review', run)}` };
  const sources = await sourceTexts(context);
  const tests = testHashes(work, services.policy());
  const sourcePaths = Object.keys(sourceHashes(work, services.policy(), isSource));
  return whyNotKept({ kind, run, opened, testHashes: tests, sources, sourcePaths }) ?? outcome;
}
