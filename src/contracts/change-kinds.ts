import { z } from 'zod';
import type { ObservationName } from './proof.ts';

/** What a change is meant to be, which decides what proves it. */
export const CHANGE_KINDS = ['feature', 'fix', 'refactor', 'deletion', 'tests', 'exempt', 'explore'] as const;

export const changeKindSchema = z.enum(CHANGE_KINDS);
export type ChangeKind = z.infer<typeof changeKindSchema>;

interface KindDefinition {
  /** For people. */
  readonly title: string;
  /** Whether a new test has to fail before the source may change. */
  readonly red: boolean;
  /** Observations that have to hold before a commit of this kind is called verified; null: it never is. */
  readonly needs: readonly ObservationName[] | null;
}

export const KIND_DEFINITIONS: Readonly<Record<ChangeKind, KindDefinition>> = {
  feature: { title: 'feature', red: true, needs: ['removal'] },
  fix: { title: 'bug fix', red: true, needs: ['removal'] },
  refactor: { title: 'refactoring', red: false, needs: ['old_tests', 'mutation'] },
  deletion: { title: 'deletion of dead code', red: false, needs: ['old_tests'] },
  tests: { title: 'tests alone', red: false, needs: ['mutation'] },
  exempt: { title: 'exempt from tests', red: false, needs: null },
  explore: { title: 'made in explore mode', red: false, needs: null },
};
