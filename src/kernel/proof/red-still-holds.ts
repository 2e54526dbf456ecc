import type { Baseline, Red } from '../../contracts/session/session-facts.ts';
import type { TestCommand } from '../../contracts/session/session-protocol.ts';
import { classifyPath } from '../policy/index.ts';
import { explainNotCollected } from '../runners/collected-name.ts';
import { resolvesInside } from '../runners/missing-module.ts';
import { entriesWithoutSource, stagedWork } from './in-source/staged-work.ts';
import { judgeRed, noLongerRed } from './red.ts';
import { splitCaseId } from './test-case-id.ts';
import { hashesOf, sensitiveTo } from './changed-files.ts';
import { redCaseLimitMs } from './run/time-limits.ts';
import { runTests } from './run/run-tests.ts';
import type { TestSite } from './run/run-tests.ts';
import { withoutSource } from './without-source.ts';
import type { Services } from '../services.ts';

export type RedAgain =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'rerun'; readonly finding: string }
  | { readonly kind: 'refused'; readonly why: string };

/** The red run, and the baseline that it was compared with. */
interface SeenRed {
  readonly red: Red;
  readonly baseline: Baseline;
}

/**
 * Repeats the red run if runner configuration or another sensitive file has changed since. The view contains the tests
 * and these changes, but not the source. Otherwise a changed configuration could be the reason why the tests pass now.
 */
export async function redStillHolds(
  services: Services,
  { session, workspace }: Pick<TestSite, 'session' | 'workspace'>,
  command: TestCommand,
  { red, baseline }: SeenRed,
  signal: AbortSignal,
): Promise<RedAgain> {
  const staged = await stagedWork({ services, workspace });
  const { changes } = staged;
  const isSensitive = sensitiveTo(command, services.options.project_root);
  const now = hashesOf(changes, services.policy(), isSensitive);
  const then = red.sensitive;
  const moved = [...new Set([...Object.keys(now), ...Object.keys(then)])].filter((path) => now[path] !== then[path]);
  if (moved.length === 0) return { kind: 'unchanged' };

  const needed = changes.filter(({ path, before, after }) => {
    const kind = classifyPath(services.policy(), path);
    const directory = before.kind === 'absent' && after.kind === 'directory';
    return !directory && (kind.kind === 'test' || isSensitive(kind, path));
  });
  // Files can be added to a second view of the project, but not removed. So the repeated run would still contain the
  // files that the change deleted.
  const lost = needed.filter(({ after }) => after.kind !== 'file').map((change) => change.path);
  if (lost.length > 0) {
    return {
      kind: 'refused',
      why: `${lost.join(', ')} was deleted, moved or replaced by a link, and ${moved.join(', ')} has changed since the tests failed. So the failure cannot be repeated. Revert that change, or go back with workflow.revise_tests and let the tests fail on the present files.`,
    };
  }

  const view = await withoutSource(services, workspace, { changes: needed, texts: entriesWithoutSource(staged) });
  if (view.kind === 'failed')
    return { kind: 'refused', why: `${view.path} could not be set up to see the tests fail again.` };
  try {
    const files = [...new Set([...red.cases.map((id) => splitCaseId(id).file), ...red.files])].sort();
    const run = await runTests(
      services,
      { ...view, session, caseMs: redCaseLimitMs(baseline) },
      command,
      files,
      signal,
    );
    const outcome = judgeRed({
      run,
      baseline,
      changedTests: new Set(files),
      resolvesInside: (file, specifier) => resolvesInside(services.options.project_root, file, specifier),
      // This was checked when red was decided, and with the present files the test file does not load again.
      isThrownBySource: (file) => red.files.includes(file),
      explainNotCollected: (files) => explainNotCollected(command, files),
    });
    const gone = noLongerRed(red, outcome);
    if (gone.length > 0) {
      return {
        kind: 'refused',
        why: `After the change to ${moved.join(', ')} the tests no longer fail without the source, so they prove nothing. Revert that change, or go back with workflow.revise_tests.`,
      };
    }
    return {
      kind: 'rerun',
      finding: `${moved.join(', ')} changed after the tests were seen to fail; they were seen to fail again with that change.`,
    };
  } finally {
    await view.close();
  }
}
