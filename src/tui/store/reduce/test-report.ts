import type { EventOf } from '../../../contracts/session/events.ts';
import { safeLine, safeLines } from '../safe-text.ts';
import type { TestReport } from '../item.ts';

const MAX_FAILURES = 8;
const MAX_WHY_LINES = 12;

/** The report of a test run on the screen: the counts, and the names of the first failures with the beginning of each message. */
export function testReport(event: EventOf<'test.finished'>): TestReport {
  const failed = (event.cases ?? []).filter((each) => each.status === 'failed');
  return {
    outcome: safeLine(event.outcome),
    passed: event.passed,
    failed: event.failed,
    skipped: event.skipped,
    failures: failed.slice(0, MAX_FAILURES).map((each) => ({
      file: safeLine(each.file),
      name: safeLine(each.name),
      why: safeLines((each.failure?.message ?? '').trim())
        .filter((line) => line.trim() !== '')
        .slice(0, MAX_WHY_LINES),
    })),
    hidden: Math.max(0, failed.length - MAX_FAILURES),
  };
}
