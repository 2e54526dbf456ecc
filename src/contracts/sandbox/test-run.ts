import { z } from 'zod';

/** `file` is project-relative; `name` is the full name, suites joined by ' > '. A `load` failure means that the file itself did not load. */
export const testCaseSchema = z.strictObject({
  file: z.string(),
  name: z.string(),
  status: z.enum(['passed', 'failed', 'skipped', 'todo']),
  duration_ms: z.number().nonnegative(),
  failure: z
    .strictObject({
      kind: z.enum(['assertion', 'error', 'timeout', 'load', 'crash']),
      message: z.string(),
      /** Set if the load failed because a module or an export is missing: its specifier and, for an export, the name. */
      missing: z.strictObject({ specifier: z.string(), export: z.string().optional() }).optional(),
    })
    .optional(),
});

export const TEST_OUTCOMES = [
  'passed',
  'failed',
  'invalid',
  'timeout',
  'out_of_memory',
  'killed',
  'crashed',
  'tampered',
] as const;

export const testOutcomeSchema = z.enum(TEST_OUTCOMES);

/** A file that policy hid from a run, and the rule that hid it. */
export const hiddenFileSchema = z.strictObject({ path: z.string(), rule: z.string() });

/**
 * The result of one test run of the project, as the kernel itself observed it. Canary cases are never in `cases`. `files` are the test files that the
 * runner collected. `why` explains an outcome other than passed or failed. `output` is the runner's own text, limited.
 */
export const testRunSchema = z.strictObject({
  outcome: testOutcomeSchema,
  why: z.string().optional(),
  cases: z.array(testCaseSchema),
  files: z.array(z.string()),
  /** Requested test files, or [] for the whole suite. */
  requested: z.array(z.string()),
  exit: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('exited'), code: z.number().int() }),
    z.strictObject({ kind: z.literal('signalled'), signal: z.string() }),
    z.strictObject({ kind: z.literal('timed-out'), after_ms: z.number() }),
    z.strictObject({ kind: z.literal('out-of-memory') }),
  ]),
  duration_ms: z.number().nonnegative(),
  output: z.string(),
  /** Files of the project that were hidden from the run. */
  hidden: z.array(hiddenFileSchema).optional(),
});

export type HiddenFile = z.infer<typeof hiddenFileSchema>;
export type TestCase = z.infer<typeof testCaseSchema>;
export type TestRun = z.infer<typeof testRunSchema>;
export type ProcessExit = TestRun['exit'];
