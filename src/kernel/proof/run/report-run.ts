import type { TestRun } from '../../../contracts/sandbox/test-run.ts';
import { countCases } from '../../runners/count-cases.ts';
import type { Services } from '../../services.ts';
import type { Session } from '../../session/session.ts';
import { reportedCases, reportedReason } from './reported-cases.ts';

/** Emits the result of a test run. Without `callId`, the kernel started the run itself. */
export function reportRun(services: Services, session: Session, run: TestRun, callId?: string): void {
  const { patterns } = services.policy().sanitizer;
  const valid = run.outcome === 'passed' || run.outcome === 'failed';
  session.emit({
    type: 'test.finished',
    ...(callId === undefined ? {} : { call_id: callId }),
    valid,
    outcome: run.outcome,
    ...(valid || run.why === undefined ? {} : { why: reportedReason(run.why, patterns) }),
    ...countCases(run.cases),
    cases: reportedCases(run.cases, patterns),
  });
}
