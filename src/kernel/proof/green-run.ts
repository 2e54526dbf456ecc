import type { ChangeSet } from '../../contracts/review/change-set.ts';
import type { TestRun } from '../../contracts/sandbox/test-run.ts';
import { countCases } from '../runners/count-cases.ts';
import type { Services } from '../services.ts';
import { hashesOf, isChange, isTest } from './changed-files.ts';
import { judgeGreen } from './green.ts';
import type { GreenFacts, GreenOutcome } from './green.ts';

/** Judges a run of the whole suite for the changes that are staged. */
export function judgeStaged(
  services: Services,
  changes: ChangeSet,
  facts: Pick<GreenFacts, 'run' | 'baseline' | 'red'>,
): GreenOutcome {
  return judgeGreen({
    ...facts,
    testHashes: hashesOf(changes, services.policy(), isTest),
    sourceChanged: Object.keys(hashesOf(changes, services.policy(), isChange)).length > 0,
  });
}

/** What a session keeps of a run of the whole suite that was judged green. */
export function keptRun({ random, clock }: Pick<Services, 'random' | 'clock'>, run: TestRun) {
  const { passed, skipped } = countCases(run.cases);
  return {
    run_id: random.id('t', 16),
    at_ms: clock.nowMs(),
    passed,
    skipped,
    failed: run.cases.filter((each) => each.status === 'failed').map(({ file, name }) => ({ file, name })),
  };
}
