import { z } from 'zod';

/** What is observed of a change beside the run of its suite, each in sandboxes of its own. */
export const OBSERVATIONS = ['stand_ins', 'removal', 'findings', 'old_tests', 'plain', 'mutation'] as const;

export const observationSchema = z.strictObject({
  observation: z.enum(OBSERVATIONS),
  /** `impossible`: it could not be made, which proves nothing. */
  outcome: z.enum(['held', 'failed', 'impossible']),
  detail: z.string(),
  duration_ms: z.number().nonnegative(),
});

/** Something about a changed file that a person has to look at. `line` is 1-based. */
export const findingSchema = z.strictObject({
  kind: z.string(),
  path: z.string(),
  line: z.number().int(),
  words: z.string(),
});

export type ObservationName = (typeof OBSERVATIONS)[number];
export type Observation = z.infer<typeof observationSchema>;
export type Finding = z.infer<typeof findingSchema>;

/** For people. */
export const OBSERVATION_TITLES: Readonly<Record<ObservationName, string>> = {
  stand_ins: 'New tests against stand-ins',
  removal: 'New tests without the new source',
  findings: 'Findings in changed files',
  old_tests: 'Old tests on the new source',
  plain: "The project's own test command",
  mutation: 'Tests against broken source',
};
