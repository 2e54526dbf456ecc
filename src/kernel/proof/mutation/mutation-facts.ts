import type { ChangeSet } from '../../../contracts/review/change-set.ts';
import type { ObservationName } from '../../../contracts/review/proof.ts';
import type { RepeatedTests } from '../variants/observe-variants.ts';
import type { BrokenRun } from './broken-run.ts';
import type { BreakableText } from './chosen-mutants.ts';
import type { Executed } from './known-lines.ts';

/** What mutants are made of, and which tests have to notice them. */
export interface MutationFacts extends BrokenRun {
  readonly sources: readonly BreakableText[];
  /** Describes the mutated lines, for people. */
  readonly breaks: string;
  /** Test files that run first. */
  readonly files: readonly string[];
  /** The only cases that count; all of them must be in `files`. Default: every case of every file, without cases that failed at green. */
  readonly cases?: ReadonlySet<string>;
  /** Staged changes in the view of the tests; default: all. */
  readonly shown?: ChangeSet;
  /** Lines of the sources that tests execute; default: unknown. */
  readonly executed?: Executed;
  /** Whether to also report each changed function of which no mutant is noticed; default: no. The share of noticed mutants does not show such functions. */
  readonly eachFunction?: boolean;
  /** The test files with each case written twice: the second can notice a mutant that keeps state. Default: not used. */
  readonly repeated?: () => Promise<RepeatedTests>;
  /** The observation that the progress is shown for; default: `mutation`. */
  readonly observation?: ObservationName;
}
