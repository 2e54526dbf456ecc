import { z } from 'zod';
import { SESSION_MODES } from '../session/workflow-states.ts';

/** The number of lines with code in the project's sources, and of those that a run of the whole suite executes. */
export const coverageLinesSchema = z
  .strictObject({ covered: z.number().int().nonnegative(), total: z.number().int().positive() })
  .refine(({ covered, total }) => covered <= total, { message: 'more lines are covered than there are' });

/** The file that a project is compared with. `lines` is null until a strict commit has measured them. */
export const coverageBaselineSchema = z.strictObject({
  version: z.literal(1),
  lines: coverageLinesSchema.nullable(),
  /** Names of the runners that counted. Numbers of different runners cannot be compared. */
  runner: z.string().max(400).default(''),
  /** Languages whose sources are counted. */
  languages: z.array(z.string().max(40)).max(50).default([]),
});

/** The kernel's result for one staged tree on one head, in one mode. */
const subject = { file: z.string(), staging_digest: z.string(), head: z.string(), mode: z.enum(SESSION_MODES) };

export const keptCoverageSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('measured'),
    ...subject,
    lines: coverageLinesSchema,
    /** null: there is nothing to compare with. */
    baseline: coverageLinesSchema.nullable(),
    /** Text of the file in the commit; null: the commit does not change the file. */
    next: z.string().nullable(),
    /** Shown at review: why a person has to decide. */
    warning: z.string().nullable(),
    /** Why no commit can be made of it in explore mode. */
    locked: z.string().nullable(),
  }),
  z.strictObject({ kind: z.literal('impossible'), ...subject, why: z.string(), warning: z.string().nullable() }),
]);

export type CoverageLines = z.infer<typeof coverageLinesSchema>;
export type CoverageBaseline = z.infer<typeof coverageBaselineSchema>;
export type KeptCoverage = z.infer<typeof keptCoverageSchema>;
