import { z } from 'zod';

/** What is observed about a change beyond the run of its suite, each in sandboxes of its own. */
export const OBSERVATIONS = [
  'stand_ins',
  'opening',
  'removal',
  'repeated',
  'variants',
  'findings',
  'old_tests',
  'plain',
  'references',
  'mutation_before',
  'mutation',
] as const;

export const observationSchema = z.strictObject({
  observation: z.enum(OBSERVATIONS),
  /** `impossible`: it could not be made, which proves nothing. */
  outcome: z.enum(['held', 'failed', 'impossible']),
  detail: z.string(),
  duration_ms: z.number().nonnegative(),
  /**
   * Only for `variants`, in a session: a case gives another result when it runs a second time in one process, because it leaves state behind or
   * counts. Not in evidence.
   */
  differs_again: z.boolean().optional(),
});

/** A property of a changed file that a person must look at. `line` is 1-based. */
export const findingSchema = z.strictObject({
  kind: z.string(),
  path: z.string(),
  line: z.number().int(),
  words: z.string(),
});

/** Mutants of source lines (changed lines; for a change of tests only, the lines that the tests use), and how many of them a test noticed. */
export const mutantsSchema = z.strictObject({
  tried: z.number().int().nonnegative(),
  noticed: z.number().int().nonnegative(),
  survivors: z.array(
    z.strictObject({ path: z.string(), line: z.number().int(), mutator: z.string(), words: z.string() }),
  ),
});

/** Changed lines with code, and how many of them the new cases execute. */
export const linesSchema = z.strictObject({
  changed: z.number().int().nonnegative(),
  executed: z.number().int().nonnegative(),
});

/** Everything that was observed about a change. What was not measured is absent. */
export const proofSchema = z.strictObject({
  observations: z.array(observationSchema),
  findings: z.array(findingSchema),
  mutants: mutantsSchema.optional(),
  lines: linesSchema.optional(),
});

/** How many new cases failed, and how, before the source existed. */
export const redBySchema = z.strictObject({
  assertion: z.number().int().nonnegative(),
  error: z.number().int().nonnegative(),
  timeout: z.number().int().nonnegative(),
  stand_ins: z.number().int().nonnegative(),
});

export type ObservationName = (typeof OBSERVATIONS)[number];
export type Observation = z.infer<typeof observationSchema>;
export type RedBy = z.infer<typeof redBySchema>;
export type Mutants = z.infer<typeof mutantsSchema>;
export type Proof = z.infer<typeof proofSchema>;
export type Finding = z.infer<typeof findingSchema>;

/** Titles for people. */
export const OBSERVATION_TITLES: Readonly<Record<ObservationName, string>> = {
  stand_ins: 'New tests against stand-ins',
  opening: 'Suite before the change',
  removal: 'New tests without the new source',
  repeated: 'New tests run again',
  variants: 'Variants of the new tests',
  findings: 'Findings in changed files',
  old_tests: 'Old tests on the new source',
  plain: "The project's own test command",
  references: 'Uses of deleted code',
  mutation_before: 'Mutation before the change',
  mutation: 'Mutation',
};
