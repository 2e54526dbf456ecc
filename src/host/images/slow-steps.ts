const SLOW_MS = 2_000;

/**
 * Returns a function that reports the steps of a build. It reports a step only if nothing was reported for two seconds: a build of a second
 * has one line of progress, and not one for each of its steps. `nowMs`: the wall clock.
 */
export function slowSteps(report: (step: string) => void, nowMs: () => number): (step: string) => void {
  let reportedMs = nowMs();
  return (step) => {
    if (nowMs() - reportedMs < SLOW_MS) return;
    reportedMs = nowMs();
    report(step);
  };
}
