import type { Finding } from '../../../../contracts/review/proof.ts';
import { brokenRunner, withText } from '../../mutation/broken-run.ts';
import type { BrokenRun } from '../../mutation/broken-run.ts';
import { collectTestFiles } from '../../run/run-tests.ts';
import type { SessionContext } from '../../../services.ts';
import { stagedEntries } from '../../views/staged-entries.ts';
import type { NewConstant } from './new-constants.ts';

/**
 * Maximum number of constants that are tried. Each costs two runs of the suite; further constants are reported without
 * a run.
 */
const MAX_ASKED = 5;
const MIN_BUDGET_MS = 30_000;

/**
 * Returns findings for constants of a refactoring that tests do not check: the tests pass without the constant, or with
 * another value.
 */
export async function untestedConstants(
  context: SessionContext,
  work: BrokenRun,
  constants: readonly NewConstant[],
): Promise<Finding[]> {
  const { services, workspace } = context;
  const all = constants.map(({ finding }) => finding);
  if (constants.length === 0) return all;
  const staged = await stagedEntries(workspace, await workspace.changes());
  const tests = await collectTestFiles(workspace, work.command);
  if (staged.kind === 'failed' || tests === null) return all;
  const stopMs = services.clock.monotonicMs() + Math.max(MIN_BUDGET_MS, 2 * work.suite.duration_ms);
  const scratch = await services.workspaces.scratch();
  const isNoticed = async (path: string, text: string): Promise<boolean> => {
    const site = { ...scratch, overrides: withText(path, text, staged.entries) };
    const { kind } = await brokenRunner(context, work, site, stopMs)(tests);
    return kind === 'noticed';
  };
  const tested = new Set<Finding>();
  try {
    for (const { finding, broken } of constants.slice(0, MAX_ASKED)) {
      if (broken === null) continue;
      const { path } = finding;
      if ((await isNoticed(path, broken.without)) && (await isNoticed(path, broken.other))) tested.add(finding);
    }
  } finally {
    await scratch.close();
  }
  return all.filter((each) => !tested.has(each));
}
