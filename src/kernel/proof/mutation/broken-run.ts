import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import type { ViewEntry } from '../../../contracts/ports/workspace.ts';
import type { TestCase, TestRun } from '../../../contracts/sandbox/test-run.ts';
import { runnerFor } from '../../runners/command-parts.ts';
import type { SessionContext } from '../../services.ts';
import { unusableRun } from '../red.ts';
import { brokenRunLimitMs, caseLimitMs } from '../run/time-limits.ts';
import { attemptTests } from '../run/run-tests.ts';
import type { TestSite } from '../run/run-tests.ts';
import { once } from '../syntax/once.ts';
import { caseId } from '../test-case-id.ts';
import { textEntry } from '../views/text-entry.ts';

/** The facts that decide whether a run notices a broken source. */
export interface BrokenRun {
  readonly command: TestCommand;
  /** The run of the whole suite at green. */
  readonly suite: TestRun;
  /** The only cases that count; default: every case that did not fail at green. */
  readonly cases?: ReadonlySet<string>;
}

/** With less time left, no run is started. */
const MIN_LEFT_MS = 10_000;
export const NO_TIME = 'no time was left';

/** `not-ended`: the tests ran for longer than their limit. The broken source or a busy machine can be the reason. */
export type Tried =
  | { readonly kind: 'noticed' | 'unnoticed' | 'not-built' | 'not-ended' }
  | { readonly kind: 'not-made'; readonly why: string };

/**
 * Returns a function that runs test files on the broken source in the view of `site`, and checks whether a test notices
 * it. A run has time for the whole suite, or it is not started.
 */
export function brokenRunner(
  { services, session, signal }: SessionContext,
  { command, suite, cases }: BrokenRun,
  site: Pick<TestSite, 'id' | 'workspace' | 'overrides'>,
  stopMs: number,
): (files: readonly string[]) => Promise<Tried> {
  const isNoticing = noticingCase(suite, cases);
  const suiteMs = suite.duration_ms;
  const caseMs = caseLimitMs(suite);
  return async (files) => {
    const leftMs = stopMs - services.clock.monotonicMs();
    if (leftMs < MIN_LEFT_MS) return { kind: 'not-made', why: NO_TIME };
    const deadlineMs = Math.min(brokenRunLimitMs(suite), leftMs + suiteMs);
    const { made, run } = await attemptTests(
      services,
      { ...site, session, deadlineMs, caseMs },
      command,
      files,
      signal,
    );
    signal.throwIfAborted();
    if (!made) return { kind: 'not-made', why: run.why ?? run.outcome };
    if (run.outcome === 'timeout') return { kind: 'not-ended' };
    const noticing = run.cases.filter(isNoticing);
    if (noticing.length > 0 && noticing.every((each) => isNotBuilt(command, each))) return { kind: 'not-built' };
    return { kind: unusableRun(run) !== null || noticing.length > 0 ? 'noticed' : 'unnoticed' };
  };
}

/** The suite at green is the same for all mutants. */
const failuresOf = once(({ cases }: TestRun) => {
  const failed = cases.filter(({ status }) => status === 'failed');
  return {
    failedAtGreen: new Set<string>(failed.map(caseId)),
    brokenAtGreen: new Set(failed.flatMap(({ file, failure }) => (failure?.kind === 'load' ? [file] : []))),
  };
});

/** Returns whether a case shows that the source is broken. If a file does not load, all of its cases count. */
function noticingCase(suite: TestRun, counted?: ReadonlySet<string>): (each: TestCase) => boolean {
  const { failedAtGreen, brokenAtGreen } = failuresOf(suite);
  return (each) => {
    if (each.status !== 'failed') return false;
    if (counted !== undefined) return counted.has(caseId(each)) || each.failure?.kind === 'load';
    return !failedAtGreen.has(caseId(each)) && !brokenAtGreen.has(each.file);
  };
}

/**
 * Whether a broken source failed to build. In languages that build sources first, a file that does not load is not a
 * program.
 */
function isNotBuilt(command: TestCommand, { file, failure }: TestCase): boolean {
  return failure?.kind === 'load' && runnerFor(command, file).builds === true;
}

/** Returns the staged files, with another text for one of them. */
export function withText(path: string, text: string, staged: readonly ViewEntry[]): ViewEntry[] {
  const executable = staged.some((each) => each.path === path && each.entry.kind === 'file' && each.entry.executable);
  const broken = textEntry(path, text, executable);
  return [...staged.filter((each) => each.path !== path), broken];
}
