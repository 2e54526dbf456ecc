import type { Baseline } from '../../contracts/session/session-facts.ts';
import { mergeAttempts } from './merge-attempts.ts';
import type { Attempt } from './merge-attempts.ts';
import { splitCaseId } from './test-case-id.ts';
import type { TestCaseId } from './test-case-id.ts';

/** A run that takes less is made in one sandbox: a second one takes a second or two to be made and read back. */
const WORTH_SHARDING_MS = 20_000;

export interface ShardFacts {
  /** Each file runs in a process of its own: no file can see what another one left. */
  readonly separates: boolean;
  /** The suite before the session. */
  readonly baseline: Baseline | null;
  /** How many sandboxes may run at once. */
  readonly places: number;
}

/** Pure: the files of a run, divided over sandboxes. Neighbours go to different ones: large files are often beside each other. */
export function shardsOf(files: readonly string[], facts: ShardFacts): readonly (readonly string[])[] {
  const count = Math.min(facts.places, files.length);
  if (!facts.separates || count < 2 || expectedMs(files, facts.baseline) < WORTH_SHARDING_MS) return [files];
  return Array.from({ length: count }, (_, shard) => files.filter((_file, index) => index % count === shard));
}

/** How long these files may take, by the time of the suite; 0: nobody knows. */
function expectedMs(files: readonly string[], baseline: Baseline | null): number {
  if (baseline?.kind !== 'known' || baseline.duration_ms === undefined) return 0;
  const ids = [...baseline.passed, ...baseline.failed];
  const known = new Set([...ids.map((id) => splitCaseId(id as TestCaseId).file), ...baseline.broken_files]);
  return known.size === 0 ? 0 : (baseline.duration_ms * files.length) / Math.max(known.size, files.length);
}

/** Pure: shards as the one run that they are. One that says nothing of its tests speaks for all: they are tests of one package. */
export function mergeShards(attempts: readonly [Attempt, ...Attempt[]], files: readonly string[]): Attempt {
  const [first, ...others] = attempts;
  if (others.length === 0) return first;
  const silent = attempts.find(({ made, run }) => !made || (run.outcome !== 'passed' && run.outcome !== 'failed'));
  if (silent !== undefined) return { ...silent, run: { ...silent.run, requested: [...files] } };
  const { run, ...merged } = mergeAttempts(attempts);
  const place = new Map(files.map((file, index) => [file, index]));
  const byPlace = (a: string, b: string): number => (place.get(a) ?? 0) - (place.get(b) ?? 0);
  return {
    ...merged,
    run: {
      ...run,
      files: run.files.toSorted(byPlace),
      requested: [...files],
      cases: run.cases.toSorted((a, b) => byPlace(a.file, b.file)),
      duration_ms: Math.max(...attempts.map((each) => each.run.duration_ms)),
    },
  };
}
