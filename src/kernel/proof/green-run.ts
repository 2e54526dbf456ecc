import type { TestRun } from '../../contracts/sandbox/test-run.ts';
import { countCases } from '../runners/count-cases.ts';
import type { Services } from '../services.ts';
import { judgeGreen } from './green.ts';
import type { GreenFacts, GreenOutcome } from './green.ts';
import { sourceHashes, testHashes } from './in-source/staged-work.ts';
import type { StagedWork } from './in-source/staged-work.ts';

/** Judges a run of the whole suite with the staged changes. */
export function judgeStaged(
  services: Services,
  work: StagedWork,
  facts: Pick<GreenFacts, 'run' | 'baseline' | 'red'>,
): GreenOutcome {
  return judgeGreen({
    ...facts,
    testHashes: testHashes(work, services.policy()),
    sourceChanged: Object.keys(sourceHashes(work, services.policy())).length > 0,
  });
}

/** What a session keeps of a green run of the whole suite. */
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
