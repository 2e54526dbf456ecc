import { assertNever } from '../../../lib/assert-never.ts';
import { diskFull } from '../../../lib/disk-full.ts';
import type { TestRun } from '../../../contracts/sandbox/test-run.ts';
import type { Services } from '../../services.ts';

type NotRun = Exclude<Awaited<ReturnType<Services['sandboxes']['test']>>, { kind: 'ran' }>;

/** The outcome of a run whose sandbox ended without a result. */
export function notRun(value: NotRun): { readonly result: TestRun['outcome']; readonly why: string } {
  switch (value.kind) {
    case 'timed-out':
      return { result: 'timeout', why: `The tests were stopped after ${Math.round(value.afterMs / 1000)} s.` };
    case 'out-of-memory':
      return { result: 'out_of_memory', why: 'The tests used more memory than the sandbox has.' };
    case 'cancelled':
      return { result: 'killed', why: 'The run was interrupted.' };
    case 'disk-full':
      throw diskFull('the state directory');
    case 'failed':
      return { result: 'crashed', why: value.reason };
    default:
      return assertNever(value);
  }
}
