import { plannedKind } from '../../../contracts/review/change-kinds.ts';
import type { Baseline } from '../../../contracts/session/session-facts.ts';
import type { TestRun } from '../../../contracts/sandbox/test-run.ts';
import type { SessionContext } from '../../services.ts';
import type { Session } from '../../session/session.ts';
import { hashesOf, isSource, isTest } from '../changed-files.ts';
import type { GreenOutcome } from '../green.ts';
import { judgeStaged } from '../green-run.ts';
import { whyNotKept } from './kept-behaviour.ts';
import { movedModuleAdvice } from './moved-module.ts';
import { sourceTexts } from './source-texts.ts';

/** Whether the change under way is one that no failing test has to come before. */
export function keepsBehaviour({ mode, snapshot }: Session): boolean {
  const { exemption, opened, kind } = snapshot;
  return mode === 'strict' && exemption === null && (opened !== null || kind === 'tests');
}

/** A run of the whole suite after such a change: it passes, and the change is what it was planned as. */
export async function judgeKept(context: SessionContext, run: TestRun, baseline: Baseline): Promise<GreenOutcome> {
  const { services, session, workspace } = context;
  const changes = await workspace.changes();
  const outcome = judgeStaged(services, changes, { run, baseline, red: null });
  if (outcome.kind === 'not-green') return { ...outcome, why: `${outcome.why}${movedModuleAdvice(run)}` };
  const sources = await sourceTexts(context);
  const { kind, opened } = session.snapshot;
  const testHashes = hashesOf(changes, services.policy(), isTest);
  const sourcePaths = Object.keys(hashesOf(changes, services.policy(), isSource));
  return whyNotKept({ kind: plannedKind(kind), run, opened, testHashes, sources, sourcePaths }) ?? outcome;
}
