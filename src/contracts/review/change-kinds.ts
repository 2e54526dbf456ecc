import { z } from 'zod';
import type { ObservationName } from './proof.ts';

/** What a change is meant to be, which decides what proves it. */
export const CHANGE_KINDS = ['feature', 'fix', 'refactor', 'deletion', 'tests', 'exempt', 'explore'] as const;

/** What a model can plan; exemptions and explore mode are granted, not planned. */
export const PLANNED_KINDS = ['feature', 'fix', 'refactor', 'deletion', 'tests'] as const;
export type PlannedKind = (typeof PLANNED_KINDS)[number];

export const changeKindSchema = z.enum(CHANGE_KINDS);
export type ChangeKind = z.infer<typeof changeKindSchema>;

interface KindDefinition {
  /** For people. */
  readonly title: string;
  /** Whether a new test has to fail before the source may change. */
  readonly red: boolean;
  /** Observations that have to hold before a commit of this kind is called verified; null: it never is. */
  readonly needs: readonly ObservationName[] | null;
  /** The lines that mutants break. */
  readonly breaks: string;
  /** Whose execution of the changed lines is counted; null: nobody's. */
  readonly counts: 'the new tests' | 'the tests' | null;
}

const CHANGED = 'the changed lines';
const BY_RED = {
  red: true,
  needs: ['removal', 'plain', 'old_tests'],
  breaks: CHANGED,
  counts: 'the new tests',
} as const;

export const KIND_DEFINITIONS: Readonly<Record<ChangeKind, KindDefinition>> = {
  feature: { title: 'feature', ...BY_RED },
  fix: { title: 'bug fix', ...BY_RED },
  refactor: {
    title: 'refactoring',
    red: false,
    needs: ['opening', 'plain', 'old_tests', 'mutation_before', 'mutation'],
    breaks: CHANGED,
    counts: 'the tests',
  },
  deletion: {
    title: 'deletion of dead code',
    red: false,
    needs: ['opening', 'plain', 'old_tests', 'references'],
    breaks: CHANGED,
    counts: null,
  },
  tests: {
    title: 'tests alone',
    red: false,
    needs: ['repeated', 'plain', 'mutation'],
    breaks: 'the source that the new tests use',
    counts: null,
  },
  exempt: { title: 'exempt from tests', red: false, needs: null, breaks: CHANGED, counts: null },
  explore: { title: 'made in explore mode', red: false, needs: null, breaks: CHANGED, counts: null },
};

/** Whether a change of this kind can be proved although no test failed first. */
export function isProvedWithoutRed(kind: ChangeKind | undefined): boolean {
  const definition = kind === undefined ? null : KIND_DEFINITIONS[kind];
  return definition !== null && !definition.red && definition.needs !== null;
}

/** What the model has planned; what it has not said is a feature. */
export function plannedKind(kind: ChangeKind | null): PlannedKind {
  return kind === null || kind === 'exempt' || kind === 'explore' ? 'feature' : kind;
}
