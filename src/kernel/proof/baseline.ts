import { z } from 'zod';
import type { TestRun } from '../../contracts/test-run.ts';
import { casesById } from './test-case-id.ts';
import type { TestCaseId } from './test-case-id.ts';

/**
 * The suite as it stood before the session wrote anything. `unknown` means that it could not be had (no tests yet, a broken suite):
 * then nothing counts as an old failure, and nothing as an old success.
 */
export const baselineSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('known'),
    passed: z.array(z.string()),
    failed: z.array(z.string()),
    /** Files that did not load or yielded no case. */
    broken_files: z.array(z.string()),
  }),
  z.strictObject({ kind: z.literal('unknown'), why: z.string() }),
]);
export type Baseline = z.infer<typeof baselineSchema>;

export function baselineOf(run: TestRun): Baseline {
  if (run.outcome !== 'passed' && run.outcome !== 'failed') {
    return { kind: 'unknown', why: `${run.outcome}${run.why === undefined ? '' : `: ${run.why}`}` };
  }
  const passed: TestCaseId[] = [];
  const failed: TestCaseId[] = [];
  const broken = new Set<string>();
  for (const [id, each] of casesById(run.cases)) {
    if (each.status === 'passed') passed.push(id);
    else if (each.status === 'failed' && isLoadFailure(each.failure?.kind)) broken.add(each.file);
    else if (each.status === 'failed') failed.push(id);
  }
  return { kind: 'known', passed, failed, broken_files: [...broken] };
}

function isLoadFailure(kind: string | undefined): boolean {
  return kind === 'load' || kind === 'crash';
}
