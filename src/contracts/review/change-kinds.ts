import { z } from 'zod';
import type { ObservationName } from './proof.ts';

/** The purpose of a change. It decides what proves the change. */
export const CHANGE_KINDS = ['feature', 'fix', 'refactor', 'deletion', 'tests', 'exempt', 'explore'] as const;

/** Kinds that a model can plan; exemptions and explore mode are granted, not planned. */
export const PLANNED_KINDS = ['feature', 'fix', 'refactor', 'deletion', 'tests'] as const;
export type PlannedKind = (typeof PLANNED_KINDS)[number];

export const changeKindSchema = z.enum(CHANGE_KINDS);
export type ChangeKind = z.infer<typeof changeKindSchema>;

interface KindDefinition {
  /** For people. */
  readonly title: string;
  /** Whether a new test must fail before the source may change. */
  readonly red: boolean;
  /** Observations that must hold before a commit of this kind is called verified; null: it is never called verified. */
  readonly needs: readonly ObservationName[] | null;
  /** The lines that mutants change. */
  readonly breaks: string;
  /** The tests whose execution of the changed lines is counted; null: not counted. */
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
  if (kind === undefined) return false;
  const { red, needs } = KIND_DEFINITIONS[kind];
  return !red && needs !== null;
}

/** The kind that the model has planned; default: feature. */
export function plannedKind(kind: ChangeKind | null): PlannedKind {
  return kind === null || kind === 'exempt' || kind === 'explore' ? 'feature' : kind;
}
