import type { TestRun } from '../../contracts/sandbox/test-run.ts';
import { countCases } from '../runners/count-cases.ts';
import type { Services } from '../services.ts';
import type { Session } from '../session/session.ts';
import { reportedCases } from './reported-cases.ts';

/** Shows a run of the tests. Without `callId` the kernel began it by itself. */
export function reportRun(services: Services, session: Session, run: TestRun, callId?: string): void {
  session.emit({
    type: 'test.finished',
    ...(callId === undefined ? {} : { call_id: callId }),
    valid: run.outcome === 'passed' || run.outcome === 'failed',
    outcome: run.outcome,
    ...countCases(run.cases),
    cases: reportedCases(run.cases, services.policy().sanitizer.patterns),
  });
}
