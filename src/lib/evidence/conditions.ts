import type { Proof } from '../../contracts/review/proof.ts';

/** A condition for a commit, from `--require` or the policy. */
export type GradeCondition =
  | { readonly kind: 'status'; readonly status: 'attested' | 'verified' }
  /** At least this percentage: of the tried mutants noticed, or of the changed lines executed. */
  | { readonly kind: 'share'; readonly of: Share; readonly percent: number };

export const SHARES = ['mutants', 'lines'] as const;
export type Share = (typeof SHARES)[number];

/** How conditions are written, for messages. */
export const CONDITION_FORMS = 'attested, verified, mutants>=N%, lines>=N% (N from 0 to 100)';

/** Parses exactly a condition; null for anything else. Pure. */
export function parseCondition(text: string): GradeCondition | null {
  if (text === 'attested' || text === 'verified') return { kind: 'status', status: text };
  const [, of, percent] = /^(mutants|lines)>=(100|[1-9]?\d)%$/.exec(text) ?? [];
  if (of === undefined || percent === undefined) return null;
  return { kind: 'share', of: of as Share, percent: Number(percent) };
}

export function conditionText(condition: GradeCondition): string {
  return condition.kind === 'status' ? condition.status : `${condition.of}>=${condition.percent}%`;
}

/** The measured part of a whole in a proof; null if it was not measured, or if there was nothing to measure. Pure. */
export function shareOf(proof: Pick<Proof, 'mutants' | 'lines'> | undefined, share: Share): Measured | null {
  const measured =
    share === 'mutants'
      ? proof?.mutants && { part: proof.mutants.noticed, whole: proof.mutants.tried }
      : proof?.lines && { part: proof.lines.executed, whole: proof.lines.changed };
  return measured === undefined || measured === null || measured.whole === 0 ? null : measured;
}

export interface Measured {
  readonly part: number;
  readonly whole: number;
}

/** Compares without rounding: 79.9% is not 80%. Pure. */
export function isAtLeast({ part, whole }: Measured, percent: number): boolean {
  return part * 100 >= percent * whole;
}
